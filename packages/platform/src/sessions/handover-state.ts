import type { RentedBrowser } from '../browsers/browser-backend.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { DownloadRow } from '../store/session-records.ts';
import type { Store } from '../store/store.ts';
import type { LiveSession } from './live-session.ts';

interface HandoverStateParts {
  readonly store: Store;
  readonly log: PlatformLog;
}

/** Stores what only this server knows about a session, for a server that takes the session over. */
export class HandoverState {
  readonly #parts: HandoverStateParts;

  constructor(parts: HandoverStateParts) {
    this.#parts = parts;
  }

  /** Stores the Grid node that runs the browser. The Grid reports it some seconds after the start. */
  async noteNode({ row, browser }: LiveSession): Promise<void> {
    await this.#write(row.id, async () => {
      const node = await browser.node?.();
      if (node !== undefined) await this.#parts.store.changeSession(row, { node });
    });
  }

  /** Stores a download that started or ended. Ignores browsers that no other server can adopt. */
  addDownload({ sessionId, handle }: RentedBrowser, download: DownloadRow): void {
    if (handle === undefined) return;
    void this.#write(sessionId, () => this.#parts.store.records.putDownload(sessionId, download));
  }

  /** Reserves control for the operator who had it on the previous server, and stores later changes of control. */
  trackControl({ row, browser, control }: LiveSession): void {
    if (row.seat !== undefined) {
      control.takeOver(row.seat);
      control.leave(row.seat);
    }
    if (browser.handle === undefined) return;
    let written = Promise.resolve();
    const write = (): Promise<void> =>
      this.#write(row.id, () => this.#parts.store.changeSession(row, { seat: control.seat }));
    control.watch(() => {
      // Writes run in order, so the last one wins.
      written = written.then(write);
    });
  }

  async #write(id: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#parts.log.warn({ session: id, reason: reasonOf(error) }, 'cannot store the handover state of a session');
    }
  }
}
