import { check } from './call-api.ts';
import { button, element, fill } from './dom.ts';
import { keepFocusFrom } from './keep-focus.ts';

/** DevTools for the shown page, below the screen. */
export class DevToolsPanel {
  readonly element = element('div', { class: 'devtools', hidden: true });
  readonly toggle: HTMLButtonElement;
  readonly #folder: string;
  #isOpen: boolean;
  #tab: string | undefined;
  #shownTab: string | undefined;
  #releaseFocus: (() => void) | undefined;

  constructor(sessionId: string, { isOpen }: { readonly isOpen: boolean }) {
    this.#folder = `/v1/sessions/${sessionId}/devtools`;
    this.#isOpen = isOpen;
    this.toggle = button('DevTools', () => this.#flip(), { hidden: true, 'aria-expanded': String(isOpen) });
  }

  /** Shows or hides the DevTools button. Hiding it also closes DevTools. */
  offer(isOffered: boolean): void {
    this.toggle.hidden = !isOffered;
    this.#draw();
  }

  /** Switches DevTools to another page. */
  show(tab: string | undefined): void {
    this.#tab = tab;
    this.#draw();
  }

  #flip(): void {
    this.#isOpen = !this.#isOpen;
    this.#draw();
  }

  #draw(): void {
    const isShown = this.#isOpen && !this.toggle.hidden;
    this.toggle.setAttribute('aria-expanded', String(isShown));
    this.element.hidden = !isShown;
    const tab = isShown ? this.#tab : undefined;
    if (tab === this.#shownTab) return;
    this.#shownTab = tab;
    this.#releaseFocus?.();
    if (tab === undefined) fill(this.element);
    else void this.#load(tab);
  }

  /** Requests the file first, because a frame does not report why it fails to load. */
  async #load(tab: string): Promise<void> {
    const loading = this.#say('Loading DevTools…');
    const file = `${this.#folder}/devtools_app.html`;
    try {
      await check(file);
    } catch (error) {
      if (loading.isConnected) this.#say(error instanceof Error ? error.message : String(error));
      return;
    }
    // DevTools was closed or shows another page by now.
    if (!loading.isConnected) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const src = `${file}?${scheme}=${location.host}${this.#folder}/page/${tab}`;
    const frame = element('iframe', { src, title: 'DevTools' });
    this.#releaseFocus = keepFocusFrom(frame);
    fill(this.element, frame);
  }

  #say(text: string): HTMLElement {
    const said = element('p', { class: 'devtools-status', role: 'status' }, text);
    fill(this.element, said);
    return said;
  }
}
