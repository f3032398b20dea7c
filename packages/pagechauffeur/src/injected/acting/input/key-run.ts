import type { FieldLock, KeysLeft, KeyStroke } from '../../contract.ts';
import { contains, documentElementOf, isConnected, queryAll, rootOf } from '../../native.ts';
import { isControl, isFocusable } from '../../element/controls.ts';
import { lockOf } from '../actionability.ts';
import { isEditable } from '../subject.ts';
import {
  focusedElement,
  focusHolderOf,
  hasFocusWithin,
  insertText,
  isPartOfEditor,
  isTextControl,
  takeFocus,
} from './text-entry.ts';
import { type KnownField, knownField, mayHandOver } from './successor-field.ts';
import { followText } from './text-guard.ts';
import { startTimer } from '../timer.ts';

/** Maximum ms between two keys. If the next one takes longer, it probably went to another document. */
const LONGEST_GAP = 300;

/** Keys pass again after this many ms without a call, in case the driver is gone. */
const LONGEST_PAUSE = 600_000;

const MODIFIERS: ReadonlySet<string> = new Set(['Alt', 'Control', 'Meta', 'Shift']);

/** Text events that keys cause. */
const OF_TEXT: ReadonlySet<string> = new Set(['keypress', 'beforeinput', 'textInput', 'copy', 'cut', 'paste']);
/** Clipboard events go to the element with the selection, which need not have focus. */
const OF_SELECTION: ReadonlySet<string> = new Set(['copy', 'cut', 'paste']);
/** The last events before an insertion. Earlier ones also occur for keys that insert nothing. */
const INSERTING: ReadonlySet<string> = new Set(['textInput', 'paste']);

/** Running key sequences by action token. The last one receives the keys that arrive now. */
const runByToken = new Map<number, KeyRun>();

/** Until `endKeys`, only these keys reach the element, and only in this order. */
export function beginKeys(token: number, element: Element, strokes: readonly KeyStroke[]): void {
  endKeys(token);
  runByToken.set(token, new KeyRun(holderOf(element), strokes, () => endKeys(token)));
}

export function beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void {
  const element = focusedElement() ?? documentElementOf(document);
  if (element) beginKeys(token, element, strokes);
}

/**
 * Keys go to the whole editor, or to the focused part of a component. For an element that cannot be focused, focus
 * stays where it is.
 */
function holderOf(element: Element): Element {
  const mayHaveFocus = isControl(element) || isFocusable(focusHolderOf(element));
  return mayHaveFocus && !hasFocusWithin(element) ? element : (focusedElement() ?? element);
}

/**
 * Waits until `awaited` keys have arrived, or no more arrive. Focuses the element again if some are missing. Once the
 * whole sequence has arrived, further keys are not filtered.
 */
export async function keysLeft(token: number, awaited: number): Promise<KeysLeft> {
  const left = (await runByToken.get(token)?.left(awaited)) ?? { count: 0, hasLostFocus: false };
  if (left.count === 0) endKeys(token);
  return left;
}

export function endKeys(token: number): void {
  runByToken.get(token)?.end();
  runByToken.delete(token);
}

/** Resolves when the key sequence ends. Null if the action types no keys in this document. */
export function keysOver(token: number): Promise<void> | null {
  return runByToken.get(token)?.over ?? null;
}

export function awaitsKeys(): boolean {
  return runByToken.size > 0;
}

export function tokensOfKeys(): readonly number[] {
  return [...runByToken.keys()];
}

/** Runs before the listeners of the page. Stops key events that are not part of the sequence. */
export function judgeKeys(event: Event): void {
  [...runByToken.values()].at(-1)?.judge(event);
}

/**
 * A key sequence for one element. The element always receives a prefix of the sequence, even if it loses focus several
 * times.
 */
class KeyRun {
  readonly #strokes: readonly KeyStroke[];
  /** The element that receives the next key. The page may focus the next field of a code after each key. */
  #field: KnownField;
  /** True if the element was editable before its first key. The page may change that while keys arrive. */
  #isField: boolean;
  /** Index of the next key. All before it have arrived. */
  #next = 0;
  /** The keydown whose keyup has not arrived yet. */
  #down: KeyboardEvent | null = null;
  #hasTyped = false;
  /** True if the text of the current key was stopped, because it would have gone to another element. */
  #isKept = false;
  readonly #pressed = new Set<string>();
  /** True if the element lost focus at any time since `beginKeys`. */
  #hasLostFocus = false;
  /** Text of the element at the last keydown. */
  #before = '';
  /** True if the element was read-only or disabled from the start. The page may handle its keys anyway. */
  #isLocked: boolean;
  /** The last event that was not stopped. The page may focus the next field in its listeners. */
  #passed: Event | null = null;
  #onEvent: () => void = () => undefined;
  readonly #over = Promise.withResolvers<void>();
  #stopTimer: () => void = () => undefined;
  readonly #giveUp: () => void;

