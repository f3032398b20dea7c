import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { deferred } from '../util/deferred.ts';

/** Detects that a page stays open because its `beforeunload` dialog was declined. */
export class RefusedLeave implements Disposable {
  readonly #page: PageTarget;
  readonly #stop: () => void;
  readonly #refused = deferred<void>();

  constructor(page: PageTarget) {
    this.#page = page;
    this.#stop = page.events.on('dialog', (dialog) => void this.#watch(dialog));
  }

  /** Resolves when the page stays and accepts commands again. */
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
    await this.#goesOn();
    this.#refused.resolve();
  }

  /**
   * The browser silently drops a navigation that is requested before the page's processes report that they stay. If they answer another
   * command, they have reported it.
   */
  async #goesOn(): Promise<void> {
    const answers = this.#page.sessions.map((session) => session.send('Runtime.evaluate', { expression: '0' }));
    await Promise.allSettled(answers);
  }
}
