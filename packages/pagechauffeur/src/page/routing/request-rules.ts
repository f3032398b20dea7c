import { checkHeaders } from '../../cdp/network/extra-headers.ts';
import type { NetworkControl } from '../../cdp/network/network-control.ts';
import { setUpPages } from '../../cdp/page-target.ts';
import type { Progress } from '../../util/progress.ts';
import { type RouteHandler, type RouteOptions, RouteTable, type RouteTableSetup } from './route-table.ts';
import type { UrlPattern } from './url-pattern.ts';

/** Whose requests are meant, and how a call about them begins. */
interface RequestRulesSetup extends RouteTableSetup {
  readonly control: NetworkControl;
  /** The page whose requests are meant; undefined: those of all pages. */
  readonly pageId: string | undefined;
  begin(method: string): Progress;
}

/** What becomes of the requests of one page, or of all: the handlers that are asked, and the headers that are added. */
export class RequestRules {
  readonly #setup: RequestRulesSetup;
  readonly #routes: RouteTable;

  constructor(setup: RequestRulesSetup) {
    this.#setup = setup;
    this.#routes = new RouteTable(setup);
  }

  /** Registers a handler; done when no request that fits passes it any more. */
  async route(pattern: UrlPattern, handler: RouteHandler, options?: RouteOptions): Promise<void> {
    this.#routes.add(pattern, handler, options);
    await this.#update('route');
  }

  /** Takes away the handlers of a pattern, or one of them. */
  async unroute(pattern: UrlPattern, handler?: RouteHandler): Promise<void> {
    this.#routes.remove(pattern, handler);
    await this.#update('unroute');
  }

  /** Takes away every handler. */
  async unrouteAll(): Promise<void> {
    this.#routes.clear();
    await this.#update('unrouteAll');
  }

  /** Sends these headers with every request, in place of those set before. */
  async setExtraHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    const checked = checkHeaders(headers);
    const { control, pageId } = this.#setup;
    using progress = this.#setup.begin('setExtraHTTPHeaders');
    await progress.race(this.#setUp(control.headers.set(pageId, checked)));
  }

  async #update(method: string): Promise<void> {
    const { control, pageId } = this.#setup;
    using progress = this.#setup.begin(method);
    const interceptor = this.#routes.patterns.length > 0 ? this.#routes : undefined;
    await progress.race(this.#setUp(control.interception.set(pageId, interceptor)));
  }

  #setUp(setup: Promise<void>): Promise<void> {
    setUpPages(this.#setup.pages(), setup);
    return setup;
  }
}
