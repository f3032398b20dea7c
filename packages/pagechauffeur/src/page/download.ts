import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DownloadEnd, DownloadState } from '../cdp/download-state.ts';
import { DriverError } from '../errors.ts';
import { checkOptions, checkString } from '../util/check-argument.ts';
import { isRecord } from '../util/is-record.ts';
import { makeFolder } from '../util/make-folder.ts';
import type { CallOptions } from '../util/progress.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import { reasonOf } from '../util/error-facts.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/**
 * A download that a page started. The file has a random name in the driver's download folder; `saveAs()` copies it.
 * @example
 * const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()]);
 * await download.saveAs(`reports/${download.suggestedFilename()}`);
 */
export class Download {
  readonly #state: DownloadState;
  readonly #settings: PageSettings;

  /** @internal */
  constructor(state: DownloadState, settings: PageSettings) {
    this.#state = state;
    this.#settings = settings;
    maskErrorsOf(this, settings);
  }

  /** File name that the page (attribute `download`) or the server (`Content-Disposition`) suggests. */
  suggestedFilename(): string {
    return this.#state.suggestedFilename;
  }

  /** URL that the file is downloaded from. */
  url(): string {
    return this.#state.url;
  }

  /**
   * Waits until the download has completed and returns the path of the file. `driver.close()` deletes the file unless
   * the driver has a `downloadsPath`.
   * @throws DriverError when the download fails or is cancelled.
   * @throws DriverTimeoutError when it does not end within `timeout` ms. Default: no limit.
   */
  async path(options?: CallOptions): Promise<string> {
    return this.#path('path', options);
  }

  /**
   * Waits until the download has completed and copies the file to `path`, which may be relative to the working
   * directory. Creates missing folders and replaces an existing file.
   * @throws DriverError when the download fails or is cancelled, or the file cannot be written.
   * @throws DriverTimeoutError when it does not end within `timeout` ms. Default: no limit.
   * @example
   * const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()]);
   * await download.saveAs('reports/orders.csv', { timeout: 60_000 });
   */
  async saveAs(path: string, options?: CallOptions): Promise<void> {
    checkString('path', path);
    await this.#copy(path, options, 0);
  }

  /**
   * Like `saveAs()`, but returns false if the path already exists, even as a dangling link.
   * @internal
   */
  async saveAsNew(path: string, options?: CallOptions): Promise<boolean> {
    try {
      await this.#copy(path, options, constants.COPYFILE_EXCL);
      return true;
    } catch (error) {
      if (isPathTaken(error)) return false;
      throw error;
    }
  }

  async #copy(path: string, options: CallOptions | undefined, mode: number): Promise<void> {
    const from = await this.#path('saveAs', options);
    const to = resolve(path);
    try {
      await makeFolder(dirname(to));
      await copyFile(from, to, mode);
    } catch (error) {
      throw new DriverError(
        `Cannot save the download ${JSON.stringify(this.suggestedFilename())} as ${to}: ${reasonOf(error)}. Choose a writable path.`,
        {
          cause: error,
        },
      );
    }
  }

  /**
   * Waits until the download has ended. Returns the reason if it failed or was cancelled, else `null`.
   * @throws DriverTimeoutError when it does not end within `timeout` ms. Default: no limit.
   */
  async failure(options?: CallOptions): Promise<string | null> {
    const end = await this.#ended('failure', options);
    return end.kind === 'failed' ? end.reason : null;
  }

  /** Cancels the download. Does nothing if it has already ended. */
  async cancel(): Promise<void> {
    await this.#state.cancel();
  }

  async #path(method: string, options?: CallOptions): Promise<string> {
    const end = await this.#ended(method, options);
    if (end.kind === 'completed') return end.path;
    throw new DriverError(
      `The download of ${this.url()} failed: ${end.reason}. Start it again. To handle failed downloads without an exception, check download.failure() first.`,
      { cause: end.cause },
    );
  }

  /** Downloads can take arbitrarily long, so there is no default timeout. */
  async #ended(method: string, options?: CallOptions): Promise<DownloadEnd> {
    checkOptions(options);
    using progress = beginCall(`download.${method}`, this.#settings, { timeout: 0, ...options });
    return await progress.race(this.#state.ended);
  }
}

function isPathTaken(error: unknown): boolean {
  const cause = error instanceof DriverError ? error.cause : undefined;
  return isRecord(cause) && cause['code'] === 'EEXIST';
}
