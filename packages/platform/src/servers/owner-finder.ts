import { setTimeout as pause } from 'node:timers/promises';
import { PlatformError } from '../errors.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Store } from '../store/store.ts';
import type { ServerLease } from './server-lease.ts';

interface FinderParts {
  readonly store: Store;
  readonly sessionManager: SessionManager;
  readonly lease: ServerLease;
  /** Takes over the sessions that have no owner. */
  readonly takeOver: () => Promise<void>;
}

/** When the owner of a session has died, another one is known so long after its lease has ended. */
const PATIENCE_MS = 5000;
/** Nothing tells a server that another has ended. */
const PAUSE_MS = 250;

/** Finds the server that has the browser of a session. */
export class OwnerFinder {
  readonly #parts: FinderParts;

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /**
   * Has a session served where its browser is: here, or by the server at the address. `reach` says whether that server
   * answered; when it did not, it may be about to lose its sessions to another, which is waited for.
   */
  async serve(id: string, { here, reach }: Serving): Promise<void> {
    const end = performance.now() + this.#parts.lease.timeout + PATIENCE_MS;
    for (;;) {
      const address = await this.#addressOf(id);
      if (address === undefined) return here();
      if (await reach(address)) return;
      if (performance.now() > end)
        throw new PlatformError('unavailable', 'The server of this session does not answer.', { retryAfter: 1 });
      await pause(PAUSE_MS);
    }
  }

  /** Where another server is reached that has the session; undefined when it is here, or nowhere. */
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

  /** Another server may have been faster; one whose lease still has to end has no address for so long. */
  async #addressAfterTakeOver(id: string): Promise<string | undefined> {
    const { store, lease, sessionManager } = this.#parts;
    const row = await store.session(id);
    if (!row || row.endedAt !== undefined) return undefined;
    if (row.owner !== lease.owner) return (await store.leaseAddress(row.owner)) ?? NOBODY;
    await sessionManager.settled(id);
    return undefined;
  }
}

/** What is done with a request for a session. */
export interface Serving {
  readonly here: () => Promise<void>;
  readonly reach: (address: string) => Promise<boolean>;
}

/** Reaches no one. */
const NOBODY = '';
