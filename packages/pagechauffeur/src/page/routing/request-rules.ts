import { checkHeaders } from '../../cdp/network/extra-headers.ts';
import type { NetworkControl } from '../../cdp/network/network-control.ts';
import { setUpPages } from '../../cdp/page-target.ts';
import type { Progress } from '../../util/progress.ts';
import { type RouteHandler, type RouteOptions, RouteTable, type RouteTableSetup } from './route-table.ts';
import type { UrlPattern } from './url-pattern.ts';

/** The affected requests, and the start of a call. */
interface RequestRulesSetup extends RouteTableSetup {
  readonly control: NetworkControl;
  /** The page whose requests are affected. `undefined` for all pages. */
  readonly pageId: string | undefined;
  begin(method: string): Progress;
}

/** Handlers and extra headers for the requests of one page or all. */
export class RequestRules {
  readonly #setup: RequestRulesSetup;
  readonly #routes: RouteTable;

  constructor(setup: RequestRulesSetup) {
    this.#setup = setup;
    this.#routes = new RouteTable(setup);
  }

  /** Registers a handler. Resolves when every matching request is routed. */
  async route(pattern: UrlPattern, handler: RouteHandler, options?: RouteOptions): Promise<void> {
    this.#routes.add(pattern, handler, options);
    await this.#update('route');
  }

  /** Removes the handlers of a pattern, or one of them. */
  async unroute(pattern: UrlPattern, handler?: RouteHandler): Promise<void> {
    this.#routes.remove(pattern, handler);
    await this.#update('unroute');
  }

  /** Removes all handlers. */
  async unrouteAll(): Promise<void> {
    this.#routes.clear();
    await this.#update('unrouteAll');
  }

  /** Sends these headers with every request. Replaces earlier ones. */
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
