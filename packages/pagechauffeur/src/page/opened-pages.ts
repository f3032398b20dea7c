import { type Deferred, deferred } from '../util/deferred.ts';
import type { Page } from './page.ts';

/** The page that opened last and that nobody has taken up yet, which is what a click that opens a tab is followed by. */
export class OpenedPages {
  #latest: Page | undefined;
  #isInUse = false;
  #next: Deferred<void> = deferred();

  /** A page has opened. */
  add(page: Page): void {
    this.#latest = page;
    this.#isInUse = false;
    this.#next.resolve();
    this.#next = deferred();
  }

  /** Somebody has the page in hand, or it has closed. */
  remove(page: Page): void {
    if (this.#latest === page) this.#latest = undefined;
  }

  /** A call begins on a page. Who has worked with the one that opened, and then works with another, has moved on. */
  noteCall(page: Page): void {
    if (page === this.#latest) this.#isInUse = true;
    else if (this.#isInUse) this.#latest = undefined;
  }

  /** Whether there is one. */
  get isAvailable(): boolean {
    return this.#latest !== undefined;
  }

  /** Settled when there is one. */
  async available(): Promise<void> {
    while (!this.#latest) await this.#next.promise;
  }

  /** The page, if there is one; whoever asks has it in hand from then on. */
  take(): Page | undefined {
    const page = this.#latest;
    this.#latest = undefined;
    return page;
  }
}
