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
  /** This server. Rows of other servers change only in {@link Reconciler.takeOver}. */
  readonly lease: { readonly owner: string; readonly timeout: number };
}

const EVERY_MS = 20_000;
/** An orderly shutdown leaves sessions to the first server that checks. Servers check this often per lease. */
const LOOKS_PER_LEASE = 4;
/** A starting session is stored before it has a browser, and a browser runs before its session is stored. */
const YOUNG_MS = 60_000;
const KEEP_ENDED_MS = 30 * 24 * 3600 * 1000;

/** Removes inconsistencies: sessions without a browser, and browsers without a session. */
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

  /** Takes over the sessions of lost servers whose browsers live, and ends the others. */
  takeOver(): Promise<void> {
    return (this.#takingOver ??= this.#takeOver().finally(() => (this.#takingOver = undefined)));
  }

  /** Runs one check. */
  async run(now: number = Date.now()): Promise<void> {
    const { store, backend, sessionManager, lease, log } = this.#parts;
    for (const row of await store.liveSessions(lease.owner)) {
      if (sessionManager.live.has(row.id) || sessionManager.isSettling(row.id) || now - row.createdAt < YOUNG_MS)
        continue;
      log.warn({ session: row.id }, 'session without a browser');
      await sessionManager.end(row.id, { status: 'ERROR', reason: 'The browser was lost.' });
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
