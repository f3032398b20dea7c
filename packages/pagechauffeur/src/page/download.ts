import { copyFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DownloadEnd, DownloadState } from '../cdp/download-state.ts';
import { DriverError } from '../errors.ts';
import { checkOptions, checkString } from '../util/check-argument.ts';
import { makeFolder } from '../util/make-folder.ts';
import type { CallOptions } from '../util/progress.ts';
import { beginCall, type PageSettings } from './call-limits.ts';
import { reasonOf } from '../util/error-facts.ts';
import { maskErrorsOf } from './public-errors.ts';

/**
 * A file that a page gives. It lies in a folder of the driver's, under a name without meaning, until it is saved.
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

  /** The name that the page or its server gives the file. */
  suggestedFilename(): string {
    return this.#state.suggestedFilename;
  }

  /** The address that the file comes from. */
  url(): string {
    return this.#state.url;
  }

  /** Waits until the file is there, and gives its path; rejects when the download fails. Waits without limit unless told otherwise. */
  async path(options?: CallOptions): Promise<string> {
    return this.#path('path', options);
  }

  /** Waits until the file is there, and copies it; folders on the way are made. */
  async saveAs(path: string, options?: CallOptions): Promise<void> {
    checkString('path', path);
    const from = await this.#path('saveAs', options);
    const to = resolve(path);
    try {
      await makeFolder(dirname(to));
      await copyFile(from, to);
    } catch (error) {
      throw new DriverError(
        `The download ${JSON.stringify(this.suggestedFilename())} cannot be saved as ${to}: ${reasonOf(error)}. Choose a path that can be written.`,
        {
          cause: error,
        },
      );
    }
  }

  /** Waits until the download has ended, and says why it failed; null when it did not. */
  async failure(options?: CallOptions): Promise<string | null> {
    const end = await this.#ended('failure', options);
    return end.kind === 'failed' ? end.reason : null;
  }

  /** Breaks the download off; does nothing when it has ended. */
  async cancel(): Promise<void> {
    await this.#state.cancel();
  }

  async #path(method: string, options?: CallOptions): Promise<string> {
    const end = await this.#ended(method, options);
    if (end.kind === 'completed') return end.path;
    throw new DriverError(
      `The download of ${this.url()} did not arrive: ${end.reason}. Start it again, or ask failure() instead where it may fail.`,
    );
  }

  /** A file may take any time, so only the caller sets a limit. */
  async #ended(method: string, options?: CallOptions): Promise<DownloadEnd> {
    checkOptions(options);
    using progress = beginCall(`download.${method}`, this.#settings, { timeout: 0, ...options });
    return await progress.race(this.#state.ended);
  }
}
