import type { ControlHolder, ShownTab, ViewNews } from '../view/view-wire.ts';
import { DevToolsPanel } from './devtools-panel.ts';
import { button, element, fill } from './dom.ts';
import { LiveSocket } from './live-socket.ts';
import { takeInput } from './person-input.ts';

const HOLDER_WORDS: Readonly<Record<ControlHolder, string>> = {
  driver: 'The driver works. You are looking on.',
  you: 'You have taken over; the driver waits. Ctrl+Alt+Home leaves the screen.',
  other: 'Somebody else has taken over; the driver waits.',
};

/** A browser as it is now: its picture, its pages, and the means to work in it. */
export class LiveScreen {
  readonly element: HTMLElement;
  readonly #socket: LiveSocket;
  readonly #devTools: DevToolsPanel;
  readonly #screen = element('canvas', {
    class: 'screen',
    width: '1280',
    height: '720',
    tabindex: '0',
    role: 'application',
    'aria-label': 'The page as it is now',
    'aria-describedby': 'live-status',
  });
  readonly #typing = element('textarea', {
    class: 'typing',
    'aria-label': 'Type into the page',
    autocapitalize: 'off',
    autocomplete: 'off',
    spellcheck: 'false',
    rows: '1',
  });
  readonly #tabs = element('select', { 'aria-label': 'Page' });
  readonly #status = element('p', { class: 'live-status', id: 'live-status', role: 'status' }, 'Connecting…');
  readonly #address = element('input', {
    'aria-label': 'Address',
    inputmode: 'url',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  readonly #takeOver = button('Take over', () => this.#toggleControl(), { class: 'primary' });
  readonly #byHand = element('form', { class: 'by-hand', 'aria-label': 'Work in the page', hidden: true });
  #size = { width: 1280, height: 720 };
  #holder: ControlHolder = 'driver';
  #mayControl = false;
  #isDrawing = false;
  #next: Blob | undefined;

  constructor(sessionId: string, { withDevTools }: { readonly withDevTools: boolean }) {
    this.#devTools = new DevToolsPanel(sessionId, { isOpen: withDevTools });
    this.#socket = new LiveSocket(sessionId, {
      onNews: (news) => this.#take(news),
      onPicture: (picture) => this.#show(picture),
      onLoss: (reason, isOver) => this.#lose(reason, isOver),
    });
    this.#tabs.addEventListener('change', () => this.#socket.send({ type: 'show', tab: this.#tabs.value }));
    this.#fillByHand();
    this.element = element(
      'section',
      { class: 'live', 'aria-label': 'Live view' },
      element('div', { class: 'toolbar' }, this.#tabs, this.#takeOver, this.#devTools.toggle),
      this.#byHand,
      element('div', { class: 'stage' }, this.#screen, this.#typing),
      this.#status,
      this.#devTools.element,
    );
    this.#drawControl();
    takeInput({
      screen: this.#screen,
      typing: this.#typing,
      size: () => this.#size,
      isMine: () => this.#holder === 'you',
      send: (request) => this.#socket.send(request),
      leave: () => this.#takeOver.focus(),
    });
  }

  #fillByHand(): void {
    const go = (label: string, sign: string, to: 'back' | 'forward' | 'reload'): HTMLElement =>
      button(sign, () => this.#socket.send({ type: 'go', to }), { 'aria-label': label, title: label });
    fill(
      this.#byHand,
      go('Back', '←', 'back'),
      go('Forward', '→', 'forward'),
      go('Reload', '↻', 'reload'),
      this.#address,
      element('button', {}, 'Go'),
      button('Keyboard', () => this.#typing.focus(), { class: 'keyboard' }),
    );
    this.#byHand.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#address.value !== '') this.#socket.send({ type: 'navigate', url: this.#address.value });
      this.#screen.focus();
    });
  }

  #take(news: ViewNews): void {
    if (news.type === 'hello') {
      this.#mayControl = news.mayControl;
      this.#devTools.offer(news.hasDevTools);
      this.#drawControl();
    } else if (news.type === 'tabs') this.#showTabs(news.tabs, news.shown);
    else if (news.type === 'size') this.#size = { width: news.width, height: news.height };
    else if (news.type === 'control') this.#setHolder(news.holder);
    else this.#status.textContent = news.reason;
  }

  #showTabs(tabs: readonly ShownTab[], shown: string | undefined): void {
    const options = tabs.map(({ id, title, url }) =>
      element('option', { value: id, selected: id === shown }, title || url || 'Untitled'),
    );
    fill(this.#tabs, ...options);
    this.#tabs.disabled = tabs.length === 0;
    const tab = tabs.find(({ id }) => id === shown);
    if (tab && document.activeElement !== this.#address) this.#address.value = tab.url;
    this.#screen.setAttribute('aria-label', `The page as it is now: ${tab?.title || tab?.url || 'none'}`);
    this.#devTools.show(shown);
  }

  #setHolder(holder: ControlHolder): void {
    const was = this.#holder;
    this.#holder = holder;
    this.#drawControl();
    if (holder === 'you' && was !== 'you') this.#screen.focus();
  }

  #drawControl(): void {
    const isMine = this.#holder === 'you';
    this.#takeOver.hidden = !this.#mayControl;
    this.#takeOver.textContent = isMine ? 'Hand back' : 'Take over';
    this.#byHand.hidden = !isMine;
    this.#typing.disabled = !isMine;
    this.#screen.classList.toggle('mine', isMine);
    this.#status.textContent = HOLDER_WORDS[this.#holder];
  }

  #toggleControl(): void {
    this.#socket.send({ type: this.#holder === 'you' ? 'hand-back' : 'take-over' });
  }

  /** Only the newest picture counts; those that came while one was drawn are left out. */
  #show(picture: Blob): void {
    this.#next = picture;
    if (!this.#isDrawing) void this.#draw();
  }

  async #draw(): Promise<void> {
    this.#isDrawing = true;
    while (this.#next) {
      const picture = this.#next;
      this.#next = undefined;
      const bitmap = await createImageBitmap(picture);
      if (this.#screen.width !== bitmap.width) this.#screen.width = bitmap.width;
      if (this.#screen.height !== bitmap.height) this.#screen.height = bitmap.height;
      this.#screen.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
      this.#screen.dataset['pictures'] = String(Number(this.#screen.dataset['pictures'] ?? 0) + 1);
    }
    this.#isDrawing = false;
  }

  #lose(reason: string, isOver: boolean): void {
    this.#holder = 'driver';
    this.#drawControl();
    this.#status.textContent = isOver ? reason : `${reason} Connecting again…`;
    if (!isOver) return;
    this.#takeOver.hidden = true;
    this.#screen.classList.add('over');
  }
}
