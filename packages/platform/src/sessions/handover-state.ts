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

/** Stores facts about a session that only its server knows, for a server that takes the session over. */
export class HandoverState {
  readonly #parts: HandoverStateParts;

  constructor(parts: HandoverStateParts) {
    this.#parts = parts;
  }

  /** Stores the node of the browser, which the Grid reports a moment after the start. */
  async noteNode({ row, browser }: LiveSession): Promise<void> {
    await this.#write(row.id, async () => {
      const node = await browser.node?.();
      if (node !== undefined) await this.#parts.store.changeSession(row, { node });
    });
  }

  /** Stores a download that started or ended. */
  addDownload({ sessionId, handle }: RentedBrowser, download: DownloadRow): void {
    if (handle === undefined) return;
    void this.#write(sessionId, () => this.#parts.store.records.putDownload(sessionId, download));
  }

  /** Returns control to the previous operator if they come back, and stores later changes of control. */
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
