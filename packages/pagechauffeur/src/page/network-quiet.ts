import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';

/** The network is idle when no relevant request was active for this time in ms. */
const QUIET_MS = 500;
/** A request without activity for this time in ms hangs or is a long poll. */
const SILENT_MS = 2000;
/** If a script's response is still arriving after this time in ms, it is a stream. */
const STREAM_MS = 3000;
/** A URL that is requested more often than this, each time after its response, is polled. */
const ROUNDS_THAT_COUNT = 3;
/** Requests that last as long as the page, or report something that the page does not wait for. */
const LASTING_KINDS = new Set(['EventSource', 'WebSocket', 'Ping', 'CSPViolationReport', 'Media', 'Prefetch']);
/** Marks a document that was idle, in addition to the browser's lifecycle events. */
const WAS_QUIET = 'networkQuiet';
const LASTING_TYPES = /^(text\/event-stream|multipart\/x-mixed-replace)/;

/** Detects when a page stops loading, despite long polls, streams, sockets and hanging requests. */
export class NetworkQuiet implements Disposable {
  readonly #onQuiet: () => void;
  readonly #stops = new CleanupStack();
  readonly #page: PageTarget;
  readonly #counted = new Set<NetworkRequest>();
  readonly #roundByAddress = new Map<string, { request: NetworkRequest; count: number }>();
  #quietSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isQuiet = false;

  constructor(page: PageTarget, onQuiet: () => void) {
    this.#page = page;
    this.#onQuiet = onQuiet;
    const { network, frames } = page;
    for (const request of network.inFlight) this.#start(request);
    this.#stops.defer(network.events.on('started', (request) => this.#start(request)));
    this.#stops.defer(network.events.on('response', (request) => this.#answer(request)));
    this.#stops.defer(network.events.on('ended', (request) => this.#end(request)));
    this.#stops.defer(frames.events.on('navigated', (frame) => frame === frames.main && this.#begin()));
    this.#stops.defer(() => clearTimeout(this.#timer));
    const wasIdle =
      frames.main.lifecycle.has(WAS_QUIET) || frames.frames.every(({ lifecycle }) => lifecycle.has('networkIdle'));
    if (wasIdle) this.#quietSince = performance.now() - QUIET_MS;
    this.#look();
  }

  /** True if the page has been idle for the required time. */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** A new document must become idle itself. */
  #begin(): void {
    this.#isQuiet = false;
    this.#quietSince = undefined;
    this.#roundByAddress.clear();
    this.#look();
  }

  #start(request: NetworkRequest): void {
    if (isLasting(request) || this.#roundOf(request) > ROUNDS_THAT_COUNT) return;
    this.#counted.add(request);
    this.#look();
  }

  /** Number of requests to its URL that followed a response. */
  #roundOf(request: NetworkRequest): number {
    const address = request.url.replace(/[?#].*$/s, '');
    const round = this.#roundByAddress.get(address);
    const isNext = round?.request.response !== undefined || round?.request.failure !== undefined;
    const count = (round?.count ?? 1) + (isNext ? 1 : 0);
    this.#roundByAddress.delete(address);
    this.#roundByAddress.set(address, { request, count });
    const [oldest] = this.#roundByAddress.keys();
    if (this.#roundByAddress.size > PAGE_BOUNDS.countedAddresses && oldest !== undefined)
      this.#roundByAddress.delete(oldest);
    return count;
  }

  #answer(request: NetworkRequest): void {
    if (isLasting(request)) this.#end(request);
  }

  #end(request: NetworkRequest): void {
    if (this.#counted.delete(request)) this.#look();
  }

  /** Checks again after each change, and when the next request stops counting. */
  #look(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const pending = [...this.#counted].map(endOfCounting).filter((end) => end > now);
    if (pending.length > 0) this.#quietSince = undefined;
    else this.#quietSince ??= now;
    const next = this.#quietSince === undefined ? Math.min(...pending) : this.#quietSince + QUIET_MS;
    if (next > now) {
      this.#isQuiet = false;
      this.#timer = setTimeout(() => this.#look(), next - now);
    } else {
      this.#isQuiet = true;
      this.#page.frames.main.lifecycle.add(WAS_QUIET);
      this.#onQuiet();
    }
  }
}

function isLasting({ type, response }: NetworkRequest): boolean {
  return (type !== undefined && LASTING_KINDS.has(type)) || LASTING_TYPES.test(response?.mimeType ?? '');
}

function endOfCounting({ type, lastActivity, answeredAt }: NetworkRequest): number {
  const silent = lastActivity + SILENT_MS;
  const isOfScript = type === 'Fetch' || type === 'XHR';
  return isOfScript && answeredAt !== undefined ? Math.min(silent, answeredAt + STREAM_MS) : silent;
}

/** A document that was rewritten in place must become idle itself. */
export function forgetQuiet({ frames }: PageTarget): void {
  for (const name of [WAS_QUIET, 'networkIdle']) frames.main.lifecycle.delete(name);
}
