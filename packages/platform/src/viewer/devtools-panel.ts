import { button, element, fill } from './dom.ts';

/** The browser's own DevTools for the page that is shown, below its picture. */
export class DevToolsPanel {
  readonly element = element('div', { class: 'devtools', hidden: true });
  readonly toggle: HTMLButtonElement;
  readonly #folder: string;
  #isOpen: boolean;
  #tab: string | undefined;
  #shownTab: string | undefined;

  constructor(sessionId: string, { isOpen }: { readonly isOpen: boolean }) {
    this.#folder = `/v1/sessions/${sessionId}/devtools`;
    this.#isOpen = isOpen;
    this.toggle = button('DevTools', () => this.#flip(), { hidden: true, 'aria-expanded': String(isOpen) });
  }

  /** Whether the browser brings any along, and whoever looks may use them. */
  offer(isOffered: boolean): void {
    this.toggle.hidden = !isOffered;
    if (!isOffered) this.#isOpen = false;
    this.#draw();
  }

  /** Another page is looked at. */
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
    fill(
      this.element,
      tab === undefined ? undefined : element('iframe', { src: this.#addressOf(tab), title: 'DevTools' }),
    );
  }

  #addressOf(tab: string): string {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return `${this.#folder}/devtools_app.html?${scheme}=${location.host}${this.#folder}/page/${tab}`;
  }
}
