import type { UploadedFile, PageRequest, ShownDialog, ViewRequest } from '../view/view-wire.ts';
import { button, element, fill } from './dom.ts';
import { fieldForm } from './field-form.ts';

const TITLES: Readonly<Record<ShownDialog['kind'], string>> = {
  alert: 'The page says',
  confirm: 'The page asks',
  prompt: 'The page asks',
  beforeunload: 'Leave the page?',
};
const WAITS = 'The page is waiting for an answer. Take over to respond.';
/** The server accepts messages of 16 MiB, and base64 adds a third. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Dialogs, file choosers and control popups of the shown page, with controls to answer them. */
export class RequestPanel {
  readonly element = element('section', {
    class: 'page-request',
    hidden: true,
    'aria-label': 'The page is waiting for you',
  });
  readonly #send: (request: ViewRequest) => void;
  readonly #focusScreen: () => void;
  #shown = '';

  constructor(send: (request: ViewRequest) => void, focusScreen: () => void) {
    this.#send = send;
    this.#focusScreen = focusScreen;
  }

  /** Shows what the page waits for. Only the operator gets controls. */
  show({ dialog, files, field }: PageRequest, isMine: boolean): void {
    const state = JSON.stringify([dialog, files, field, isMine]);
    if (state === this.#shown) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.#shown = state;
    this.element.hidden = !dialog && !((files || field) && isMine);
    fill(
      this.element,
      dialog ? this.#dialog(dialog, isMine) : undefined,
      files && isMine ? this.#chooser(files) : undefined,
      field && isMine ? fieldForm(field, this.#send) : undefined,
    );
    if (!isMine) return;
    if (!this.element.hidden) this.element.querySelector<HTMLElement>('input, select, button')?.focus();
    else if (hadFocus) this.#focusScreen();
  }

  #dialog({ kind, message, text }: ShownDialog, isMine: boolean): HTMLElement {
    const input = kind === 'prompt' ? element('input', { 'aria-label': 'Answer', value: text }) : undefined;
    const answer = (accept: boolean) => (): void => this.#send({ type: 'dialog', accept, text: input?.value ?? '' });
    const yes = kind === 'beforeunload' ? 'Leave' : 'OK';
    const no = kind === 'beforeunload' ? 'Stay' : 'Cancel';
    const form = element(
      'form',
      { role: 'alertdialog', 'aria-labelledby': 'request-title', 'aria-describedby': 'request-text' },
      element('h2', { id: 'request-title' }, TITLES[kind]),
      element('p', { id: 'request-text', class: 'request-text' }, message),
      isMine ? input : element('p', { class: 'quiet' }, WAITS),
      isMine ? this.#buttons(yes, kind === 'alert' ? undefined : button(no, answer(false))) : undefined,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer(true)();
    });
    form.addEventListener('keydown', ({ key }) => key === 'Escape' && answer(kind === 'alert')());
    return form;
  }

  #chooser({ isMultiple }: { readonly isMultiple: boolean }): HTMLElement {
    const input = element('input', { type: 'file', id: 'request-files', multiple: isMultiple });
    const status = element('p', { class: 'quiet', role: 'status' });
    const form = element(
      'form',
      {},
      element('label', { for: 'request-files' }, isMultiple ? 'The page asks for files' : 'The page asks for a file'),
      input,
      status,
      this.#buttons(
        'Send to the page',
        button('Cancel', () => this.#send({ type: 'files', files: [] })),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#sendFiles([...(input.files ?? [])], status);
    });
    form.addEventListener('keydown', ({ key }) => key === 'Escape' && this.#send({ type: 'files', files: [] }));
    return form;
  }

  async #sendFiles(files: readonly File[], status: HTMLElement): Promise<void> {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (files.length === 0) status.textContent = 'Choose a file first.';
    else if (bytes > MAX_BYTES) status.textContent = `Files can have at most ${MAX_BYTES / 1024 / 1024} MiB.`;
    else this.#send({ type: 'files', files: await Promise.all(files.map(given)) });
  }

  #buttons(yes: string, no: HTMLElement | undefined): HTMLElement {
    return element('div', { class: 'answers' }, element('button', { class: 'primary' }, yes), no);
  }
}

async function given(file: File): Promise<UploadedFile> {
  const { name, type } = file;
  const { promise, resolve } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(String(reader.result)));
  reader.readAsDataURL(file);
  const url = await promise;
  return { name, type, base64: url.slice(url.indexOf(',') + 1) };
}
