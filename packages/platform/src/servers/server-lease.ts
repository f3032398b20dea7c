import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LeaseStore } from '../store/store.ts';

/** Three renewals may fail before the fourth is too late. */
const RENEWALS_IN_TIME = 4;
/** An embedded store has no other server. */
const FOREVER_MS = 100 * 365 * 24 * 3600 * 1000;

interface LeaseParts {
  readonly store: LeaseStore;
  readonly log: PlatformLog;
  /** A server without a sign of life for this many milliseconds is lost, and others take over its sessions. */
  readonly timeout: number;
  /** Drops every session: other servers own them now. */
  readonly onLoss: () => Promise<void>;
}

/** This server's lease. Under its id the server owns sessions, as long as it renews the lease. */
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

  /** The id of the lease. Throws `unavailable` while there is none; this is temporary. */
  get owner(): string {
    if (this.#owner !== undefined) return this.#owner;
    throw new PlatformError('unavailable', 'This server is starting. Try again in a moment.', { retryAfter: 1 });
  }

  /** True if this server still owns its sessions. */
  get isHeld(): boolean {
    return this.#owner !== undefined;
  }

  /** How often other servers took over this server's sessions. */
  get losses(): number {
    return this.#losses;
  }

  /** Milliseconds after which a silent server is lost. */
  get timeout(): number {
    return this.#parts.timeout;
  }

  /** Acquires a lease for a server with this URL, and keeps renewing it. */
  async begin(address: string): Promise<void> {
    const { store, timeout } = this.#parts;
    this.#address = address;
    this.#owner = await store.addLease(address, store.isShared ? timeout : FOREVER_MS);
    if (!store.isShared) return;
    this.#timer = setInterval(() => void this.#renewSafely(), timeout / RENEWALS_IN_TIME);
    this.#timer.unref();
  }

  /** Gives the lease up. Other servers take over the remaining sessions. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    const owner = this.#owner;
    this.#owner = undefined;
    if (owner !== undefined) await this.#parts.store.endLease(owner);
  }

  /** Renews the lease. If that is too late, drops all sessions and acquires a new one. */
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
