import type { BrowserBackend } from '../browsers/browser-backend.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { Store } from '../store/store.ts';
import type { SessionDesk } from './session-desk.ts';

interface ReconcilerParts {
  readonly store: Store;
  readonly backend: BrowserBackend;
  readonly desk: SessionDesk;
  readonly log: PlatformLog;
  /** This server; rows of others are not touched but by {@link takeOverRows}. */
  readonly owner: string;
}

const EVERY_MS = 20_000;
/** A session that begins is in the store before it has a browser, and a browser runs before its session is known. */
const YOUNG_MS = 60_000;
const KEEP_ENDED_MS = 30 * 24 * 3600 * 1000;

/** Ends what has no owner: rows without a browser, browsers without a session. */
export class Reconciler implements Disposable {
  readonly #parts: ReconcilerParts;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#runSafely(), EVERY_MS);
    this.#timer.unref();
  }

  /** Ends the rows of a server that had this store before: with an embedded store there is no other server. */
  async takeOverRows(): Promise<void> {
    const { store, desk, owner } = this.#parts;
    const left = (await store.liveSessions()).filter((row) => row.owner !== owner);
    for (const { id } of left) await desk.end(id, { status: 'ERROR', reason: 'Its server ended.' });
  }

  /** Looks once. */
  async run(now: number = Date.now()): Promise<void> {
    const { store, backend, desk, owner, log } = this.#parts;
    for (const row of await store.liveSessions()) {
      if (row.owner !== owner || desk.live.has(row.id) || now - row.createdAt < YOUNG_MS) continue;
      log.warn({ session: row.id }, 'session without a browser');
      await desk.end(row.id, { status: 'ERROR', reason: 'Its browser was lost.' });
    }
    for (const browser of await backend.running()) {
      const row = await store.session(browser.sessionId);
      if (row?.status === 'RUNNING' || row?.status === 'PENDING') continue;
      log.warn({ session: browser.sessionId }, 'browser without a session');
      await browser.end();
    }
    await store.prune(now, now - KEEP_ENDED_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #runSafely(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.#parts.log.error({ reason: reasonOf(error) }, 'the reconciler failed; it tries again');
    }
  }
}
