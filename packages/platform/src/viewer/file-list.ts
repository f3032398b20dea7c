import { callApi, type ShownFile } from './call-api.ts';
import { button, element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';
import { bytes } from './format.ts';

/** A session's files. Users with control can add and remove files. */
export class FileList {
  readonly element: HTMLElement;
  readonly #path: string;
  readonly #mayChange: boolean;
  readonly #list = element('ul', { class: 'files' });
  readonly #items = new KeyedList(this.#list);
  readonly #empty = element('p', { class: 'quiet' }, 'No files. Files are removed with the session.');
  /** Shows errors of uploads and removals. */
  readonly #status = element('p', { class: 'quiet', role: 'status' });

  constructor(sessionId: string, { mayChange }: { readonly mayChange: boolean }) {
    this.#path = `/v1/sessions/${sessionId}/files`;
    this.#mayChange = mayChange;
    this.element = element(
      'section',
      { 'aria-labelledby': 'files' },
      element('h2', { id: 'files' }, 'Files'),
      this.#empty,
      this.#list,
      mayChange ? this.#chooser() : undefined,
      this.#status,
    );
  }

  async update(): Promise<void> {
    const { files } = (await callApi('GET', this.#path)) as { files: readonly ShownFile[] };
    this.#empty.hidden = files.length > 0;
    this.#items.show(files.map((file) => ({ key: file.name, state: String(file.size), make: () => this.#item(file) })));
  }

  #item({ name, size }: ShownFile): HTMLElement {
    const remove = (): void => void this.#change('DELETE', name);
    return element(
      'li',
      {},
      element('a', { href: this.#addressOf(name), download: name }, name),
      element('span', { class: 'quiet' }, bytes(size)),
      this.#mayChange ? button('Remove', remove, { class: 'plain', 'aria-label': `Remove ${name}` }) : undefined,
    );
  }

  #chooser(): HTMLElement {
    const input = element('input', { type: 'file', id: 'file', multiple: true });
    input.addEventListener('change', () => {
      for (const file of input.files ?? []) void this.#change('PUT', file.name, file);
      input.value = '';
    });
    return element('p', {}, element('label', { for: 'file' }, 'Add a file '), input);
  }

  async #change(method: 'PUT' | 'DELETE', name: string, file?: File): Promise<void> {
    this.#status.textContent = '';
    try {
      await callApi(method, this.#addressOf(name), file);
      await this.update();
    } catch (error) {
      this.#status.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  #addressOf(name: string): string {
    return `${this.#path}/${encodeURIComponent(name)}`;
  }
}
