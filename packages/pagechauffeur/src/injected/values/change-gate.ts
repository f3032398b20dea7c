import { isInnermost } from '../acting/pending-action.ts';
import { rootOf } from '../native.ts';

const TOLD = ['input', 'change'] as const;
const PRESSED = ['keydown', 'keypress', 'beforeinput', 'keyup'] as const;

/** By the tokens of the actions. */
const gateByToken = new Map<number, ChangeGate>();

/** Puts the listeners in place, before those of the page; they do nothing until a gate is there. */
export function installChangeGate(): void {
  listen();
  // A document that is written anew loses its listeners; those that are set when its root comes are the first again.
  new MutationObserver(listen).observe(document, { childList: true });
}

function listen(): void {
  for (const type of TOLD) addEventListener(type, onTold, true);
  for (const type of PRESSED) addEventListener(type, onPressed, true);
}

/** Keeps from the page what a control tells before its value is reached. */
export function holdBack(token: number, control: Element, isReached: () => boolean): ChangeGate {
  const gate = new ChangeGate(token, control, isReached);
  gateByToken.set(token, gate);
  return gate;
}

/** Done when the control that an action's keys are changing now has its value; null when there is none. */
export function changeOver(token: number): Promise<void> | null {
  return gateByToken.get(token)?.over ?? null;
}

function onTold(event: Event): void {
  for (const gate of gateByToken.values()) gate.judgeTold(event);
}

function onPressed(event: Event): void {
  for (const gate of gateByToken.values()) gate.judgePressed(event);
}

/**
 * Stands between a control and its page while keys lead it to a value. What the control tells on the way is kept from
 * the page, which hears of the goal alone: one `input` and one `change`, the browser's own. Keys that would land
 * elsewhere, because the focus was taken away, are stopped.
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
    // Out of a shadow tree no `change` comes.
    if (this.#root instanceof ShadowRoot) this.#root.addEventListener('change', onTold, true);
  }

  /** Whether the page has heard of the goal. */
  get hasPassed(): boolean {
    return TOLD.every((type) => this.#passed.has(type));
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  close(): void {
    if (gateByToken.get(this.#token) === this) gateByToken.delete(this.#token);
    this.#root.removeEventListener('change', onTold, true);
    this.#over.resolve();
  }

  /** Stops what a control tells on the way. */
  judgeTold(event: Event): void {
    if (!event.isTrusted || !this.#isOfControl(event)) return;
    if (this.#mayPass(event.type)) this.#passed.add(event.type);
    else event.stopImmediatePropagation();
  }

  /** Stops keys of this action that would land elsewhere. */
  judgePressed(event: Event): void {
    if (!event.isTrusted || this.#isOfControl(event) || !isInnermost(this.#token)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // The `change` that belongs to the `input` follows it, also when the page has set another value meanwhile.
  #mayPass(type: string): boolean {
    if (this.#passed.has(type)) return false;
    return type === 'change' ? this.#passed.has('input') : this.#isReached();
  }

  #isOfControl({ target }: Event): boolean {
    return target !== null && this.#targets.has(target);
  }
}

/** An element and the hosts of the shadow trees that it is in, which events seem to come from outside of them. */
function* withHosts(element: Element): Iterable<Element> {
  yield element;
  for (let root = rootOf(element); root instanceof ShadowRoot; root = rootOf(root.host)) yield root.host;
}
