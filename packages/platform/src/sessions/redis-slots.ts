import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { PartState } from '../reachability.ts';
import { RedisConnection } from './redis-connection.ts';
import { FREE, RENEW, TAKE, WITHDRAW } from './slot-scripts.ts';
import { noPlace, type Place, type SlotLimits, type SlotRequest, type Slots } from './slots.ts';

interface RedisSlotsParts {
  readonly url: string;
  readonly limits: SlotLimits;
  /**
   * Servers of the same pool share its capacity. Default: a separate pool, from which other servers may also take
   * places.
   */
  readonly pool?: string;
  readonly log: PlatformLog;
  /** A place that is not claimed again within this many milliseconds is free: its server is lost. */
  readonly claim?: number;
  /** How long to try to connect at start. */
  readonly timeout?: number;
}

const CLAIM_MS = 15_000;
/** Three claims may fail before the fourth is too late. */
const CLAIMS_IN_TIME = 4;
const TIMEOUT_MS = 10_000;
/** Polling interval of queued requests in ms. No event reports that the slots of a lost server are free. */
const ASK_AGAIN_MS = 1000;
const WAITING_MS = 5000;
const FREED = '{chauffeur}:freed';
/** Group of servers that run browsers on their own machines. */
const OWN_GROUP = 'own';

const answerFormat = z.object({
  state: z.enum(['taken', 'wait capacity', 'wait quota', 'full capacity', 'full quota']),
  /** The pool of the place, and the URL of its server. */
  pool: z.string().optional(),
  address: z.string().optional(),
  /** When the request arrived, which determines its position in the queue. */
  turn: z.string(),
});

/**
 * The places of several servers, counted in Redis. Each server claims its own repeatedly, so lost data in Redis is
 * restored.
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
  /** URL of this server for the others. */
  #address = '';
  #isOffered = false;
  #isWithdrawn = false;
  /** Counts freed places. */
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

  /** Connects. Rejects with `unavailable` if Redis does not answer. */
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

  /** Waits for a place. Returns true if the place is here, false if another server has answered the request. */
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
      } else if (answer === undefined && isLate) throw away();
      else if (answer && (isLate || answer.state.startsWith('full')))
        throw noPlace(this.#parts.limits, answer.state.endsWith('capacity'));
      // Otherwise a place became free during the request, and the event may have been missed.
      if (freed === this.#freed) await this.#untilFreed(Math.min(ASK_AGAIN_MS, end - performance.now()), signal);
    }
  }

  async #ask({ id, project, passOn }: SlotRequest, turn: string): Promise<z.output<typeof answerFormat> | undefined> {
    const { perProject, queuePerProject } = this.#parts.limits;
    const mayGoElsewhere = passOn !== undefined || this.#group !== OWN_GROUP ? 'elsewhere' : '';
    const limits = [perProject, queuePerProject, WAITING_MS];
    const answer = await this.#run(TAKE, [
      ...this.#offered,
      id,
      project,
      turn,
      ...limits,
      mayGoElsewhere,
      ...this.#claims,
    ]);
    return answer === undefined ? undefined : answerFormat.parse(JSON.parse(answer));
  }

  /**
   * Forwards the request to the server that owns the slot. Returns false and frees the slot if that server is unavailable; the caller
   * then takes another slot.
   */
  async #isPassedOn(
    request: SlotRequest,
    { pool, address = '' }: z.output<typeof answerFormat>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const outcome = (await request.passOn?.(address, request.id)) ?? 'unavailable';
    // The other server notices that the client disconnected and frees its place itself.
    signal.throwIfAborted();
    if (outcome !== 'begun') await this.#free(request, pool, outcome === 'unavailable' ? 'withdrawn' : '');
    return outcome !== 'unavailable';
  }

  /** Waits until a place is freed anywhere, at most for the given time. */
  async #untilFreed(ms: number, signal: AbortSignal): Promise<void> {
    const freed = new AbortController();
    this.#waiting.add(freed);
    try {
      await pause(ms, undefined, { signal: AbortSignal.any([signal, freed.signal]) });
    } catch {
      // An aborted request rejects with its own reason. The other signal is the awaited event.
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

  /**
   * This server's current pool: a Grid gains places when a node joins, and a server that shuts down has none for new
   * sessions.
   */
  get #offered(): readonly (string | number)[] {
    const capacity = this.#isWithdrawn ? 0 : this.#parts.limits.capacity;
    return [this.#pool, this.#group, this.#address, capacity, this.#claim];
  }

  /** Id and project of each place here. Each offer contains them, so that other servers never know a pool without them. */
  get #claims(): readonly string[] {
    return [...this.#projectBySession].flat();
  }

  /** Returns `undefined` if Redis is unreachable: claims to be freed expire, and held ones are claimed again. */
  async #run(program: string, values: readonly (string | number)[]): Promise<string | undefined> {
    try {
      return await this.#redis.run(program, values);
    } catch {
      // The connection has logged it once.
      return undefined;
    }
  }
}

function away(): PlatformError {
  return new PlatformError('unavailable', 'The platform cannot count its sessions now. Try again in a moment.', {
    retryAfter: 1,
  });
}
