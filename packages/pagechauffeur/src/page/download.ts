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
 * A file that a page downloads. It is in a folder of the driver under a random name until it is saved.
 *
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

  /** File name that the page or its server suggests. */
  suggestedFilename(): string {
    return this.#state.suggestedFilename;
  }

  /** URL of the file. */
  url(): string {
    return this.#state.url;
  }

  /**
   * Waits until the download has completed and returns the path of the file. The file is removed with the driver,
   * unless that has a `downloadsPath`.
   * @throws DriverError when the download fails or is cancelled.
   * @throws DriverTimeoutError when it does not end within `timeout` ms. There is no limit by default.
   */
  async path(options?: CallOptions): Promise<string> {
    return this.#path('path', options);
  }

  /**
   * Waits until the download has completed and copies the file to a path relative to the working directory. Creates
   * missing folders and replaces an existing file.
   * @throws DriverError when the download fails or is cancelled, or the file cannot be written.
   * @throws DriverTimeoutError when it does not end within `timeout` ms. There is no limit by default.
   * @example
   * const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()]);
   * await download.saveAs('reports/orders.csv', { timeout: 60_000 });
   */
  async saveAs(path: string, options?: CallOptions): Promise<void> {
    checkString('path', path);
    await this.#copy(path, options, 0);
  }

  /**
   * Does the same, but only if there is nothing at the path, not even a link. Returns whether the file was saved.
   * @internal
   */
  async saveAsNew(path: string, options?: CallOptions): Promise<boolean> {
    try {
      await this.#copy(path, options, constants.COPYFILE_EXCL);
      return true;
    } catch (error) {
      if (isThere(error)) return false;
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
   * Waits until the download has ended. Returns why it failed, or `null`.
   * @throws DriverTimeoutError when it does not end within `timeout` ms. There is no limit by default.
   */
  async failure(options?: CallOptions): Promise<string | null> {
    const end = await this.#ended('failure', options);
    return end.kind === 'failed' ? end.reason : null;
  }

  /** Cancels the download. Does nothing if it has ended. */
  async cancel(): Promise<void> {
    await this.#state.cancel();
  }

  async #path(method: string, options?: CallOptions): Promise<string> {
    const end = await this.#ended(method, options);
    if (end.kind === 'completed') return end.path;
    throw new DriverError(
      `The download of ${this.url()} failed: ${end.reason}. Start it again. To handle failed downloads without an exception, check download.failure() first.`,
    );
  }

  /** Downloads may take any time, so there is no default timeout. */
  async #ended(method: string, options?: CallOptions): Promise<DownloadEnd> {
    checkOptions(options);
    using progress = beginCall(`download.${method}`, this.#settings, { timeout: 0, ...options });
    return await progress.race(this.#state.ended);
  }
}

/** True if a copy failed because something is at its path. */
function isThere(error: unknown): boolean {
  const cause = error instanceof DriverError ? error.cause : undefined;
  return isRecord(cause) && cause['code'] === 'EEXIST';
}
