import { PlatformError } from '../errors.ts';

/** A project may send this many seconds' worth of requests in a burst. */
const BURST_S = 10;

/** How many requests a project had left at time `at`. */
interface Allowance {
  readonly left: number;
  readonly at: number;
}

/** Limits the request rate of each project on this server, over all its keys. Allows bursts. */
export class RequestRates {
  readonly #perSecond: number;
  readonly #allowanceByProject = new Map<string, Allowance>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts one request. Throws `rate_limited` with a retry time if the project exceeds its rate. */
  count(project: string, now: number = performance.now()): void {
    const most = this.#perSecond * BURST_S;
    const { left, at } = this.#allowanceByProject.get(project) ?? { left: most, at: now };
    const allowed = Math.min(most, left + ((now - at) / 1000) * this.#perSecond);
    if (allowed < 1)
      throw new PlatformError('rate_limited', `A project can send at most ${this.#perSecond} requests per second.`, {
        retryAfter: Math.max(1, Math.ceil((1 - allowed) / this.#perSecond)),
      });
    this.#allowanceByProject.set(project, { left: allowed - 1, at: now });
  }
}
