/** A file that a browser downloads or has downloaded. */
export interface Download {
  /** What it is called where it lies. */
  readonly name: string;
  /** What its page wants it to be called, as far as a file system would take it. */
  readonly fileName: string;
  /** Bytes that have come. */
  readonly size: number;
  readonly state: 'inProgress' | 'completed' | 'canceled';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

interface DownloadMessage {
  readonly method?: unknown;
  readonly params?: {
    readonly guid?: unknown;
    readonly suggestedFilename?: unknown;
    readonly receivedBytes?: unknown;
    readonly state?: unknown;
  };
}

/** How the browser begins what it says of downloads; nothing else is read. */
const BEGINNING = '{"method":"Browser.download';
const MAX_DOWNLOADS = 1000;
const MAX_NAME_CHARACTERS = 255;
const ENDS = ['completed', 'canceled'] as const;

/** What a session downloads, as its browser tells its clients. */
export class DownloadList {
  readonly #downloadByName = new Map<string, Download>();

  /** Reads a message of the browser; several clients may be told the same. */
  note(message: string, now: number = Date.now()): void {
    if (!message.startsWith(BEGINNING)) return;
    const { method, params = {} } = JSON.parse(message) as DownloadMessage;
    const { guid: name, suggestedFilename, receivedBytes, state } = params;
    if (typeof name !== 'string') return;
    const known = this.#downloadByName.get(name);
    if (method === 'Browser.downloadWillBegin' && !known)
      this.#add({ name, fileName: shortened(suggestedFilename), size: 0, state: 'inProgress', startedAt: now });
    if (method === 'Browser.downloadProgress' && known?.state === 'inProgress')
      this.#downloadByName.set(name, {
        ...known,
        size: Number(receivedBytes),
        state: ENDS.find((end) => end === state) ?? 'inProgress',
      });
  }

  /** Oldest first. */
  list(): readonly Download[] {
    return [...this.#downloadByName.values()];
  }

  #add(download: Download): void {
    const [oldest] = this.#downloadByName.keys();
    if (this.#downloadByName.size >= MAX_DOWNLOADS && oldest !== undefined) this.#downloadByName.delete(oldest);
    this.#downloadByName.set(download.name, download);
  }
}

function shortened(fileName: unknown): string {
  return String(fileName).slice(0, MAX_NAME_CHARACTERS);
}
