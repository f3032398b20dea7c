import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { deferred } from '../util/deferred.ts';

/** Detects that a page was neither left nor closed, because its `beforeunload` dialog was dismissed. */
export class RefusedLeave implements Disposable {
  readonly #page: PageTarget;
  readonly #stop: () => void;
  readonly #refused = deferred<void>();

  constructor(page: PageTarget) {
    this.#page = page;
    this.#stop = page.events.on('dialog', (dialog) => void this.#watch(dialog));
  }

  /** Resolves once the dialog was dismissed and the page can navigate again. */
  get stayed(): Promise<void> {
    return this.#refused.promise;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  async #watch(dialog: OpenDialog): Promise<void> {
    if (dialog.type !== 'beforeunload') return;
    await dialog.closed;
    if (dialog.isGone || dialog.outcome !== 'dismissed') return;
    await this.#untilProcessesReport();
    this.#refused.resolve();
  }

  /**
   * Waits until the page's processes have reported that the page stays: before that, the browser silently drops
   * navigations. They respond to another command only after that report.
   */
  async #untilProcessesReport(): Promise<void> {
    const answers = this.#page.sessions.map((session) => session.send('Runtime.evaluate', { expression: '0' }));
    await Promise.allSettled(answers);
  }
}
