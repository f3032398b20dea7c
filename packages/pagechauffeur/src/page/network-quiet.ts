import { PendingRequests } from '../actions/pending-requests.ts';
import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';

/** Time in ms without pending requests after which the network is idle. */
const QUIET_MS = 500;
/** Added to the lifecycle events of a document once its network was idle. */
const WAS_QUIET = 'networkQuiet';

/**
 * Detects `networkidle`: 500 ms without pending requests. Long polls, streams, sockets and requests that hang do not
 * count.
 */
export class NetworkQuiet implements Disposable {
  readonly #onQuiet: () => void;
  readonly #stops = new CleanupStack();
  readonly #page: PageTarget;
  readonly #pending: PendingRequests;
  /** A pending request that keeps the page from being idle. */
  #blocking: NetworkRequest | undefined;
  #quietSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isQuiet = false;

  constructor(page: PageTarget, onQuiet: () => void) {
    this.#page = page;
    this.#onQuiet = onQuiet;
    this.#pending = new PendingRequests(page, 'load');
    const { network, frames } = page;
    for (const request of network.inFlight) this.#pending.start(request);
    // While one request keeps the page busy, the others do not matter.
    const started = (request: NetworkRequest): void => {
      if (this.#pending.start(request) && !this.#blocking) this.#check();
    };
    const stopped = (request: NetworkRequest): void => {
      if (request === this.#blocking) this.#check();
    };
    this.#stops.defer(network.events.on('started', started));
    this.#stops.defer(network.events.on('response', (request) => this.#pending.respond(request) && stopped(request)));
    this.#stops.defer(network.events.on('ended', (request) => this.#pending.end(request) && stopped(request)));
    this.#stops.defer(frames.events.on('navigated', (frame) => frame === frames.main && this.#startDocument()));
    this.#stops.defer(() => clearTimeout(this.#timer));
    const wasIdle =
      frames.main.lifecycle.has(WAS_QUIET) || frames.frames.every(({ lifecycle }) => lifecycle.has('networkIdle'));
    if (wasIdle) this.#quietSince = performance.now() - QUIET_MS;
    this.#check();
  }

  /** True if the network is idle now. */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  [Symbol.dispose](): void {
    this.#stops.dispose();
  }

  /** A new document must become idle itself. */
  #startDocument(): void {
    this.#isQuiet = false;
    this.#quietSince = undefined;
    this.#pending.forgetRounds();
    this.#check();
  }

  /** Called after each change and when the next request stops counting. */
  #check(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const counted = this.#pending.firstCounted(now);
    this.#blocking = counted?.request;
    if (counted) this.#quietSince = undefined;
    else this.#quietSince ??= now;
    const next = counted?.until ?? (this.#quietSince ?? now) + QUIET_MS;
    if (next > now) {
      this.#isQuiet = false;
      this.#timer = setTimeout(() => this.#check(), next - now);
    } else {
      this.#isQuiet = true;
      this.#page.frames.main.lifecycle.add(WAS_QUIET);
      this.#onQuiet();
    }
  }
}

/** Call when a document was rewritten in place: it must become idle again. */
export function forgetQuiet({ frames }: PageTarget): void {
  for (const name of [WAS_QUIET, 'networkIdle']) frames.main.lifecycle.delete(name);
}
