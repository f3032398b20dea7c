import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LeaseStore } from '../store/store.ts';

/** Renewals per lease timeout. Three may fail. */
const RENEWALS_IN_TIME = 4;
/** Only one server uses an embedded store, so its lease does not expire. */
const FOREVER_MS = 100 * 365 * 24 * 3600 * 1000;

interface LeaseParts {
  readonly store: LeaseStore;
  readonly log: PlatformLog;
  /** Milliseconds without a renewal after which other servers take over the sessions. */
  readonly timeout: number;
  /** Drops every session, because other servers own them now. */
  readonly onLoss: () => Promise<void>;
}

/**
 * This server's lease in the store. The server owns sessions under the lease's id while it renews the lease in time.
 */
export class ServerLease {
  readonly #parts: LeaseParts;
  #owner: string | undefined;
  #address = '';
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;
  #losses = 0;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Id of the lease. Throws `unavailable` while the server has none. */
  get owner(): string {
    if (this.#owner !== undefined) return this.#owner;
    throw new PlatformError('unavailable', 'This server is not ready. Try again in a moment.', { retryAfter: 1 });
  }

  /** True while this server owns its sessions. */
  get isHeld(): boolean {
    return this.#owner !== undefined;
  }

  /** How often other servers have taken over this server's sessions. */
  get losses(): number {
    return this.#losses;
  }

  /** Milliseconds after which a lease expires without a renewal. */
  get timeout(): number {
    return this.#parts.timeout;
  }

  /** Acquires a lease and keeps renewing it. `address` is the URL for other servers. */
  async begin(address: string): Promise<void> {
    const { store, timeout } = this.#parts;
    this.#address = address;
    this.#owner = await store.addLease(address, store.isShared ? timeout : FOREVER_MS);
    if (!store.isShared) return;
    this.#timer = setInterval(() => void this.#renewSafely(), timeout / RENEWALS_IN_TIME);
    this.#timer.unref();
  }

  /** Gives up the lease, so that other servers take over the remaining sessions. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    const owner = this.#owner;
    this.#owner = undefined;
    if (owner !== undefined) await this.#parts.store.endLease(owner);
  }

  /** Renews the lease. If another server has ended it, drops all sessions and acquires a new one. */
  async renew(): Promise<void> {
    const { store, log, timeout, onLoss } = this.#parts;
    const owner = this.#owner;
    if (owner === undefined || (await store.renewLease(owner, timeout)) || this.#owner !== owner) return;
    log.error({ owner }, 'lost the lease; other servers have taken over');
    this.#losses += 1;
    this.#owner = undefined;
    await onLoss();
    this.#owner = await store.addLease(this.#address, timeout);
  }

  async #renewSafely(): Promise<void> {
    try {
      await this.renew();
      this.#isLate = false;
    } catch (error) {
      const facts = { reason: reasonOf(error) };
      if (!this.#isLate) this.#parts.log.warn(facts, 'cannot renew the lease; trying again');
      this.#isLate = true;
    }
  }
}
