import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'pagechauffeur/internal';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { DownloadList } from './download-list.ts';

interface DownloadControllerParts {
  readonly sessionId: string;
  readonly folder: string;
  /** Maximum size of all downloads of the session in bytes. */
  readonly quota: number;
  /** Returns the current size of the folder. Missing if the folder is on another machine. */
  readonly bytesInFolder?: (() => Promise<number>) | undefined;
  /** Includes downloads from before this server adopted the session. */
  readonly list: DownloadList;
  readonly log: PlatformLog;
}

/** The default browser context: CDP commands for it omit the id. */
const DEFAULT_CONTEXT = '';
/** Assumed maximum write speed of a browser. Determines when to measure the folder again. */
const MAX_BYTES_PER_MS = 1024 * 1024;
/** Shortest and longest pause between two measurements of the folder. */
const MIN_MEASURE_PAUSE_MS = 5;
const MAX_MEASURE_PAUSE_MS = 500;
/** Measuring the folder takes at most this share of the time. */
const MEASURE_SHARE = 0.2;

/**
 * Keeps downloads in the session's folder and within the quota, whatever clients request. The browser's profile refuses
 * downloads. The platform's own connection allows them, with GUIDs as file names.
 */
export class DownloadController {
  readonly #parts: DownloadControllerParts;
  readonly #sizeByName: Map<string, number>;
  /** GUIDs of running downloads. */
  readonly #running = new Set<string>();
  #isWatchingFolder = false;
  readonly #contexts = new Set([DEFAULT_CONTEXT]);
  /** Contexts in which a client refused downloads. */
  readonly #denied = new Set<string>();
  #connection: Connection | undefined;
  /** Id of the default context. Clients may pass or omit it. */
  #defaultId: string | undefined;

  constructor(parts: DownloadControllerParts) {
    this.#parts = parts;
    this.#sizeByName = new Map(parts.list.list().map(({ name, size }) => [name, size]));
  }

  /** Sets up downloads over the platform's own connection to the browser, and tracks their progress. */
  async attach(connection: Connection): Promise<void> {
    this.#connection = connection;
    this.#running.clear();
    const { browser } = connection;
    browser.on('Browser.downloadWillBegin', (params) => {
      this.#note('Browser.downloadWillBegin', params);
      this.#count(params.guid, 0);
      this.#running.add(params.guid);
      void this.#watchFolder(connection);
    });
    browser.on('Browser.downloadProgress', (params) => {
      this.#note('Browser.downloadProgress', params);
      const { guid, receivedBytes, totalBytes, state } = params;
      if (state !== 'inProgress') this.#running.delete(guid);
      if (state === 'completed') this.#keep(guid, receivedBytes);
      else this.#count(guid, state === 'canceled' ? undefined : Math.max(receivedBytes, totalBytes));
    });
    browser.on('Target.targetCreated', ({ targetInfo: { browserContextId: id } }) => {
      if (id !== undefined && id !== this.#defaultId && !this.#contexts.has(id)) void this.#meet(id);
    });
    await browser.send('Target.setDiscoverTargets', { discover: true });
    await this.renew();
  }

  /** Records that a client allowed or refused downloads in a context. */
  choose({ behavior, browserContextId }: { readonly behavior?: unknown; readonly browserContextId?: unknown }): void {
    const isNamed = typeof browserContextId === 'string' && browserContextId !== this.#defaultId;
    const id = isNamed ? browserContextId : DEFAULT_CONTEXT;
    if (behavior === 'deny') this.#denied.add(id);
    else this.#denied.delete(id);
  }

  /**
   * Allows downloads in a context that a client has just created. Resolves when the setting applies: the browser
   * cancels downloads that start earlier.
   */
  async addContext(id: string): Promise<void> {
    if (this.#contexts.has(id)) return;
    this.#contexts.add(id);
    await this.#allow(id);
  }

  /** True if the quota is used up. Small files complete before they can be canceled. */
  get isFull(): boolean {
    return this.#size >= this.#parts.quota;
  }

  get #size(): number {
    return [...this.#sizeByName.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Allows downloads again: the browser resets the setting when a client that also set it disconnects. */
  async renew(): Promise<void> {
    await Promise.all([...this.#contexts].map((id) => this.#allow(id)));
  }

  /** Allows downloads in a context that another connection created. For the default context, only stores the id. */
  async #meet(id: string): Promise<void> {
    this.#contexts.add(id);
    try {
      const { browserContextIds = [] } = (await this.#connection?.browser.send('Target.getBrowserContexts')) ?? {};
      if (browserContextIds.includes(id)) return await this.#allow(id);
      this.#contexts.delete(id);
      this.#defaultId = id;
    } catch {
      // The connection is lost. The next connection reports the context again.
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
      // The context or the connection is gone. The next connection applies the settings again.
      if (browserContextId !== DEFAULT_CONTEXT) this.#contexts.delete(browserContextId);
    }
  }

  #count(name: string, size: number | undefined): void {
    if (size === undefined) return void this.#sizeByName.delete(name);
    this.#sizeByName.set(name, size);
    if (this.#size > this.#parts.quota) void this.#cancel(name);
  }

  /**
   * Measures the folder and cancels running downloads when it exceeds the quota. A download with a wrong or missing
   * size could fill the disk between two progress events.
   */
  async #watchFolder({ browser }: Connection): Promise<void> {
    const { bytesInFolder, quota, sessionId, log } = this.#parts;
    if (!bytesInFolder || this.#isWatchingFolder) return;
    this.#isWatchingFolder = true;
    try {
      while (this.#running.size > 0 && !browser.isClosed) {
        const begun = performance.now();
        const left = quota - (await bytesInFolder());
        if (left < 0) await Promise.all([...this.#running].map((name) => this.#cancel(name)));
        const shortest = Math.max(MIN_MEASURE_PAUSE_MS, (performance.now() - begun) / MEASURE_SHARE);
        await pause(Math.max(shortest, Math.min(left / MAX_BYTES_PER_MS, MAX_MEASURE_PAUSE_MS)), undefined, {
          ref: false,
        });
      }
    } catch (error) {
      log.error({ session: sessionId, reason: reasonOf(error) }, 'cannot measure the downloads of a session');
    } finally {
      this.#isWatchingFolder = false;
    }
  }

  #keep(name: string, size: number): void {
    this.#sizeByName.set(name, size);
    if (this.isFull) void this.renew();
  }

  /** Tries every context: `Browser.cancelDownload` needs the right one, but download events do not contain it. */
  async #cancel(guid: string): Promise<void> {
    const { log, sessionId, quota } = this.#parts;
    this.#sizeByName.delete(guid);
    log.warn({ session: sessionId, quota }, 'canceled a download: the session would exceed its quota');
    const tries = [...this.#contexts].map(async (id) => {
      const context = id === DEFAULT_CONTEXT ? {} : { browserContextId: id };
      await this.#connection?.browser.send('Browser.cancelDownload', { guid, ...context });
    });
    const results = await Promise.allSettled(tries);
    if (results.some(({ status }) => status === 'fulfilled')) return;
    const [first] = results;
    log.error(
      { session: sessionId, reason: reasonOf(first?.status === 'rejected' ? first.reason : first) },
      'cannot cancel a download that exceeds the quota',
    );
  }
}
