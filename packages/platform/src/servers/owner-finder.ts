import { setTimeout as pause } from 'node:timers/promises';
import { PlatformError } from '../errors.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Store } from '../store/store.ts';
import type { ServerLease } from './server-lease.ts';

interface FinderParts {
  readonly store: Store;
  readonly sessionManager: SessionManager;
  readonly lease: ServerLease;
  /** Takes over sessions without an owner. */
  readonly takeOver: () => Promise<void>;
}

/** Time after the end of a dead server's lease until its sessions have a new owner. */
const TIMEOUT_MS = 5000;
/** Polling interval. No event reports that a server has ended. */
const PAUSE_MS = 250;

/** Finds the server that owns a session's browser. */
export class OwnerFinder {
  readonly #parts: FinderParts;

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /**
   * Serves a session on the server of its browser: this one, or the one at the URL. `reach` returns true if that server answered. If it did
   * not, it may be about to lose its sessions, so this method waits for the new owner.
   */
  async serve(id: string, { here, reach }: Serving): Promise<void> {
    const end = performance.now() + this.#parts.lease.timeout + TIMEOUT_MS;
    for (;;) {
      const address = await this.#addressOf(id);
      if (address === undefined) return here();
      if (await reach(address)) return;
      if (performance.now() > end)
        throw new PlatformError('unavailable', 'The server of this session does not respond.', { retryAfter: 1 });
      await pause(PAUSE_MS);
    }
  }

  /**
   * Returns the URL of the other server that owns the session. Resolves with `undefined` if it is this one, or none.
   */
  async #addressOf(id: string): Promise<string | undefined> {
    const { store, sessionManager, lease, takeOver } = this.#parts;
    if (sessionManager.live.has(id)) return undefined;
    const row = await store.session(id);
    if (!row || row.endedAt !== undefined) return undefined;
    if (row.owner === lease.owner) {
      await sessionManager.settled(id);
      return undefined;
    }
    const address = await store.leaseAddress(row.owner);
    if (address !== undefined) return address;
    await takeOver();
    return this.#addressAfterTakeOver(id);
  }

  /** Another server may have taken over first. While its lease is not active yet, it has no URL. */
  async #addressAfterTakeOver(id: string): Promise<string | undefined> {
    const { store, lease, sessionManager } = this.#parts;
    const row = await store.session(id);
    if (!row || row.endedAt !== undefined) return undefined;
    if (row.owner !== lease.owner) return (await store.leaseAddress(row.owner)) ?? NOBODY;
    await sessionManager.settled(id);
    return undefined;
  }
}

/** How to serve a request for a session. */
export interface Serving {
  readonly here: () => Promise<void>;
  readonly reach: (address: string) => Promise<boolean>;
}

/** URL of no server. */
const NOBODY = '';
