import { PlatformError } from '../errors.ts';

/** How many requests a project may save up for a moment in which it needs many, in seconds of its rate. */
const BURST_S = 10;

/** What a project may still ask, as it was at a time. */
interface Allowance {
  readonly left: number;
  readonly at: number;
}

/** How often each project may ask this server, by all its keys together: so many times a second, and more for a moment after it was silent. */
export class RequestRates {
  readonly #perSecond: number;
  readonly #allowanceByProject = new Map<string, Allowance>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts a request; `rate_limited`, with when to come again, when it is one too many. */
  count(project: string, now: number = performance.now()): void {
    const most = this.#perSecond * BURST_S;
    const { left, at } = this.#allowanceByProject.get(project) ?? { left: most, at: now };
    const allowed = Math.min(most, left + ((now - at) / 1000) * this.#perSecond);
    if (allowed < 1)
      throw new PlatformError('rate_limited', `A project may send ${this.#perSecond} requests a second.`, {
        retryAfter: Math.max(1, Math.ceil((1 - allowed) / this.#perSecond)),
      });
    this.#allowanceByProject.set(project, { left: allowed - 1, at: now });
  }
}
