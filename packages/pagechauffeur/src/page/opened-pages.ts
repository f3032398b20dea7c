import { type Deferred, deferred } from '../util/deferred.ts';
import type { Page } from './page.ts';

/** Remembers the page that opened last, for example by a click on a link, until a call uses it. */
export class OpenedPages {
  #latest: Page | undefined;
  #isInUse = false;
  #next: Deferred<void> = deferred();

  add(page: Page): void {
    this.#latest = page;
    this.#isInUse = false;
    this.#next.resolve();
    this.#next = deferred();
  }

  /** Forgets a page that is in use or has closed. */
  remove(page: Page): void {
    if (this.#latest === page) this.#latest = undefined;
  }

  /**
   * A call on another page, after one on the opened page, means that the caller has moved on: the opened page is
   * forgotten.
   */
  noteCall(page: Page): void {
    if (page === this.#latest) this.#isInUse = true;
    else if (this.#isInUse) this.#latest = undefined;
  }

  get isAvailable(): boolean {
    return this.#latest !== undefined;
  }

  /** Resolves once `isAvailable` is true. */
  async available(): Promise<void> {
    while (!this.#latest) await this.#next.promise;
  }

  /** Returns the page and forgets it. */
  take(): Page | undefined {
    const page = this.#latest;
    this.#latest = undefined;
    return page;
  }
}
