import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { PartState } from '../reachability.ts';
import { RedisConnection } from './redis-connection.ts';
import { FREE, RENEW, TAKE, WITHDRAW } from './slot-scripts.ts';
import { noCapacity, type Place, type SlotLimits, type SlotRequest, type Slots } from './slots.ts';

interface RedisSlotsParts {
  readonly url: string;
  readonly limits: SlotLimits;
  /**
   * Servers with the same pool share its capacity. Default: a separate pool for this server, whose slots other servers
   * can take too.
   */
  readonly pool?: string;
  readonly log: PlatformLog;
  /** Milliseconds after which a slot becomes free if its server has not renewed the claim. */
  readonly claim?: number;
  /** How long to retry the first connection to Redis, in milliseconds. */
  readonly timeout?: number;
}

const CLAIM_MS = 15_000;
/** Renewals per claim. Three may fail. */
const CLAIMS_IN_TIME = 4;
const TIMEOUT_MS = 10_000;
/** Polling interval of queued requests: nothing reports that the claims of a dead server expired. */
const ASK_AGAIN_MS = 1000;
const WAITING_MS = 5000;
const FREED = '{chauffeur}:freed';
/** Group of all servers whose browsers run on their own machines. */
const OWN_GROUP = 'own';

const answerFormat = z.object({
  state: z.enum(['taken', 'wait capacity', 'wait quota', 'full capacity', 'full quota']),
  /** `address` is the URL of the server that owns the pool. */
  pool: z.string().optional(),
  address: z.string().optional(),
  /** Arrival time of the request, which determines its position in the queue. */
  turn: z.string(),
});

/**
 * Session slots of several servers, counted in Redis. Each server renews its claims, which also restores lost Redis
 * data.
 */
export class RedisSlots implements Slots {
  readonly isShared = true;
  readonly #parts: RedisSlotsParts;
  readonly #pool: string;
  readonly #group: string;
  readonly #redis: RedisConnection;
  readonly #claim: number;
  readonly #projectBySession = new Map<string, string>();
  readonly #waiting = new Set<AbortController>();
  readonly #timer: NodeJS.Timeout;
  #address = '';
  #isOffered = false;
  #isWithdrawn = false;
  /** Number of releases seen so far. */
  #freed = 0;

  private constructor(parts: RedisSlotsParts) {
    this.#parts = parts;
    this.#pool = parts.pool ?? randomUUID();
    this.#group = parts.pool ?? OWN_GROUP;
    this.#claim = parts.claim ?? CLAIM_MS;
    this.#redis = new RedisConnection(parts.url, parts.log, parts.timeout ?? TIMEOUT_MS);
    this.#timer = setInterval(() => void this.#renew(), this.#claim / CLAIMS_IN_TIME);
    this.#timer.unref();
  }

  /** Connects to Redis. Rejects with `unavailable` if there is no connection within `timeout`. */
  static async open(parts: RedisSlotsParts): Promise<RedisSlots> {
    const slots = new RedisSlots(parts);
    try {
      await slots.#redis.open(FREED, () => slots.#wake());
      return slots;
    } catch (error) {
      await slots.close();
      throw new PlatformError('unavailable', `Cannot reach Redis: ${reasonOf(error)}`, { cause: error });
    }
  }

  get counts(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#projectBySession.size, waiting: this.#waiting.size };
  }

  get state(): PartState {
    return this.#redis.state;
  }

