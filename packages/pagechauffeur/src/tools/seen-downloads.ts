import type { Download } from '../page/download.ts';
import type { Page } from '../page/page.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** The downloads of the pages that are worked on, from when they began to be. */
export class SeenDownloads implements Disposable {
  readonly #stops = new Map<Page, () => void>();
  /** Those that nobody has asked for yet, oldest first. */
  readonly #waiting: Download[] = [];
  readonly #paths = new Set<string>();
  #next: Deferred<void> = deferred();

  /** Notes this page's downloads from now on. */
  watch(page: Page): void {
    if (this.#stops.has(page)) return;
    const listener = (download: Download): void => this.#add(download);
    page.on('download', listener);
    this.#stops.set(page, () => page.off('download', listener));
  }

  /** The oldest that nobody has asked for yet, waited for this many milliseconds; undefined when none begins. */
  async next(progress: Progress, timeout: number): Promise<Download | undefined> {
    if (this.#waiting.length === 0) await progress.race(withTimeout(timeout, this.#next.promise));
    return this.#waiting.shift();
  }

  /** Notes where a file of a download lies. */
  notePath(path: string): void {
    this.#paths.add(path);
  }

  /** Whether a download lies there. */
  hasPath(path: string): boolean {
    return this.#paths.has(path);
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  #add(download: Download): void {
    this.#waiting.push(download);
    this.#next.resolve();
    this.#next = deferred();
  }
}
