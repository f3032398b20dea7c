import { setTimeout as pause } from 'node:timers/promises';
import { PlatformError } from '../errors.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Store } from '../store/store.ts';
import type { ServerLease } from './server-lease.ts';

interface FinderParts {
  readonly store: Store;
  readonly sessionManager: SessionManager;
  readonly lease: ServerLease;
  readonly takeOver: () => Promise<void>;
}

/** How long a takeover may take after the dead server's lease expires. */
const TIMEOUT_MS = 5000;
/** Polling interval: nothing reports that a server has died. */
const PAUSE_MS = 250;

/** Finds the server that runs a session's browser. */
export class OwnerFinder {
  readonly #parts: FinderParts;

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /**
   * Calls `handleLocally` if this server owns the session, otherwise `reach` with the owner's URL. If the owner does
   * not respond, its sessions may soon be taken over: retries with the current owner until the lease timeout plus 5 s
   * have passed.
   */
  async serve(id: string, { handleLocally, reach }: Serving): Promise<void> {
    const end = performance.now() + this.#parts.lease.timeout + TIMEOUT_MS;
    for (;;) {
      const address = await this.#addressOf(id);
      if (address === undefined) return handleLocally();
      if (await reach(address)) return;
      if (performance.now() > end)
        throw new PlatformError(
          'unavailable',
          'The server that runs this session does not respond. Try again in a moment.',
          { retryAfter: 1 },
        );
      await pause(PAUSE_MS);
    }
  }

  /**
   * Returns the URL of another server that owns the session. Resolves with `undefined` if this server owns it, or if it
   * has ended or does not exist.
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

  /** Another server may have taken over first. Returns `NOBODY` if the owner's lease has expired. */
  async #addressAfterTakeOver(id: string): Promise<string | undefined> {
    const { store, lease, sessionManager } = this.#parts;
    const row = await store.session(id);
    if (!row || row.endedAt !== undefined) return undefined;
    if (row.owner !== lease.owner) return (await store.leaseAddress(row.owner)) ?? NOBODY;
    await sessionManager.settled(id);
    return undefined;
  }
}

/**
 * `handleLocally` serves a request on this server. `reach` forwards it, and resolves with false if the other server is
 * unavailable.
 */
export interface Serving {
  readonly handleLocally: () => Promise<void>;
  readonly reach: (address: string) => Promise<boolean>;
}

/** Address of an owner without a URL. `reach` fails, so that `serve` retries. */
const NOBODY = '';
