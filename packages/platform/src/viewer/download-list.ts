import { callApi, NotSignedIn, type ShownDownload, type ShownSession } from './call-api.ts';
import { element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';
import { bytes } from './format.ts';

/** Downloads to show. The API also lists earlier ones. */
const MAX_SHOWN = 50;
const NONE_YET = 'No downloads yet. Files that the browser downloads appear here.';
const GONE = 'The downloads were removed with the browser.';

/** A session's downloads, newest first. Users with control can fetch the files. */
export class DownloadList {
  readonly element: HTMLElement;
  readonly #path: string;
  readonly #list = element('ul', { class: 'files' });
  readonly #items = new KeyedList(this.#list);
  /** Shows why the list is empty or incomplete. */
  readonly #status = element('p', { class: 'quiet', role: 'status' }, NONE_YET);

  constructor(sessionId: string) {
    this.#path = `/v1/sessions/${sessionId}/downloads`;
    this.element = element(
      'section',
      { 'aria-labelledby': 'downloads' },
      element('h2', { id: 'downloads' }, 'Downloads'),
      this.#list,
      this.#status,
    );
  }

  /** Requests the list while the browser runs. */
  async update(status: ShownSession['status']): Promise<void> {
    if (status === 'RUNNING') return this.#fetch();
    this.#items.show([]);
    this.#tell(status === 'PENDING' ? NONE_YET : GONE);
  }

  async #fetch(): Promise<void> {
    try {
      const answer = await callApi('GET', `${this.#path}?limit=${MAX_SHOWN + 1}`);
      this.#show(answer as { downloads: readonly ShownDownload[]; mayFetch: boolean });
    } catch (error) {
      if (error instanceof NotSignedIn) throw error;
      // The browser may have just exited. The next poll of the session shows that.
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  #show({ downloads, mayFetch }: { downloads: readonly ShownDownload[]; mayFetch: boolean }): void {
    const shown = downloads.slice(-MAX_SHOWN).toReversed();
    this.#items.show(
      shown.map((download) => ({
        key: download.name,
        state: `${download.state} ${download.size}`,
        make: () => this.#item(download, mayFetch),
      })),
    );
    const isCut = downloads.length > MAX_SHOWN;
    this.#tell(isCut ? `Only the last ${MAX_SHOWN} are shown.` : shown.length === 0 ? NONE_YET : '');
  }

  #item({ name, fileName, size, state }: ShownDownload, mayFetch: boolean): HTMLElement {
    // Isolates right-to-left names from the text next to them.
    const text = element('bdi', {}, fileName);
    const isAvailable = mayFetch && state === 'completed';
    return element(
      'li',
      {},
      isAvailable
        ? element('a', { href: `${this.#path}/${encodeURIComponent(name)}`, download: fileName }, text)
        : text,
      element('span', { class: 'quiet' }, factOf(size, state)),
    );
  }

  #tell(words: string): void {
    if (this.#status.textContent !== words) this.#status.textContent = words;
    this.#status.hidden = words === '';
  }
}

function factOf(size: number, state: ShownDownload['state']): string {
  if (state === 'canceled') return 'canceled';
  return state === 'inProgress' ? `${bytes(size)} so far` : bytes(size);
}
