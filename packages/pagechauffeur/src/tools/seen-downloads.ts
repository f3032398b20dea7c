import type { Download } from '../page/download.ts';
import type { Page } from '../page/page.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Downloads of the pages of a run, from the time at which the run uses the page. */
export class SeenDownloads implements Disposable {
  readonly #stops = new Map<Page, () => void>();
  /** Downloads that were not requested yet, oldest first. */
  readonly #waiting: Download[] = [];
  readonly #paths = new Set<string>();
  #next: Deferred<void> = deferred();

  /** Records this page's downloads from now on. */
  watch(page: Page): void {
    if (this.#stops.has(page)) return;
    const listener = (download: Download): void => this.#add(download);
    page.on('download', listener);
    this.#stops.set(page, () => page.off('download', listener));
  }

  /** The oldest download that was not requested yet. Waits up to `timeout` ms, then returns `undefined`. */
  async next(progress: Progress, timeout: number): Promise<Download | undefined> {
    if (this.#waiting.length === 0) await progress.race(withTimeout(timeout, this.#next.promise));
    return this.#waiting.shift();
  }

  /** Records the path of a downloaded file. */
  notePath(path: string): void {
    this.#paths.add(path);
  }

  /** True if a downloaded file has this path. */
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
