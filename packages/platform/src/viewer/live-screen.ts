import type { ControlHolder, PageRequest, ShownTab, ViewMessage } from '../view/view-wire.ts';
import { DevToolsPanel } from './devtools-panel.ts';
import { button, element, fill } from './dom.ts';
import { LiveSocket } from './live-socket.ts';
import { takeInput } from './operator-input.ts';
import { takeKeys } from './operator-keys.ts';
import { ScreenCanvas } from './screen-canvas.ts';
import { QuestionPanel } from './question-panel.ts';
import { nameOf, TabChoice } from './tab-choice.ts';
import { RequestPanel } from './request-panel.ts';

const HOLDER_TEXTS: Readonly<Record<ControlHolder, string>> = {
  driver: 'The driver is in control. You are watching.',
  you: 'You have taken over. The driver waits.',
  other: 'Another operator has taken over. The driver waits.',
};
/** `keys`: hint for a keyboard; `glass`: hint for a touch screen. */
const INPUT_HINTS = {
  keys: 'Ctrl+Alt+Home leaves the screen.',
  glass: 'Use the page with one finger, zoom with two.',
};
const CRASHED = 'This page has crashed. Take over to reload it.';
const NO_PAGE = 'The browser has no open page.';

/** Live view of a browser: its screen, list of pages and controls. */
export class LiveScreen {
  readonly element: HTMLElement;
  readonly #socket: LiveSocket;
  readonly #devTools: DevToolsPanel;
  readonly #screen = element('canvas', { class: 'screen', width: '1280', height: '720', role: 'img' });
  readonly #picture = new ScreenCanvas(this.#screen);
  readonly #typing = element('textarea', {
    class: 'typing',
    'aria-label': 'Type into the page',
    'aria-describedby': 'live-status',
    autocapitalize: 'off',
    autocomplete: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    rows: '1',
  });
  readonly #tabs = new TabChoice((tab) => this.#socket.send({ type: 'show', tab }));
  readonly #requestPanel = new RequestPanel(
    (request) => this.#socket.send(request),
    () => this.#typing.focus(),
  );
  readonly #questions = new QuestionPanel((request) => this.#socket.send(request));
  readonly #status = element('p', { class: 'live-status', id: 'live-status', role: 'status' }, 'Connecting…');
  /** Why the server refused the last input. Cleared by the next navigation or change of control. */
  readonly #refusal = element('p', { class: 'alert', role: 'alert', hidden: true });
  readonly #again = button('Connect again', () => this.#socket.open(), { hidden: true });
  readonly #address = element('input', {
    'aria-label': 'Address',
    inputmode: 'url',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  readonly #takeOver = button('Take over', ({ detail }) => this.#toggleControl(detail), { class: 'primary' });
  readonly #byHand = element('form', { class: 'by-hand', 'aria-label': 'Use the page', hidden: true });
  #size = { width: 1280, height: 720 };
  #holder: ControlHolder = 'driver';
  #shownTab: ShownTab | undefined;
  #pageRequest: PageRequest = { dialog: undefined, files: undefined, field: undefined };
  #mayControl = false;
  #byKey = false;

  constructor(sessionId: string, { withDevTools }: { readonly withDevTools: boolean }) {
    this.#devTools = new DevToolsPanel(sessionId, { isOpen: withDevTools });
    this.#socket = new LiveSocket(sessionId, {
      onUpdate: (update) => this.#take(update),
      onPicture: (picture) => this.#picture.show(picture),
      onLoss: (reason, end) => this.#lose(reason, end),
    });
    this.#fillByHand();
    this.element = element(
      'section',
      { class: 'live', 'aria-label': 'Live view' },
      this.#questions.element,
      element('div', { class: 'toolbar' }, this.#tabs.element, this.#takeOver, this.#devTools.toggle),
      this.#byHand,
      this.#requestPanel.element,
      element('div', { class: 'stage' }, this.#screen, this.#typing),
      this.#refusal,
      this.#status,
      this.#again,
      this.#devTools.element,
    );
    this.#drawControl();
    this.#takeInput();
  }

  #takeInput(): void {
    const target = {
      screen: this.#screen,
      typing: this.#typing,
      size: () => this.#size,
      isMine: () => this.#holder === 'you',
      send: this.#socket.send.bind(this.#socket),
      focus: () => this.#typing.focus({ preventScroll: true }),
      leave: () => this.#takeOver.focus(),
    };
    takeInput(target);
    takeKeys(target);
  }

  #fillByHand(): void {
    const go = (label: string, sign: string, to: 'back' | 'forward' | 'reload'): HTMLElement =>
      button(sign, () => this.#work({ type: 'go', to }), { 'aria-label': label, title: label });
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
      if (this.#address.value !== '') this.#work({ type: 'navigate', url: this.#address.value });
      this.#screen.scrollIntoView({ block: 'nearest' });
    });
  }

  #work(request: { type: 'go'; to: 'back' | 'forward' | 'reload' } | { type: 'navigate'; url: string }): void {
    this.#refusal.hidden = true;
    this.#socket.send(request);
  }

  #take(update: ViewMessage): void {
    if (update.type === 'hello') this.#greet(update);
    else if (update.type === 'tabs') this.#showTabs(update.tabs, update.shown);
    else if (update.type === 'size') this.#size = { width: update.width, height: update.height };
    else if (update.type === 'control') this.#setHolder(update.holder);
    else if (update.type === 'pageRequest') this.#setPageRequest(update.pageRequest);
    else if (update.type === 'questions') this.#questions.show(update.questions, this.#mayControl);
    else {
      this.#refusal.textContent = update.reason;
      this.#refusal.hidden = false;
    }
  }

  #greet({ mayControl }: Extract<ViewMessage, { type: 'hello' }>): void {
    this.#mayControl = mayControl;
    this.#again.hidden = true;
    this.#screen.classList.remove('over');
    this.#devTools.offer(mayControl);
    this.#drawControl();
  }

  #showTabs(tabs: readonly ShownTab[], shown: string | undefined): void {
    const tab = tabs.find(({ id }) => id === shown);
    this.#shownTab = tab;
    this.#tabs.show(tabs, shown);
    if (tab && document.activeElement !== this.#address) this.#address.value = tab.url;
    this.#screen.setAttribute('aria-label', `The current page: ${tab ? nameOf(tab) : 'none'}`);
    this.#screen.classList.toggle('over', tab?.isCrashed !== false);
    this.#devTools.show(shown);
    this.#tellStatus();
  }

  #setHolder(holder: ControlHolder): void {
    const was = this.#holder;
    this.#holder = holder;
    this.#refusal.hidden = true;
    this.#drawControl();
    // On touch screens, the focus would open a keyboard that covers the page.
    if (holder === 'you' && was !== 'you' && (this.#byKey || !isOnScreen()))
      this.#typing.focus({ preventScroll: true });
  }

  #setPageRequest(pageRequest: PageRequest): void {
    this.#pageRequest = pageRequest;
    this.#requestPanel.show(pageRequest, this.#holder === 'you');
  }

  #drawControl(): void {
    const isMine = this.#holder === 'you';
    this.#takeOver.hidden = !this.#mayControl;
    this.#takeOver.textContent = isMine ? 'Hand back' : 'Take over';
    this.#byHand.hidden = !isMine;
    this.#typing.disabled = !isMine;
    this.#screen.classList.toggle('mine', isMine);
    this.#requestPanel.show(this.#pageRequest, isMine);
    this.#tellStatus();
  }

  #tellStatus(): void {
    const tab = this.#shownTab;
    const hint = this.#holder === 'you' ? ` ${INPUT_HINTS[isOnScreen() ? 'glass' : 'keys']}` : '';
    const text = tab === undefined ? NO_PAGE : tab.isCrashed ? CRASHED : HOLDER_TEXTS[this.#holder] + hint;
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  /** `clicks` is 0 if the button was activated with the keyboard. */
  #toggleControl(clicks: number): void {
    this.#byKey = clicks === 0;
    this.#socket.send({ type: this.#holder === 'you' ? 'hand-back' : 'take-over' });
  }

  #lose(reason: string, end: 'over' | 'given up' | undefined): void {
    this.#mayControl = false;
    this.#devTools.offer(false);
    this.#drawControl();
    this.#status.textContent = end === undefined ? `${reason} Connecting again…` : reason;
    this.#again.hidden = end !== 'given up';
    this.#screen.classList.toggle('over', true);
  }
}

function isOnScreen(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
