import type { Interceptor } from '../../cdp/network/interceptor.ts';
import type { PausedRequest, RequestChanges } from '../../cdp/network/paused-request.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkOptions, checkWholeNumber, describeValue } from '../../util/check-argument.ts';
import type { PageSettings } from '../call-limits.ts';
import type { Request } from '../request.ts';
import { preflightAnswer } from './fulfillment.ts';
import { Route, type RouteSetup } from './route.ts';
import { askingPage, routedRequest } from './routed-request.ts';
import { isSamePattern, type UrlPattern, type UrlTest, urlTest } from './url-pattern.ts';

/** A user's function that says what becomes of a request. */
export type RouteHandler = (route: Route, request: Request) => unknown;

/** How a handler is registered. */
export interface RouteOptions {
  /** After so many requests the handler is taken away; default: never. */
  times?: number;
}

interface Entry {
  readonly test: UrlTest;
  readonly handler: RouteHandler;
  left: number;
}

/** What a table of handlers works with. */
export interface RouteTableSetup {
  readonly control: RouteSetup['control'];
  readonly settings: PageSettings;
  /** The pages whose requests these may be. */
  pages(): readonly PageTarget[];
}

/** The handlers of one page, or of all: the one that was registered last is asked first. */
export class RouteTable implements Interceptor {
  readonly #setup: RouteTableSetup;
  #entries: Entry[] = [];

  constructor(setup: RouteTableSetup) {
    this.#setup = setup;
  }

  get patterns(): readonly string[] {
    return this.#entries.map(({ test }) => test.fetchPattern);
  }

  /** Registers a handler. */
  add(pattern: UrlPattern, handler: RouteHandler, options: RouteOptions = {}): void {
    const test = urlTest(pattern);
    checkOptions(options);
    checkHandler(handler);
    const { times = Number.POSITIVE_INFINITY } = options;
    if (options.times !== undefined) checkWholeNumber('times', times, { least: 1 });
    this.#entries = [{ test, handler, left: times }, ...this.#entries];
  }

  /** Takes away the handlers of a pattern, or one of them. */
  remove(pattern: UrlPattern, handler?: RouteHandler): void {
    urlTest(pattern);
    if (handler !== undefined) checkHandler(handler);
    this.#entries = this.#entries.filter(
      (entry) => !isSamePattern(entry.test.pattern, pattern) || (handler !== undefined && entry.handler !== handler),
    );
  }

  /** Takes away every handler. */
  clear(): void {
    this.#entries = [];
  }

  /** Asks the handlers that the address fits, one after the other. */
  handle(paused: PausedRequest, next: (changes: RequestChanges) => void): void {
    const fitting = this.#fitting(paused.url);
    if (paused.isPreflight && fitting.length > 0) {
      this.#observe(paused, paused.fulfill(preflightAnswer(paused)));
      return;
    }
    const advance = (changes: RequestChanges): void => {
      const entry = fitting.shift();
      if (!entry) return next(changes);
      this.#observe(
        paused,
        this.#ask(entry, paused, (more) => advance({ ...changes, ...more })),
      );
    };
    advance({});
  }

  #fitting(url: string): Entry[] {
    return this.#entries.filter((entry) => {
      try {
        return entry.left > 0 && entry.test.fits(url);
      } catch (error) {
        this.#complain(url, error);
        return false;
      }
    });
  }

  async #ask(entry: Entry, paused: PausedRequest, next: RouteSetup['next']): Promise<void> {
    entry.left -= 1;
    if (entry.left === 0) this.#entries = this.#entries.filter((other) => other !== entry);
    const { control, settings } = this.#setup;
    const page = askingPage(paused, this.#setup.pages());
    const request = routedRequest(paused, page, settings);
    const route = new Route({ paused, request, control, settings, next });
    try {
      // An action may wait for this request, so what the handler does to the page is part of that action.
      const handle = (): unknown => entry.handler(route, request);
      await (page ? page.lock.asHandler(handle) : handle());
    } catch (error) {
      this.#complain(paused.url, error);
      if (!route.isAnswered) await paused.fail('Failed');
    }
  }

  /** Nobody waits for what a handler does; the page is not to wait for a handler that went wrong either. */
  #observe(paused: PausedRequest, work: Promise<void>): void {
    work.catch((error: unknown) => this.#complain(paused.url, error));
  }

  #complain(url: string, error: unknown): void {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#setup.settings.log.write('page', 0, `A route handler of ${url} threw: ${reason}`);
  }
}

function checkHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new DriverInvalidArgumentError(`handler must be a function. Received ${describeValue(handler)}.`, {
    argument: 'handler',
  });
}
