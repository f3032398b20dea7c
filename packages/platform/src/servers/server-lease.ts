import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LeaseStore } from '../store/store.ts';

/** Three signs of life may fail before the fourth is too late. */
const RENEWALS_IN_TIME = 4;
/** With an embedded store there is nobody to take anything over. */
const FOREVER_MS = 100 * 365 * 24 * 3600 * 1000;

interface LeaseParts {
  readonly store: LeaseStore;
  readonly log: PlatformLog;
  /** A server that has not been heard of for so many milliseconds is lost, and others take over what it had. */
  readonly timeout: number;
  /** Lets go of every session: others own them now. */
  readonly onLoss: () => Promise<void>;
}

/** This server's lease: under its number it owns sessions, as long as it says now and then that it lives. */
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

  /** The number of the lease; `unavailable` while there is none, which passes. */
  get owner(): string {
    if (this.#owner !== undefined) return this.#owner;
    throw new PlatformError('unavailable', 'This server has just begun. Try again in a moment.', { retryAfter: 1 });
  }

  /** Whether this server owns what it has. */
  get isHeld(): boolean {
    return this.#owner !== undefined;
  }

  /** How often others have taken over what this server had. */
  get losses(): number {
    return this.#losses;
  }

  /** Milliseconds after which a server is lost that says nothing. */
  get timeout(): number {
    return this.#parts.timeout;
  }

  /** Takes a lease for a server that others reach at this address, and keeps it. */
  async begin(address: string): Promise<void> {
    const { store, timeout } = this.#parts;
    this.#address = address;
    this.#owner = await store.addLease(address, store.isShared ? timeout : FOREVER_MS);
    if (!store.isShared) return;
    this.#timer = setInterval(() => void this.#renewSafely(), timeout / RENEWALS_IN_TIME);
    this.#timer.unref();
  }

  /** Gives the lease up: whatever it still owns is for others to take over. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    const owner = this.#owner;
    this.#owner = undefined;
    if (owner !== undefined) await this.#parts.store.endLease(owner);
  }

  /** Says once that this server lives. When that came too late, it lets go of what it had, and begins anew. */
  async renew(): Promise<void> {
    const { store, log, timeout, onLoss } = this.#parts;
    const owner = this.#owner;
    if (owner === undefined || (await store.renewLease(owner, timeout)) || this.#owner !== owner) return;
    log.error({ owner }, 'the lease was lost; others have taken over');
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
      if (!this.#isLate) this.#parts.log.warn(facts, 'the lease could not be renewed; it is tried again');
      this.#isLate = true;
    }
  }
}
