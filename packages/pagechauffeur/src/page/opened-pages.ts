import { type Deferred, deferred } from '../util/deferred.ts';
import type { Page } from './page.ts';

/** The page that opened last and was not used yet, for example by a click that opens a tab. */
export class OpenedPages {
  #latest: Page | undefined;
  #isInUse = false;
  #next: Deferred<void> = deferred();

  /** Records a page that opened. */
  add(page: Page): void {
    this.#latest = page;
    this.#isInUse = false;
    this.#next.resolve();
    this.#next = deferred();
  }

  /** Records that a page is in use or has closed. */
  remove(page: Page): void {
    if (this.#latest === page) this.#latest = undefined;
  }

  /** Records a call on a page. A call on another page than the one that opened means that the user has moved on. */
  noteCall(page: Page): void {
    if (page === this.#latest) this.#isInUse = true;
    else if (this.#isInUse) this.#latest = undefined;
  }

  /** True if such a page exists. */
  get isAvailable(): boolean {
    return this.#latest !== undefined;
  }

  /** Resolves when such a page exists. */
  async available(): Promise<void> {
    while (!this.#latest) await this.#next.promise;
  }

  /** Returns the page and marks it as used. */
  take(): Page | undefined {
    const page = this.#latest;
    this.#latest = undefined;
    return page;
  }
}
