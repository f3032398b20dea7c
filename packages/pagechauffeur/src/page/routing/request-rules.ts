import { checkHeaders } from '../../cdp/network/extra-headers.ts';
import type { NetworkControl } from '../../cdp/network/network-control.ts';
import { setUpPages } from '../../cdp/page-target.ts';
import type { Progress } from '../../util/progress.ts';
import { type RouteHandler, type RouteOptions, RouteTable, type RouteTableSetup } from './route-table.ts';
import type { UrlPattern } from './url-pattern.ts';

interface RequestRulesSetup extends RouteTableSetup {
  readonly control: NetworkControl;
  /** `undefined` for the requests of all pages. */
  readonly pageId: string | undefined;
  begin(method: string): Progress;
}

/** Route handlers and extra headers of one page, or of the context for all pages. */
export class RequestRules {
  readonly #setup: RequestRulesSetup;
  readonly #routes: RouteTable;

  constructor(setup: RequestRulesSetup) {
    this.#setup = setup;
    this.#routes = new RouteTable(setup);
  }

  /** Resolves once the browser pauses every matching request. */
  async route(pattern: UrlPattern, handler: RouteHandler, options?: RouteOptions): Promise<void> {
    this.#routes.add(pattern, handler, options);
    await this.#update('route');
  }

  async unroute(pattern: UrlPattern, handler?: RouteHandler): Promise<void> {
    this.#routes.remove(pattern, handler);
    await this.#update('unroute');
  }

  async unrouteAll(): Promise<void> {
    this.#routes.clear();
    await this.#update('unrouteAll');
  }

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
