import type { Connection } from 'pagechauffeur/internal';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { DownloadList } from './download-list.ts';

interface DownloadControllerParts {
  readonly sessionId: string;
  /** The session's folder on the browser's machine. */
  readonly folder: string;
  /** Bytes that all downloads of the session may have together. */
  readonly quota: number;
  /** What the session downloads, and has downloaded before when another server had it. */
  readonly list: DownloadList;
  readonly log: PlatformLog;
}

/** The context that a browser begins with, where none is named. */
const DEFAULT_CONTEXT = '';

/**
 * Keeps what a browser downloads in its session's folder and within the quota, whatever its clients ask for. A rented browser refuses
 * downloads by itself; they are allowed, under the names that the protocol gives them, on a connection of the platform's own.
 */
export class DownloadController {
  readonly #parts: DownloadControllerParts;
  readonly #sizeByName: Map<string, number>;
  readonly #contexts = new Set([DEFAULT_CONTEXT]);
  /** Contexts in which a client wants no downloads. */
  readonly #denied = new Set<string>();
  #connection: Connection | undefined;
  /** The name of the context that a browser begins with, which clients may use or not. */
  #defaultId: string | undefined;

  constructor(parts: DownloadControllerParts) {
    this.#parts = parts;
    this.#sizeByName = new Map(parts.list.list().map(({ name, size }) => [name, size]));
  }

  /** Begins to keep downloads on a connection to the browser. */
  async attach(connection: Connection): Promise<void> {
    this.#connection = connection;
    const { browser } = connection;
    browser.on('Browser.downloadWillBegin', (params) => {
      this.#note('Browser.downloadWillBegin', params);
      this.#count(params.guid, 0);
    });
    browser.on('Browser.downloadProgress', (params) => {
      this.#note('Browser.downloadProgress', params);
      const { guid, receivedBytes, totalBytes, state } = params;
      if (state === 'completed') this.#keep(guid, receivedBytes);
      else this.#count(guid, state === 'canceled' ? undefined : Math.max(receivedBytes, totalBytes));
    });
    browser.on('Target.targetCreated', ({ targetInfo: { browserContextId: id } }) => {
      if (id !== undefined && id !== this.#defaultId && !this.#contexts.has(id)) void this.#meet(id);
    });
    await browser.send('Target.setDiscoverTargets', { discover: true });
    await this.renew();
  }

  /** A client chose whether a context may download. */
  choose({ behavior, browserContextId }: { readonly behavior?: unknown; readonly browserContextId?: unknown }): void {
    const isNamed = typeof browserContextId === 'string' && browserContextId !== this.#defaultId;
    const id = isNamed ? browserContextId : DEFAULT_CONTEXT;
    if (behavior === 'deny') this.#denied.add(id);
    else this.#denied.delete(id);
  }

  /** Whether the session has all that it may: files that come at once are whole before they can be cancelled. */
  get isFull(): boolean {
    return this.#size >= this.#parts.quota;
  }

  get #size(): number {
    return [...this.#sizeByName.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Allows downloads again: a browser forgets it when a client goes that had asked for the same. */
  async renew(): Promise<void> {
    await Promise.all([...this.#contexts].map((id) => this.#allow(id)));
  }

  /** Allows downloads in a context that a client made. */
  async #meet(id: string): Promise<void> {
    this.#contexts.add(id);
    try {
      const { browserContextIds = [] } = (await this.#connection?.browser.send('Target.getBrowserContexts')) ?? {};
      if (browserContextIds.includes(id)) return await this.#allow(id);
      this.#contexts.delete(id);
      this.#defaultId = id;
    } catch {
      // The connection is gone, and the next one meets it again.
      this.#contexts.delete(id);
    }
  }

  #note(method: string, params: object): void {
    this.#parts.list.note(JSON.stringify({ method, params }));
  }

  async #allow(browserContextId: string): Promise<void> {
    if (this.#denied.has(browserContextId) && !this.isFull) return;
    try {
      await this.#connection?.browser.send('Browser.setDownloadBehavior', {
        ...(this.isFull ? { behavior: 'deny' } : { behavior: 'allowAndName', downloadPath: this.#parts.folder }),
        eventsEnabled: true,
        ...(browserContextId === DEFAULT_CONTEXT ? {} : { browserContextId }),
      });
    } catch {
      // The context is gone, or the connection, after which another one begins anew.
      if (browserContextId !== DEFAULT_CONTEXT) this.#contexts.delete(browserContextId);
    }
  }

  #count(name: string, size: number | undefined): void {
    if (size === undefined) return void this.#sizeByName.delete(name);
    this.#sizeByName.set(name, size);
    if (this.#size > this.#parts.quota) void this.#cancel(name);
  }

  /** A file that is whole stays. */
  #keep(name: string, size: number): void {
    this.#sizeByName.set(name, size);
    if (this.isFull) void this.renew();
  }

  /** A browser knows a download only in the context that it belongs to, which it does not tell. */
  async #cancel(guid: string): Promise<void> {
    const { log, sessionId, quota } = this.#parts;
    this.#sizeByName.delete(guid);
    log.warn(
      { session: sessionId, quota },
      'a download was cancelled: with it the session would have more than its quota',
    );
    const tries = [...this.#contexts].map(async (id) => {
      const context = id === DEFAULT_CONTEXT ? {} : { browserContextId: id };
      await this.#connection?.browser.send('Browser.cancelDownload', { guid, ...context });
    });
    const results = await Promise.allSettled(tries);
    if (results.some(({ status }) => status === 'fulfilled')) return;
    const [first] = results;
    log.error(
      { session: sessionId, reason: reasonOf(first?.status === 'rejected' ? first.reason : first) },
      'it could not be cancelled',
    );
  }
}
