import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { countsUntil, type RequestFacts, requestRule, type RequestWait } from './request-rules.ts';

/** Pending requests that settling or `networkidle` waits for, by the rules in `request-rules.ts`. */
export class PendingRequests {
  readonly #page: PageTarget;
  readonly #wait: RequestWait;
  readonly #roundByRequest = new Map<NetworkRequest, number>();
  /** By URL without query and fragment: the first pending request of the current round, and the number of rounds. */
  readonly #roundByAddress = new Map<string, { first: NetworkRequest | undefined; count: number }>();

  constructor(page: PageTarget, wait: RequestWait) {
    this.#page = page;
    this.#wait = wait;
  }

  get facts(): readonly RequestFacts[] {
    return [...this.#roundByRequest].map(([request, round]) => this.#factsOf(request, round));
  }

  /** Returns a request that is still waited for, and the `performance.now()` value until which it is. */
  firstCounted(now: number): { readonly request: NetworkRequest; readonly until: number } | undefined {
    for (const [request, round] of this.#roundByRequest) {
      const until = countsUntil(this.#wait, this.#factsOf(request, round));
      if (until > now) return { request, until };
    }
    return undefined;
  }

  start(request: NetworkRequest): boolean {
    // Requests that are never waited for, such as beacons, start no round.
    if (this.#isExcluded(request, 1)) return false;
    const round = this.#roundOf(request);
    if (this.#isExcluded(request, round)) return false;
    this.#roundByRequest.set(request, round);
    return true;
  }

  /**
   * Call when response headers arrive, which may reveal a stream. Returns true if the request is no longer waited for
   * because of that.
   */
  respond(request: NetworkRequest): boolean {
    const round = this.#roundByRequest.get(request);
    return round !== undefined && this.#isExcluded(request, round) && this.#roundByRequest.delete(request);
  }

  /** Call when a request ends. Returns true if it was waited for. */
  end(request: NetworkRequest): boolean {
    const round = this.#roundByAddress.get(addressOf(request));
    if (round?.first === request) round.first = undefined;
    return this.#roundByRequest.delete(request);
  }

  clear(): void {
    this.#roundByRequest.clear();
  }

  /** Called for a new document, which counts its own rounds. */
  forgetRounds(): void {
    this.#roundByAddress.clear();
  }

  /** How often the page has requested the URL of this request. Overlapping requests count as one round. */
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

  /** True if the rules exclude the request for good. */
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

/** Requests to the same endpoint often differ only in query and fragment. */
function addressOf({ url }: NetworkRequest): string {
  return url.replace(/[?#].*$/s, '');
}
