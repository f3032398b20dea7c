import { callApi, NotSignedIn, type ShownDownload, type ShownSession } from './call-api.ts';
import { element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';
import { bytes } from './format.ts';

/** A browser that downloads more has the earlier ones too, for programs that callApi. */
const MOST_SHOWN = 50;
const NONE_YET = 'None yet: what the browser downloads is listed here.';
const GONE = 'They went with the browser.';

/** What the browser of a session downloads, newest first, to be fetched by who may work in it. */
export class DownloadList {
  readonly element: HTMLElement;
  readonly #path: string;
  readonly #list = element('ul', { class: 'files' });
  readonly #items = new KeyedList(this.#list);
  /** What there is to say instead of a list, or of what it leaves out. */
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

  /** Fetches the list, for as long as there is a browser. */
  async update(status: ShownSession['status']): Promise<void> {
    if (status === 'RUNNING') return this.#fetch();
    this.#items.show([]);
    this.#tell(status === 'PENDING' ? NONE_YET : GONE);
  }

  async #fetch(): Promise<void> {
    try {
      const answer = await callApi('GET', `${this.#path}?limit=${MOST_SHOWN + 1}`);
      this.#show(answer as { downloads: readonly ShownDownload[]; mayFetch: boolean });
    } catch (error) {
      if (error instanceof NotSignedIn) throw error;
      // The browser may have ended a moment ago, which the next look at the session tells.
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  #show({ downloads, mayFetch }: { downloads: readonly ShownDownload[]; mayFetch: boolean }): void {
    const shown = downloads.slice(-MOST_SHOWN).toReversed();
    this.#items.show(
      shown.map((download) => ({
        key: download.name,
        state: `${download.state} ${download.size}`,
        make: () => this.#item(download, mayFetch),
      })),
    );
    const isCut = downloads.length > MOST_SHOWN;
    this.#tell(isCut ? `These are the last ${MOST_SHOWN}.` : shown.length === 0 ? NONE_YET : '');
  }

  #item({ name, fileName, size, state }: ShownDownload, mayFetch: boolean): HTMLElement {
    // A name may be written from right to left, which is not to reach what stands beside it.
    const text = element('bdi', {}, fileName);
    const isThere = mayFetch && state === 'completed';
    return element(
      'li',
      {},
      isThere ? element('a', { href: `${this.#path}/${encodeURIComponent(name)}`, download: fileName }, text) : text,
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
