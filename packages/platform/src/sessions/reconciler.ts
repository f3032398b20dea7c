import type { BrowserBackend } from '../browsers/browser-backend.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { Store } from '../store/store.ts';
import type { SessionManager } from './session-manager.ts';

interface ReconcilerParts {
  readonly store: Store;
  readonly backend: BrowserBackend;
  readonly sessionManager: SessionManager;
  readonly log: PlatformLog;
  /** This server's lease. Only {@link Reconciler.takeOver} changes sessions of other servers. */
  readonly lease: { readonly owner: string; readonly timeout: number };
}

const EVERY_MS = 20_000;
/**
 * A server that shuts down leaves its sessions without an owner. Other servers check for them this often per lease
 * timeout.
 */
const CHECKS_PER_LEASE = 4;
/** Skips younger sessions: a starting session is stored before it has a browser. */
const MIN_AGE_MS = 60_000;
const KEEP_ENDED_MS = 30 * 24 * 3600 * 1000;

/**
 * Makes the store and the browsers consistent after crashes, every 20 s, and takes over the sessions of dead servers.
 */
export class Reconciler implements Disposable {
  readonly #parts: ReconcilerParts;
  readonly #timers: readonly NodeJS.Timeout[];
  #isFailing = false;
  #takingOver: Promise<void> | undefined;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#timers = [this.#every(EVERY_MS, () => this.run())];
    if (parts.store.isShared)
      this.#timers = [...this.#timers, this.#every(parts.lease.timeout / CHECKS_PER_LEASE, () => this.takeOver())];
  }

  /**
   * Adopts the sessions of dead servers if their browsers still run, and ends the others. Concurrent calls share one
   * run.
   */
  takeOver(): Promise<void> {
    return (this.#takingOver ??= this.#takeOver().finally(() => (this.#takingOver = undefined)));
  }

  /**
   * Ends sessions without a browser and browsers without a session. Deletes sessions that ended more than 30 days ago.
   */
  async run(now: number = Date.now()): Promise<void> {
    const { store, backend, sessionManager, lease, log } = this.#parts;
    for (const row of await store.liveSessions(lease.owner)) {
      if (sessionManager.live.has(row.id) || sessionManager.isSettling(row.id) || now - row.createdAt < MIN_AGE_MS)
        continue;
      log.warn({ session: row.id }, 'ending a session whose browser is gone');
      await sessionManager.end(row.id, { status: 'ERROR', reason: 'The browser was lost.' });
    }
    const browsers = await backend.running();
    const live = await store.liveAmong(browsers.map(({ sessionId }) => sessionId));
    for (const browser of browsers) {
      if (live.has(browser.sessionId)) continue;
      log.warn({ session: browser.sessionId }, 'ending a browser that no session uses');
      await browser.end();
    }
    await store.prune(now, now - KEEP_ENDED_MS);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #takeOver(): Promise<void> {
    const { store, backend, sessionManager, lease, log } = this.#parts;
    const how = { heldFor: lease.timeout, canAdopt: backend.adopt !== undefined };
    const rows = await store.takeOver(lease.owner, how);
    if (rows.length > 0) log.warn({ sessions: rows.length }, 'taking over the sessions of a lost server');
    await Promise.all(rows.map((row) => sessionManager.adopt(row)));
  }

  #every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
    const timer = setInterval(() => void this.#safely(work), ms);
    return timer.unref();
  }

  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#parts.log.error({ reason: reasonOf(error) }, 'reconciler failed; trying again');
      this.#isFailing = true;
    }
  }
}
