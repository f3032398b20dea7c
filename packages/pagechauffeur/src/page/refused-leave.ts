import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { deferred } from '../util/deferred.ts';

/** Watches whether a page that is to be left or closed asks by a `beforeunload` dialog, and is told to stay. */
export class RefusedLeave implements Disposable {
  readonly #page: PageTarget;
  readonly #stop: () => void;
  readonly #refused = deferred<void>();

  constructor(page: PageTarget) {
    this.#page = page;
    this.#stop = page.events.on('dialog', (dialog) => void this.#watch(dialog));
  }

  /** Settled when the page stays and does again what it is told. */
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
   * The browser drops a navigation, without a word, that is asked for before it heard from the page's processes that they
   * stay. It has heard of it when they answer something else.
   */
  async #goesOn(): Promise<void> {
    const answers = this.#page.sessions.map((session) => session.send('Runtime.evaluate', { expression: '0' }));
    await Promise.allSettled(answers);
  }
}
