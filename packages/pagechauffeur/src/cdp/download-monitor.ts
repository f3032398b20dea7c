import { join } from 'node:path';
import { deferred } from '../util/deferred.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { BrowserTargets } from './browser-targets.ts';
import type { Connection } from './connection.ts';
import type { DownloadEnd } from './download-state.ts';
import type { PageTarget } from './page-target.ts';
import type { EventParams } from './protocol.ts';

export interface DownloadSetup {
  /** Folder for the files on the browser's machine. The browser creates it on first use. */
  readonly folder: string;
  readonly isAllowed: boolean;
  /** Set for a remote browser: copies a file to this machine and returns its path. */
  readonly fetch?: (name: string) => Promise<string>;
}

/** Tracks downloads, and emits each one on the page that started it. */
export class DownloadMonitor {
  readonly #connection: Connection;
  readonly #targets: BrowserTargets;
  readonly #setup: DownloadSetup;
  #started: Promise<void> | undefined;
  readonly #endById = new Map<string, (end: DownloadEnd) => void>();
  readonly #cancelled = new Set<string>();

  constructor(connection: Connection, targets: BrowserTargets, setup: DownloadSetup) {
    this.#connection = connection;
    this.#targets = targets;
    this.#setup = setup;
    const { browser } = connection;
    browser.on('Browser.downloadWillBegin', (event) => this.#begin(event));
    browser.on('Browser.downloadProgress', (event) => this.#progress(event));
    browser.on('closed', () => this.#failAll('the browser has closed'));
  }

  /** Sets the download folder and enables download events. Later calls share the first result. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    const { folder, isAllowed } = this.#setup;
    await this.#connection.browser.send('Browser.setDownloadBehavior', {
      behavior: isAllowed ? 'allowAndName' : 'deny',
      ...(isAllowed ? { downloadPath: folder } : {}),
      eventsEnabled: true,
    });
  }

  #begin({ guid, frameId, url, suggestedFilename }: EventParams<'Browser.downloadWillBegin'>): void {
    const ended = deferred<DownloadEnd>();
    this.#endById.set(guid, (end) => ended.resolve(end));
    this.#pageOf(frameId)?.events.emit('download', {
      id: guid,
      url,
      suggestedFilename,
      ended: ended.promise,
      cancel: () => this.#cancel(guid),
    });
  }

  /** A page that was opened for a download closes without ever having a document, so its opener emits the download. */
  #pageOf(frameId: string): PageTarget | undefined {
    const page = this.#targets.pages.find(({ frames }) => frames.frame(frameId) !== undefined);
    if (!page) return this.#targets.openerOf(frameId);
    const isEmpty = page.frames.main.url === '';
    return (isEmpty && frameId === page.id ? this.#targets.openerOf(page.id) : undefined) ?? page;
  }

  async #cancel(guid: string): Promise<void> {
    if (!this.#endById.has(guid)) return;
    this.#cancelled.add(guid);
    await this.#connection.browser.send('Browser.cancelDownload', { guid });
  }

  #progress({ guid, state, filePath }: EventParams<'Browser.downloadProgress'>): void {
    if (state === 'inProgress') return;
    if (state === 'canceled') return this.#end(guid, { kind: 'failed', reason: this.#failure(guid) });
    if (this.#setup.fetch) return void this.#fetch(guid, this.#setup.fetch);
    // Another client may have set another folder, so prefer the reported path.
    this.#end(guid, { kind: 'completed', path: filePath ?? join(this.#setup.folder, guid) });
  }

  async #fetch(guid: string, fetch: (name: string) => Promise<string>): Promise<void> {
    try {
      this.#end(guid, { kind: 'completed', path: await fetch(guid) });
    } catch (error) {
      const reason = `it could not be copied to this machine: ${reasonOf(error).replace(/\.$/, '')}`;
      this.#end(guid, { kind: 'failed', reason, cause: error });
    }
  }

  /** The browser reports `canceled` for all failures, so derive the reason. */
  #failure(guid: string): string {
    if (!this.#setup.isAllowed) return 'the option acceptDownloads is false';
    return this.#cancelled.has(guid) ? 'canceled' : 'it was interrupted';
  }

  #end(guid: string, end: DownloadEnd): void {
    this.#endById.get(guid)?.(end);
    this.#endById.delete(guid);
    this.#cancelled.delete(guid);
  }

  #failAll(reason: string): void {
    for (const guid of [...this.#endById.keys()]) this.#end(guid, { kind: 'failed', reason });
  }
}
