import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { countsUntil, type RequestFacts, requestRule, type RequestWait } from './request-rules.ts';

/** The pending requests of a page that a wait counts. `request-rules.ts` has the rules. */
export class PendingRequests {
  readonly #page: PageTarget;
  readonly #wait: RequestWait;
  readonly #roundByRequest = new Map<NetworkRequest, number>();
  /** For each URL without its query: the first pending request of the current round, and the number of rounds. */
  readonly #roundByAddress = new Map<string, { first: NetworkRequest | undefined; count: number }>();

  constructor(page: PageTarget, wait: RequestWait) {
    this.#page = page;
    this.#wait = wait;
  }

  get facts(): readonly RequestFacts[] {
    return [...this.#roundByRequest].map(([request, round]) => this.#factsOf(request, round));
  }

  /** Returns a request that the wait counts at time `now`, and the time until which it does. */
  firstCounted(now: number): { readonly request: NetworkRequest; readonly until: number } | undefined {
    for (const [request, round] of this.#roundByRequest) {
      const until = countsUntil(this.#wait, this.#factsOf(request, round));
      if (until > now) return { request, until };
    }
    return undefined;
  }

  /** Counts a request that started. Returns false if the wait skips it for good. */
  start(request: NetworkRequest): boolean {
    // Requests that never count, such as beacons, start no round.
    if (this.#isExcluded(request, 1)) return false;
    const round = this.#roundOf(request);
    if (this.#isExcluded(request, round)) return false;
    this.#roundByRequest.set(request, round);
    return true;
  }

  /** Stops counting a request whose response headers show a stream. Returns true if it counted before. */
  respond(request: NetworkRequest): boolean {
    const round = this.#roundByRequest.get(request);
    return round !== undefined && this.#isExcluded(request, round) && this.#roundByRequest.delete(request);
  }

  /** Stops counting a request that has ended. Returns true if it counted before. */
  end(request: NetworkRequest): boolean {
    const round = this.#roundByAddress.get(addressOf(request));
    if (round?.first === request) round.first = undefined;
    return this.#roundByRequest.delete(request);
  }

  /** Forgets all requests. */
  clear(): void {
    this.#roundByRequest.clear();
  }

  /** Starts to count the rounds of each URL from 1. */
  forgetRounds(): void {
    this.#roundByAddress.clear();
  }

  /**
   * The round of a request: how often the page has requested its URL, counting overlapping requests once. Requests that
   * are sent before the first request of a round ends share that round.
   */
  #roundOf(request: NetworkRequest): number {
    const address = addressOf(request);
    const round = this.#roundByAddress.get(address) ?? { first: undefined, count: 0 };
    if (round.first === undefined) {
      round.first = request;
      round.count += 1;
    }
    this.#roundByAddress.delete(address);
    this.#roundByAddress.set(address, round);
    const [oldest] = this.#roundByAddress.keys();
    if (this.#roundByAddress.size > PAGE_BOUNDS.countedAddresses && oldest !== undefined)
      this.#roundByAddress.delete(oldest);
    return round.count;
  }

  /** True if the wait never counts this request. */
  #isExcluded(request: NetworkRequest, round: number): boolean {
    return requestRule(this.#wait, this.#factsOf(request, round), performance.now())?.isFinal === true;
  }

  #factsOf(request: NetworkRequest, round: number): RequestFacts {
    const { type, frameId, loaderId, lastActivity, answeredAt, response } = request;
    const frame = this.#page.frames.frame(frameId);
    const hasLeftDocument = frame !== undefined && loaderId !== '' && frame.loaderId !== loaderId;
    return { type, round, lastActivity, answeredAt, hasLeftDocument, mimeType: response?.mimeType };
  }
}

/** The URL without query and fragment, which often differ between requests to the same endpoint. */
function addressOf({ url }: NetworkRequest): string {
  return url.replace(/[?#].*$/s, '');
}
