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
  /** This server; rows of others are not touched but by {@link Reconciler.takeOver}. */
  readonly lease: { readonly owner: string; readonly timeout: number };
}

const EVERY_MS = 20_000;
/** A server that ends in order leaves its sessions to the first that looks; that is so often while a lease lasts. */
const LOOKS_PER_LEASE = 4;
/** A session that begins is in the store before it has a browser, and a browser runs before its session is known. */
const YOUNG_MS = 60_000;
const KEEP_ENDED_MS = 30 * 24 * 3600 * 1000;

/** Ends what has no owner: rows without a browser, browsers without a session. */
export class Reconciler implements Disposable {
  readonly #parts: ReconcilerParts;
  readonly #timers: readonly NodeJS.Timeout[];
  #isFailing = false;
  #takingOver: Promise<void> | undefined;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#timers = [this.#every(EVERY_MS, () => this.run())];
    if (parts.store.isShared)
      this.#timers = [...this.#timers, this.#every(parts.lease.timeout / LOOKS_PER_LEASE, () => this.takeOver())];
  }

  /** Goes on with the sessions of servers that are lost, as far as their browsers live, and ends the others. */
  takeOver(): Promise<void> {
    return (this.#takingOver ??= this.#takeOver().finally(() => (this.#takingOver = undefined)));
  }

  /** Looks once. */
  async run(now: number = Date.now()): Promise<void> {
    const { store, backend, sessionManager, lease, log } = this.#parts;
    for (const row of await store.liveSessions(lease.owner)) {
      if (sessionManager.live.has(row.id) || sessionManager.isSettling(row.id) || now - row.createdAt < YOUNG_MS)
        continue;
      log.warn({ session: row.id }, 'session without a browser');
      await sessionManager.end(row.id, { status: 'ERROR', reason: 'Its browser was lost.' });
    }
    const browsers = await backend.running();
    const live = await store.liveAmong(browsers.map(({ sessionId }) => sessionId));
    for (const browser of browsers) {
      if (live.has(browser.sessionId)) continue;
      log.warn({ session: browser.sessionId }, 'browser without a session');
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
    if (rows.length > 0) log.warn({ sessions: rows.length }, 'taking over the sessions of a server that is lost');
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
      if (!this.#isFailing) this.#parts.log.error({ reason: reasonOf(error) }, 'the reconciler failed; it tries again');
      this.#isFailing = true;
    }
  }
}
