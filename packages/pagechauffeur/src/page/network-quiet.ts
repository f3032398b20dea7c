import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';

/** The network is idle when nothing that counts was fetched for this long. */
const QUIET_MS = 500;
/** A request of which nothing was heard for this long hangs, or is a long poll. */
const SILENT_MS = 2000;
/** An answer to a script that has been coming in for this long is a stream. */
const STREAM_MS = 3000;
/** An address that is asked again and again, each time after the answer, more often than this is polled. */
const ROUNDS_THAT_COUNT = 3;
/** What comes as long as the page is open, or tells a server something that the page does not wait for. */
const LASTING_KINDS = new Set(['EventSource', 'WebSocket', 'Ping', 'CSPViolationReport', 'Media', 'Prefetch']);
/** Marks a document of which this was seen, beside the browser's own lifecycle events. */
const WAS_QUIET = 'networkQuiet';
const LASTING_TYPES = /^(text\/event-stream|multipart\/x-mixed-replace)/;

/** Tells when a page has stopped fetching, whatever long polls, streams, sockets and hanging requests it keeps open. */
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

  /** Whether the page is quiet now, and has been for as long as it must be. */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** A new document has to be quiet itself. */
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

  /** How often its address was asked after an answer. */
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

  /** Looks again whenever something changed, and when the next request stops to count. */
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

/** For a document that was written anew in place: it has to become quiet itself. */
export function forgetQuiet({ frames }: PageTarget): void {
  for (const name of [WAS_QUIET, 'networkIdle']) frames.main.lifecycle.delete(name);
}