  async take(request: SlotRequest, signal: AbortSignal): Promise<Place | undefined> {
    try {
      return (await this.#isTaken(request, signal)) ? this.#place(request) : undefined;
    } catch (error) {
      await this.#free(request);
      throw error;
    }
  }

  hold(request: SlotRequest): Place {
    const place = this.#place(request);
    void this.#renew();
    return place;
  }

  offer(address: string): void {
    this.#address = address;
    this.#isOffered = true;
    void this.#renew();
  }

  async withdraw(): Promise<void> {
    this.#isOffered = false;
    if (this.#group !== OWN_GROUP) return;
    this.#isWithdrawn = true;
    await this.#run(WITHDRAW, [this.#pool]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#redis.close();
  }

  /**
   * Waits for a slot. Returns true if the slot is on this server, false if another server has responded to the request.
   */
  async #isTaken(request: SlotRequest, signal: AbortSignal): Promise<boolean> {
    const end = performance.now() + this.#parts.limits.queueTimeout;
    let turn = '';
    for (;;) {
      signal.throwIfAborted();
      const freed = this.#freed;
      const answer = await this.#ask(request, turn);
      turn = answer?.turn ?? turn;
      const isLate = performance.now() >= end;
      if (answer?.state === 'taken') {
        if (answer.pool === this.#pool) return true;
        if (await this.#isPassedOn(request, answer, signal)) return false;
      } else if (answer === undefined && isLate) throw redisUnavailable();
      else if (answer && (isLate || answer.state.startsWith('full')))
        throw noCapacity(this.#parts.limits, answer.state.endsWith('capacity'));
      // If a slot became free during the request, retries immediately.
      if (freed === this.#freed) await this.#untilFreed(Math.min(ASK_AGAIN_MS, end - performance.now()), signal);
    }
  }

  async #ask(
    { id, project, forwardRequest }: SlotRequest,
    turn: string,
  ): Promise<z.output<typeof answerFormat> | undefined> {
    const { perProject, queuePerProject } = this.#parts.limits;
    const mayForward = forwardRequest !== undefined || this.#group !== OWN_GROUP ? 'elsewhere' : '';
    const limits = [perProject, queuePerProject, WAITING_MS];
    const answer = await this.#run(TAKE, [...this.#offered, id, project, turn, ...limits, mayForward, ...this.#claims]);
    return answer === undefined ? undefined : answerFormat.parse(JSON.parse(answer));
  }

  /**
   * Forwards the request to the server that owns the slot. If that server is unavailable, frees the slot and returns
   * false.
   */
  async #isPassedOn(
    request: SlotRequest,
    { pool, address = '' }: z.output<typeof answerFormat>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const outcome = (await request.forwardRequest?.(address, request.id)) ?? 'unavailable';
    // If the client disconnected, the other server frees the slot itself.
    signal.throwIfAborted();
    if (outcome !== 'begun') await this.#free(request, pool, outcome === 'unavailable' ? 'withdrawn' : '');
    return outcome !== 'unavailable';
  }

  /** Waits until any slot is released, at most `ms` milliseconds. */
  async #untilFreed(ms: number, signal: AbortSignal): Promise<void> {
    const freed = new AbortController();
    this.#waiting.add(freed);
    try {
      await pause(ms, undefined, { signal: AbortSignal.any([signal, freed.signal]) });
    } catch {
      // Throws if the request was aborted. Otherwise a slot was released.
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
        if (leave()) void this.#free({ id, project });
      },
    };
  }

  async #free({ id, project }: SlotRequest, pool = this.#pool, end = ''): Promise<void> {
    await this.#run(FREE, [id, project, pool, end]);
  }

  async #renew(): Promise<void> {
    if (!this.#isOffered && this.#projectBySession.size === 0) return;
    await this.#run(RENEW, [...this.#offered, ...this.#claims]);
  }

  /** This server's pool for Redis. The capacity changes when a Grid node joins, and is 0 once the pool is withdrawn. */
  get #offered(): readonly (string | number)[] {
    const capacity = this.#isWithdrawn ? 0 : this.#parts.limits.capacity;
    return [this.#pool, this.#group, this.#address, capacity, this.#claim];
  }

  /**
   * Session id and project of each slot. Sent with every offer, so that other servers never see a pool without its
   * claims.
   */
  get #claims(): readonly string[] {
    return [...this.#projectBySession].flat();
  }

  /**
   * Returns `undefined` if Redis is unreachable. Slots to be freed then expire, and slots in use are claimed again
   * later.
   */
  async #run(program: string, values: readonly (string | number)[]): Promise<string | undefined> {
    try {
      return await this.#redis.run(program, values);
    } catch {
      // `RedisConnection` has logged the error.
      return undefined;
    }
  }
}

function redisUnavailable(): PlatformError {
  return new PlatformError('unavailable', 'The platform cannot count its sessions now. Try again in a moment.', {
    retryAfter: 1,
  });
}
