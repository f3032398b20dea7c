import { keepListening } from '../own-listeners.ts';
import { isInnermost } from '../acting/pending-action.ts';
import { rootOf } from '../native.ts';

const CHANGE_EVENTS = ['input', 'change'] as const;
const KEY_EVENTS = ['keydown', 'keypress', 'beforeinput', 'keyup'] as const;

const gateByToken = new Map<number, ChangeGate>();

/** Call before page scripts run. The listeners have no effect while there is no gate. */
export function installChangeGate(): void {
  keepListening(listen);
}

function listen(): void {
  for (const type of CHANGE_EVENTS) addEventListener(type, onChangeEvent, true);
  for (const type of KEY_EVENTS) addEventListener(type, onKeyEvent, true);
}

/** Hides a control's `input` and `change` events from the page until the control has its value. */
export function holdBack(token: number, control: Element, isReached: () => boolean): ChangeGate {
  const gate = new ChangeGate(token, control, isReached);
  gateByToken.set(token, gate);
  return gate;
}

/** Resolves when this action has finished changing a control with keys. Returns `null` if it changes none. */
export function changeOver(token: number): Promise<void> | null {
  return gateByToken.get(token)?.over ?? null;
}

function onChangeEvent(event: Event): void {
  for (const gate of gateByToken.values()) gate.judgeChangeEvent(event);
}

function onKeyEvent(event: Event): void {
  for (const gate of gateByToken.values()) gate.judgeKeyEvent(event);
}

/**
 * Filters a control's events while keys change its value. The page receives only one `input` and one `change`, both
 * from the browser and for the final value. Stops keys that would reach another element because the control lost focus.
 */
export class ChangeGate {
  readonly #token: number;
  readonly #targets: ReadonlySet<EventTarget>;
  readonly #root: Node;
  readonly #isReached: () => boolean;
  readonly #passed = new Set<string>();
  readonly #over = Promise.withResolvers<void>();

  constructor(token: number, control: Element, isReached: () => boolean) {
    this.#token = token;
    this.#targets = new Set(withHosts(control));
    this.#root = rootOf(control);
    this.#isReached = isReached;
    // `change` events do not leave a shadow tree.
    if (this.#root instanceof ShadowRoot) this.#root.addEventListener('change', onChangeEvent, true);
  }

  /** True if the page received both events for the final value. */
  get hasPassed(): boolean {
    return CHANGE_EVENTS.every((type) => this.#passed.has(type));
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  close(): void {
    if (gateByToken.get(this.#token) === this) gateByToken.delete(this.#token);
    this.#root.removeEventListener('change', onChangeEvent, true);
    this.#over.resolve();
  }

  /** Stops the control's events, except one of each type for the final value. */
  judgeChangeEvent(event: Event): void {
    if (!event.isTrusted || !this.#isOfControl(event)) return;
    if (this.#mayPass(event.type)) this.#passed.add(event.type);
    else event.stopImmediatePropagation();
  }

  /** Stops keys of this action that would reach another element. */
  judgeKeyEvent(event: Event): void {
    if (!event.isTrusted || this.#isOfControl(event) || !isInnermost(this.#token)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // `change` follows its `input`, even if the page sets another value in between.
  #mayPass(type: string): boolean {
    if (this.#passed.has(type)) return false;
    return type === 'change' ? this.#passed.has('input') : this.#isReached();
  }

  #isOfControl({ target }: Event): boolean {
    return target !== null && this.#targets.has(target);
  }
}

/** Yields the element and the hosts around it. Outside a shadow tree, its events have the host as target. */
function* withHosts(element: Element): Iterable<Element> {
  yield element;
  for (let root = rootOf(element); root instanceof ShadowRoot; root = rootOf(root.host)) yield root.host;
}
