import type { Download } from '../page/download.ts';
import type { Page } from '../page/page.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** Collects downloads from the pages that a run uses. */
export class SeenDownloads implements Disposable {
  readonly #stops = new Map<Page, () => void>();
  /** Downloads that {@link next} has not returned yet, oldest first. */
  readonly #waiting: Download[] = [];
  readonly #paths = new Set<string>();
  #next: Deferred<void> = deferred();

  /** Collects downloads from this page from now on. */
  watch(page: Page): void {
    if (this.#stops.has(page)) return;
    const listener = (download: Download): void => this.#add(download);
    page.on('download', listener);
    this.#stops.set(page, () => page.off('download', listener));
  }

  /** Returns the oldest new download. Waits up to `timeout` ms for one, then returns `undefined`. */
  async next(progress: Progress, timeout: number): Promise<Download | undefined> {
    if (this.#waiting.length === 0) await progress.race(withTimeout(timeout, this.#next.promise));
    return this.#waiting.shift();
  }

  notePath(path: string): void {
    this.#paths.add(path);
  }

  /** True if this run downloaded a file to this path. */
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
