import { setTimeout as pause } from 'node:timers/promises';
import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { PartState } from '../reachability.ts';
import { RedisLink } from './redis-link.ts';
import { FREE, RENEW, TAKE } from './slot-scripts.ts';
import { noPlace, type Place, type SlotLimits, type SlotRequest, type Slots } from './slots.ts';

interface RedisSlotsParts {
  readonly url: string;
  readonly limits: SlotLimits;
  /** Servers of the same pool share its capacity. A project's quota counts in all pools together. */
  readonly pool: string;
  readonly log: PlatformLog;
  /** A place that is not claimed again for so many milliseconds is free: its server is lost. */
  readonly claim?: number;
  /** For how long it is tried to connect at the start. */
  readonly patience?: number;
}

const CLAIM_MS = 15_000;
/** Three that fail may come before the fourth is too late. */
const CLAIMS_IN_TIME = 4;
const PATIENCE_MS = 10_000;
/** Who waits says so this often; that the places of a lost server have become free raises no event. */
const ASK_AGAIN_MS = 1000;
const WAITING_MS = 5000;
const FREED = '{chauffeur}:freed';

/** The places of many servers, counted in Redis. Each server claims its own again and again, so what Redis forgets comes back. */
export class RedisSlots implements Slots {
  readonly #parts: RedisSlotsParts;
  readonly #redis: RedisLink;
  readonly #claim: number;
  readonly #projectBySession = new Map<string, string>();
  readonly #waiting = new Set<AbortController>();
  readonly #timer: NodeJS.Timeout;
  /** How often somebody has freed a place. */
  #freed = 0;

  private constructor(parts: RedisSlotsParts) {
    this.#parts = parts;
    this.#claim = parts.claim ?? CLAIM_MS;
    this.#redis = new RedisLink(parts.url, parts.log, parts.patience ?? PATIENCE_MS);
    this.#timer = setInterval(() => void this.#renew(), this.#claim / CLAIMS_IN_TIME);
    this.#timer.unref();
  }

  /** Connects; `unavailable` when Redis does not answer. */
  static async open(parts: RedisSlotsParts): Promise<RedisSlots> {
    const slots = new RedisSlots(parts);
    try {
      await slots.#redis.open(FREED, () => slots.#wake());
      return slots;
    } catch (error) {
      await slots.close();
      throw new PlatformError('unavailable', `Redis cannot be reached: ${reasonOf(error)}`, { cause: error });
    }
  }

  get counts(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#projectBySession.size, waiting: this.#waiting.size };
  }

  get state(): PartState {
    return this.#redis.state;
  }

  async take(request: SlotRequest, signal: AbortSignal): Promise<Place> {
    try {
      await this.#taken(request, signal);
      return this.#place(request);
    } catch (error) {
      await this.#run(FREE, [request.id, request.project, this.#parts.pool]);
      throw error;
    }
  }

  hold(request: SlotRequest): Place {
    const place = this.#place(request);
    void this.#renew();
    return place;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#redis.close();
  }

  async #taken({ id, project }: SlotRequest, signal: AbortSignal): Promise<void> {
    const { limits, pool } = this.#parts;
    const { perProject, queuePerProject, queueTimeout } = limits;
    const end = performance.now() + queueTimeout;
    for (;;) {
      // A grid has more places when a node comes, and fewer when one goes.
      const values = [id, project, pool, limits.capacity, perProject, queuePerProject, this.#claim, WAITING_MS];
      signal.throwIfAborted();
      const freed = this.#freed;
      const answer = await this.#run(TAKE, values);
      if (answer === 'taken') return;
      const isLate = performance.now() >= end;
      if (answer === undefined && isLate) throw away();
      if (answer !== undefined && (isLate || answer.startsWith('full')))
        throw noPlace(limits, !answer.endsWith('quota'));
      // Else one was freed while it was asked, which may not have been seen.
      if (freed === this.#freed) await this.#untilFreed(Math.min(ASK_AGAIN_MS, end - performance.now()), signal);
    }
  }

  /** Waits until a place was freed somewhere, or for a while. */
  async #untilFreed(ms: number, signal: AbortSignal): Promise<void> {
    const freed = new AbortController();
    this.#waiting.add(freed);
    try {
      await pause(ms, undefined, { signal: AbortSignal.any([signal, freed.signal]) });
    } catch {
      // Who is aborted is told by his own signal; the other one is what was waited for.
      signal.throwIfAborted();
    } finally {
      this.#waiting.delete(freed);
    }
  }

  #wake(): void {
    this.#freed += 1;
    for (const waiting of this.#waiting) waiting.abort();
  }

  #place({ id, project }: SlotRequest): Place {
    this.#projectBySession.set(id, project);
    const leave = (): boolean => this.#projectBySession.delete(id);
    return {
      leave: () => void leave(),
      free: () => {
        if (leave()) void this.#run(FREE, [id, project, this.#parts.pool]);
      },
    };
  }

  async #renew(): Promise<void> {
    if (this.#projectBySession.size === 0) return;
    await this.#run(RENEW, [this.#parts.pool, this.#claim, ...[...this.#projectBySession].flat()]);
  }

  /** Undefined when Redis is away: what was to be freed runs out by itself, and what is held is claimed again. */
  async #run(program: string, values: readonly (string | number)[]): Promise<string | undefined> {
    try {
      return await this.#redis.run(program, values);
    } catch {
      // The link has told the log, once.
      return undefined;
    }
  }
}

function away(): PlatformError {
  return new PlatformError('unavailable', 'The platform cannot count its sessions now. Try again in a moment.', {
    retryAfter: 1,
  });
}
