import { setTimeout as pause } from 'node:timers/promises';
import type { DownloadedFile } from '../browsers/browser-backend.ts';
import type { DownloadRow } from '../store/session-records.ts';

interface DownloadMessage {
  readonly method?: unknown;
  readonly params?: {
    readonly guid?: unknown;
    readonly suggestedFilename?: unknown;
    readonly receivedBytes?: unknown;
    readonly state?: unknown;
  };
}

/** Resolves with `undefined` if the file does not exist. */
type OpenFile = (name: string) => Promise<DownloadedFile | undefined>;

const BEGINNING = '{"method":"Browser.download';
const MAX_DOWNLOADS = 1000;
const MAX_NAME_CHARACTERS = 255;
const ENDS = ['completed', 'canceled'] as const;
/** Time without a progress event after which a download is checked. Usually there are several per second. */
const SILENT_MS = 2000;
/** Files to check at a time, and for how long. A browser with an open dialog does not respond. */
const MAX_CHECKED = 10;
const CHECK_MS = 2000;

/** Collects a session's downloads from browser messages. */
export class DownloadList {
  readonly #keep: (download: DownloadRow) => void;
  readonly #downloadByName: Map<string, DownloadRow>;
  /** Time of the latest event per running download. Missing if another server received it. */
  readonly #heardAt = new Map<string, number>();

  /** `known`: earlier downloads, oldest first. `keep` is called when a download starts or ends. */
  constructor(known: readonly DownloadRow[], keep: (download: DownloadRow) => void) {
    this.#keep = keep;
    this.#downloadByName = new Map(known.map((download) => [download.name, download]));
  }

  /** Processes a browser message. Several clients may receive the same one. */
  note(message: string, now: number = Date.now()): void {
    if (!message.startsWith(BEGINNING)) return;
    const { method, params = {} } = JSON.parse(message) as DownloadMessage;
    const { guid: name, suggestedFilename, receivedBytes, state } = params;
    if (typeof name !== 'string') return;
    const known = this.#downloadByName.get(name);
    if (method === 'Browser.downloadWillBegin' && !known)
      this.#begin({ name, fileName: shortened(suggestedFilename), size: 0, state: 'inProgress', startedAt: now }, now);
    if (method === 'Browser.downloadProgress' && known?.state === 'inProgress')
      this.#go(
        {
          ...known,
          size: Number(receivedBytes),
          state: ENDS.find((end) => end === state) ?? 'inProgress',
        },
        now,
      );
  }

  /**
   * Checks the files of up to 10 running downloads without events in the last 2 s, because this server may have missed
   * their end.
   */
  async checkSilent(open: OpenFile, now: number = Date.now()): Promise<void> {
    const silent = this.list()
      .filter(({ name, state }) => state === 'inProgress' && this.#lastHeardOf(name) < now - SILENT_MS)
      .toSorted((a, b) => this.#lastHeardOf(a.name) - this.#lastHeardOf(b.name))
      .slice(0, MAX_CHECKED);
    const checked = Promise.all(silent.map((download) => this.#check(download, open, now)));
    if (silent.length > 0) await Promise.race([checked, pause(CHECK_MS, undefined, { ref: false })]);
  }

  /** Returns the downloads, oldest first. */
  list(): readonly DownloadRow[] {
    return [...this.#downloadByName.values()];
  }

  #lastHeardOf(name: string): number {
    return this.#heardAt.get(name) ?? 0;
  }

  /** Chromium gives a file its final name when the download is complete. */
  async #check(download: DownloadRow, open: OpenFile, now: number): Promise<void> {
    const { name } = download;
    this.#heardAt.set(name, now);
    const file = await openIfPossible(open, name);
    file?.content.destroy();
    if (file && this.#downloadByName.get(name)?.state === 'inProgress')
      this.#go({ ...download, size: file.size, state: 'completed' }, now);
  }

  #begin(download: DownloadRow, now: number): void {
    const [oldest] = this.#downloadByName.keys();
    if (this.#downloadByName.size >= MAX_DOWNLOADS && oldest !== undefined) {
      this.#downloadByName.delete(oldest);
      this.#heardAt.delete(oldest);
    }
    this.#go(download, now);
    this.#keep(download);
  }

  #go(download: DownloadRow, now: number): void {
    this.#downloadByName.set(download.name, download);
    if (download.state === 'inProgress') return void this.#heardAt.set(download.name, now);
    this.#heardAt.delete(download.name);
    this.#keep(download);
  }
}

function shortened(fileName: unknown): string {
  return String(fileName).slice(0, MAX_NAME_CHARACTERS);
}

async function openIfPossible(open: OpenFile, name: string): Promise<DownloadedFile | undefined> {
  try {
    return await open(name);
  } catch {
    // Ignored: the next check tries again.
    return undefined;
  }
}
