import type { Protocol } from 'devtools-protocol';
import type { Interceptor } from '../../cdp/network/interceptor.ts';
import type { PausedRequest, RequestChanges } from '../../cdp/network/paused-request.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkOptions, checkWholeNumber, describeValue } from '../../util/check-argument.ts';
import type { PageSettings } from '../../actions/call-limits.ts';
import { Request, requestOf } from '../request.ts';
import { preflightAnswer } from './fulfillment.ts';
import { Route, type RouteSetup } from './route.ts';
import { isSamePattern, type UrlPattern, type UrlTest, urlTest } from './url-pattern.ts';
import { boundedAddress } from '../../cdp/bounded-event.ts';
import { NetworkMonitor, type NetworkRequest } from '../../cdp/network-monitor.ts';
import type { NetworkControl } from '../../cdp/network/network-control.ts';
import { reasonOf } from '../../util/error-facts.ts';
import type { Log } from '../../util/log.ts';

/**
 * Handler of `route()`. Must call `fulfill`, `abort`, `continue` or `fallback` on the route, possibly after it has
 * returned.
 */
export type RouteHandler = (route: Route, request: Request) => unknown;

/** Options of `route()`. */
export interface RouteOptions {
  /** Removes the handler after this many requests. Default: never. */
  times?: number;
}

interface Entry {
  readonly test: UrlTest;
  readonly handler: RouteHandler;
  left: number;
}

export interface RouteTableSetup {
  readonly control: RouteSetup['control'];
  readonly settings: PageSettings;
  pages(): readonly PageTarget[];
}

/** The route handlers of a page or a context. The latest runs first. */
export class RouteTable implements Interceptor {
  readonly #setup: RouteTableSetup;
  #entries: Entry[] = [];

  constructor(setup: RouteTableSetup) {
    this.#setup = setup;
  }

  get patterns(): readonly string[] {
    return this.#entries.map(({ test }) => test.fetchPattern);
  }

  add(pattern: UrlPattern, handler: RouteHandler, options: RouteOptions = {}): void {
    const test = urlTest(pattern);
    checkOptions(options);
    checkHandler(handler);
    const { times = Number.POSITIVE_INFINITY } = options;
    if (options.times !== undefined) checkWholeNumber('times', times, { least: 1 });
    this.#entries = [{ test, handler, left: times }, ...this.#entries];
  }

  remove(pattern: UrlPattern, handler?: RouteHandler): void {
    urlTest(pattern);
    if (handler !== undefined) checkHandler(handler);
    this.#entries = this.#entries.filter(
      (entry) => !isSamePattern(entry.test.pattern, pattern) || (handler !== undefined && entry.handler !== handler),
    );
  }

  clear(): void {
    this.#entries = [];
  }

  /** Runs the matching handlers. Each one runs when the handler before it calls `fallback()`. */
  handle(paused: PausedRequest, next: (changes: RequestChanges) => void): void {
    const fitting = this.#fitting(paused.url);
    if (paused.isPreflight && fitting.length > 0) {
      this.#observe(paused.fulfill(preflightAnswer(paused)), `The CORS preflight for ${paused.url} failed`);
      return;
    }
    const advance = (changes: RequestChanges): void => {
      const entry = fitting.shift();
      if (!entry) return next(changes);
      const asking = this.#ask(entry, paused, (more) => advance({ ...changes, ...more }));
      this.#observe(asking, `The request for ${paused.url} cannot be aborted after its route handler threw`);
    };
    advance({});
  }

  #fitting(url: string): Entry[] {
    return this.#entries.filter((entry) => {
      try {
        return entry.left > 0 && entry.test.fits(url);
      } catch (error) {
        this.#complain(`The URL function of a route threw for ${url}, so the route is skipped`, error);
        return false;
      }
    });
  }

  async #ask(entry: Entry, paused: PausedRequest, next: RouteSetup['next']): Promise<void> {
    entry.left -= 1;
    if (entry.left === 0) this.#entries = this.#entries.filter((other) => other !== entry);
    const { control, settings } = this.#setup;
    const page = senderOf(paused, this.#setup.pages());
    const request = routedRequest(paused, page, settings);
    const route = new Route({ paused, request, control, settings, next });
    try {
      // An action may be waiting for this request. Actions in the handler join the turn of that action, so that neither
      // blocks the other.
      const handle = (): unknown => entry.handler(route, request);
      await (page ? page.lock.asHandler(handle) : handle());
    } catch (error) {
      this.#complain(`A route handler for ${paused.url} threw`, error);
      if (!route.isAnswered) await paused.fail('Failed');
    }
  }

  /** Logs an error from `work` after the `sentence`. Does not wait for `work`. */
  #observe(work: Promise<void>, sentence: string): void {
    work.catch((error: unknown) => this.#complain(sentence, error));
  }

  #complain(sentence: string, error: unknown): void {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#setup.settings.log.write('page', 0, `${sentence}: ${reason}`);
  }
}

/** Returns `undefined` for a request from a worker without a page. */
function senderOf({ event }: PausedRequest, pages: readonly PageTarget[]): PageTarget | undefined {
  return pages.find(({ frames }) => frames.frame(event.frameId) !== undefined);
}

/**
 * Returns the same object as the page's `request` event, if the page has reported the request and the report is whole.
 * Otherwise returns an object with the whole body and headers. The page keeps only the report.
 */
function routedRequest(paused: PausedRequest, page: PageTarget | undefined, settings: PageSettings): Request {
  const address = boundedAddress(paused.url);
  const { networkId, request } = paused.event;
  const known = page?.network.inFlight.find(({ id, url }) => id === networkId && url === address);
  const context = { page, network: page?.network ?? new NetworkMonitor(), settings };
  if (!known) return new Request(factsOf(paused), context);
  return isWhole(known.sent, request) ? requestOf(known, context) : new Request(known, context, request);
}

/** Long bodies and headers are cut when they are reported, and the contents of files are left out. */
function isWhole(reported: Protocol.Network.Request, request: Protocol.Network.Request): boolean {
  const headers = Object.entries(reported.headers);
  return (
    bodyLength(reported) === bodyLength(request) && headers.every(([name, value]) => value === request.headers[name])
  );
}

function bodyLength({ postDataEntries = [] }: Protocol.Network.Request): number {
  return postDataEntries.reduce((sum, { bytes = '' }) => sum + bytes.length, 0);
}

function factsOf({ event, session }: PausedRequest): NetworkRequest {
  const { requestId, networkId = requestId, frameId, request, resourceType } = event;
  return {
    id: networkId,
    frameId,
    loaderId: resourceType === 'Document' ? networkId : '',
    url: request.url,
    type: resourceType,
    sent: request,
    redirectedFrom: undefined,
    session,
    lastActivity: performance.now(),
  };
}

function checkHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new DriverInvalidArgumentError(`handler must be a function. Received ${describeValue(handler)}.`, {
    argument: 'handler',
  });
}

/** Logs requests that fail because the browser rejects the command that continues them. */
export function logRequestFaults(control: NetworkControl, log: Log): void {
  control.events.on('requestFault', ({ url, error }) => {
    log.write('page', 0, `The request for ${url} failed: the browser refused to continue it: ${reasonOf(error)}`);
  });
}