  constructor(element: Element, strokes: readonly KeyStroke[], giveUp: () => void) {
    this.#field = knownField(element);
    this.#isField = isEditable(element);
    this.#isLocked = lockOf(element) !== null;
    this.#strokes = strokes;
    this.#giveUp = giveUp;
    this.#stopTimer = startTimer(giveUp, LONGEST_PAUSE);
    this.#listen();
  }

  // Repeated for each event, because `document.open()` removes listeners. Adding a listener twice has no effect.
  #listen(): void {
    addEventListener('focusin', this.#onFocus, true);
    addEventListener('blur', this.#onBlur, true);
  }

  get #holder(): Element {
    return this.#field.element;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  end(): void {
    this.#stopTimer();
    removeEventListener('focusin', this.#onFocus, true);
    removeEventListener('blur', this.#onBlur, true);
    this.#over.resolve();
  }

  judge(event: Event): void {
    this.#listen();
    if (event.type === 'keydown' && event instanceof KeyboardEvent) this.#judgeKey(event);
    else if (OF_TEXT.has(event.type)) this.#judgeText(event);
    else if (event.type === 'keyup' && event instanceof KeyboardEvent) this.#judgeRelease(event);
    else if (event.type === 'input' && this.#isForHolder(event)) this.#passed = event;
    this.#onEvent();
  }

  async left(awaited: number): Promise<KeysLeft> {
    this.#stopTimer();
    this.#stopTimer = startTimer(this.#giveUp, LONGEST_PAUSE);
    // The caller sends the missing keys right after this call. This document cannot know whether another frame has
    // focus.
    if (this.#next < awaited && isConnected(this.#holder)) takeFocus(this.#holder);
    this.#putIn(awaited);
    let hasMoreCome = true;
    while (hasMoreCome && (this.#next < awaited || this.#down !== null)) hasMoreCome = await this.#awaitNext();
    this.#takeBack();
    this.#putIn(awaited);
    const hasLostFocus = this.#hasLostFocus || !hasFocusWithin(this.#holder);
    const lock = this.#lock;
    const count = this.#strokes.length - this.#next;
    const popup = count > 0 ? popupOfOthers(this.#holder) : null;
    const left = { count, hasLostFocus, ...(popup && { popup }), ...(lock && { lock }) };
    if (this.#next < awaited && isConnected(this.#holder)) takeFocus(this.#holder);
    return left;
  }

  #awaitNext(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stopTimer = startTimer(() => resolve(false), LONGEST_GAP);
    this.#onEvent = () => {
      stopTimer();
      resolve(true);
    };
    return promise;
  }

  #judgeKey(event: KeyboardEvent): void {
    if (!this.#isForHolder(event)) return stop(event);
    const { key, code } = event;
    this.#takeBack();
    this.#putIn(this.#strokes.length);
    const stroke = this.#strokes[this.#next];
    const isNext = stroke !== undefined && 'key' in stroke && stroke.key === key;
    if (!isNext && !MODIFIERS.has(key)) return stop(event);
    this.#pressed.add(code);
    if (!isNext) return;
    this.#next += 1;
    this.#down = this.#passed = event;
    this.#hasTyped = this.#isKept = false;
    this.#before = textOf(this.#holder);
  }

  /** Why the element stopped being editable; null if it still is, or never was. */
  get #lock(): FieldLock | null {
    return this.#isField && !this.#isLocked ? lockOf(this.#holder) : null;
  }

  // The text goes to the element that has focus now. That may have changed since the keydown.
  #judgeText(event: Event): void {
    const isForHolder = OF_SELECTION.has(event.type) ? hasFocusWithin(this.#holder) : this.#isForHolder(event);
    if (!this.#down || !isForHolder) {
      this.#isKept ||= INSERTING.has(event.type);
      return stop(event);
    }
    this.#hasTyped = true;
    if (event.type === 'beforeinput') this.#passed = event;
    followText(event, {
      isStillFocused: () => hasFocusWithin(this.#holder),
      onStopped: () => {
        this.#hasTyped = false;
        this.#isKept ||= INSERTING.has(event.type);
      },
    });
  }

  #judgeRelease(event: KeyboardEvent): void {
    const isOfHolder = this.#pressed.delete(event.code) && this.#isForHolder(event);
    if (isOfHolder) this.#passed = event;
    else stop(event);
    if (this.#down?.code === event.code) this.#takeBack();
  }

  /** Ends the current key. Counts the key as missing if its text did not reach the element. */
  #takeBack(): void {
    const down = this.#down;
    this.#down = null;
    if (down && this.#isKept) this.#next -= 1;
    if (!down || this.#isKept || down.defaultPrevented || !isCharacter(down)) return;
    const isLost = !this.#hasTyped && !hasFocusWithin(this.#holder);
    const isRefused = this.#lock !== null && textOf(this.#holder) === this.#before;
    if (isLost || isRefused) this.#next -= 1;
  }

  /** Inserts text that no key produces, up to stroke `end`. */
  #putIn(end: number): void {
    while (this.#next < end) {
      const stroke = this.#strokes[this.#next];
      if (!stroke || !('text' in stroke)) return;
      const isThere = (): boolean => hasFocusWithin(this.#holder);
      if (this.#lock !== null || !isConnected(this.#holder) || (!isThere() && !takeFocus(this.#holder))) return;
      this.#next += 1;
      insertText(stroke.text, isThere);
    }
  }

  #isForHolder(event: Event): boolean {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return false;
    if (target === this.#holder || contains(this.#holder, target)) return true;
    return (isPartOfEditor(this.#holder, target) || isHostOf(target, this.#holder)) && hasFocusWithin(this.#holder);
  }

  readonly #onFocus = (event: Event): void => {
    const focused = focusedElement();
    if (!event.isTrusted || !focused || !this.#passed || !this.#mayGoOn(this.#passed, focused)) return;
    this.#field = knownField(focused);
    this.#isField = isEditable(focused);
    this.#isLocked = lockOf(focused) !== null;
  };

  readonly #onBlur = ({ isTrusted }: Event): void => {
    this.#hasLostFocus ||= isTrusted;
    // A list that the page opens after the last key is there on purpose.
    if (isTrusted && this.#down !== null && this.#next < this.#strokes.length) queueMicrotask(this.#closePicker);
  };

  // An open popup receives keys without DOM events. It closes when its control loses focus.
  readonly #closePicker = (): void => {
    const focused = focusedElement();
    if (focused && hasPicker(focused) && !hasFocusWithin(this.#holder) && isConnected(this.#holder))
      takeFocus(this.#holder);
  };

  /** True if the focus change responds to a key of the sequence: the page moved focus, or Tab did. */
  #mayGoOn(passed: Event, focused: Element): boolean {
    const isDispatching = passed.eventPhase !== Event.NONE;
    if (!(passed instanceof KeyboardEvent) || passed.type !== 'keydown')
      return isDispatching && (!this.#isField || mayHandOver(this.#field, focused));
    return passed.key === 'Tab' ? this.#down === passed : isDispatching && !this.#isField;
  }
}

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Returns an empty string for editors: pages lock only controls, and reading a long editor for each key is slow. */
function textOf(element: Element): string {
  return isTextControl(element) ? element.value : '';
}

function hasPicker(element: Element): boolean {
  return element instanceof HTMLSelectElement || (element instanceof HTMLInputElement && PICKED.has(element.type));
}

/** Input types for which the browser shows a popup. */
const PICKED: ReadonlySet<string> = new Set(['color', 'date', 'datetime-local', 'month', 'time', 'week']);

function isHostOf(host: Element, element: Element): boolean {
  for (let root = rootOf(element); root instanceof ShadowRoot; root = rootOf(root.host))
    if (root.host === host) return true;
  return false;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Returns the other controls with an open popup, such as a select after `showPicker()`. The popups receive keys before
 * any element does. Searches the document and the shadow tree around `except`.
 */
function controlsWithPopup(except: Element): readonly Element[] {
  if (!CSS.supports('selector(:open)')) return [];
  const root = rootOf(except);
  const scopes = root instanceof ShadowRoot ? [root, document] : [document];
  return scopes.flatMap((scope) => queryAll(scope, 'select:open, input:open')).filter((control) => control !== except);
}

/** `list`: a select is open; `picker`: a date or color field is open. */
function popupOfOthers(element: Element): 'list' | 'picker' | null {
  const controls = controlsWithPopup(element);
  if (controls.length === 0) return null;
  return controls.some((control) => control instanceof HTMLSelectElement) ? 'list' : 'picker';
}

/** Focuses and blurs each control. This closes the list of a select without a selection. A color picker stays open. */
export function closePopupsOfOthers(element: Element): void {
  for (const control of controlsWithPopup(element)) {
    if (!(control instanceof HTMLElement)) continue;
    HTMLElement.prototype.focus.call(control, { preventScroll: true });
    HTMLElement.prototype.blur.call(control);
  }
}
