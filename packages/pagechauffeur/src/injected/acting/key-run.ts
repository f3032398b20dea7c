import type { FieldLock, KeysLeft, KeyStroke } from '../contract.ts';
import { contains, documentElementOf, isConnected, rootOf } from '../native.ts';
import { isControl, isFocusable } from '../focusable.ts';
import { lockOf } from './actionability.ts';
import { popupOfOthers } from './control-popups.ts';
import { isEditable } from './subject.ts';
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
import { followText } from './text-in-flight.ts';
import { startTimer } from './timer.ts';

/** A key that has not arrived this many ms after the previous one went elsewhere. */
const LONGEST_GAP = 300;

/** Keys pass again after this many ms without a call for them: the driver may be gone. */
const LONGEST_PAUSE = 600_000;

/** Keys that only modify other keys. */
const MODIFIERS: ReadonlySet<string> = new Set(['Alt', 'Control', 'Meta', 'Shift']);

/** Events of keys that act on the text of the focused element. */
const OF_TEXT: ReadonlySet<string> = new Set(['keypress', 'beforeinput', 'textInput', 'copy', 'cut', 'paste']);
/** Events whose target is the selection, which may be outside the focused element. */
const OF_SELECTION: ReadonlySet<string> = new Set(['copy', 'cut', 'paste']);
/** Events directly before an insertion. Earlier events may belong to a key that does something else. */
const INSERTING: ReadonlySet<string> = new Set(['textInput', 'paste']);

/** By action token. The keys that arrive now belong to the last one. */
const runByToken = new Map<number, KeyRun>();

/** Lets only these keys, in this order, reach this element and nothing else. */
export function beginKeys(token: number, element: Element, strokes: readonly KeyStroke[]): void {
  endKeys(token);
  runByToken.set(token, new KeyRun(holderOf(element), strokes, () => endKeys(token)));
}

/** `beginKeys` for the focused element. */
export function beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void {
  const element = focusedElement() ?? documentElementOf(document);
  if (element) beginKeys(token, element, strokes);
}

/**
 * The element that gets the keys: the whole editor, or the part to which a component moved the focus. An element that is never focusable
 * leaves the focus where it is.
 */
function holderOf(element: Element): Element {
  const mayHaveFocus = isControl(element) || isFocusable(focusHolderOf(element));
  return mayHaveFocus && !hasFocusWithin(element) ? element : (focusedElement() ?? element);
}

/**
 * Waits until this many keys of an action have arrived, or no more arrive. If some are missing, the element gets the focus back if it
 * can. Once all have arrived, keys reach whatever has the focus again.
 */
export async function keysLeft(token: number, awaited: number): Promise<KeysLeft> {
  const left = (await runByToken.get(token)?.left(awaited)) ?? { count: 0, hasLostFocus: false };
  if (left.count === 0) endKeys(token);
  return left;
}

/** Lets keys reach whatever has the focus again. */
export function endKeys(token: number): void {
  runByToken.get(token)?.end();
  runByToken.delete(token);
}

/** Resolves when all keys of the action have arrived; null if the action types no keys here. */
export function keysOver(token: number): Promise<void> | null {
  return runByToken.get(token)?.over ?? null;
}

/** True if this document awaits keys now. */
export function awaitsKeys(): boolean {
  return runByToken.size > 0;
}

/** Tokens of the actions whose keys this document awaits. */
export function tokensOfKeys(): readonly number[] {
  return [...runByToken.keys()];
}

/** Stops a key event that is not for the intended element. Runs before the page's listeners. */
export function judgeKeys(event: Event): void {
  [...runByToken.values()].at(-1)?.judge(event);
}

/** Keys on their way to one element. The element always receives a prefix of the intended keys, however often it loses the focus. */
class KeyRun {
  readonly #strokes: readonly KeyStroke[];
  /** The element that gets the next key. On a key, a page may move on to the next field of a code. */
  #field: KnownField;
  /** True if the element took text when it got the focus. A page can change that while keys arrive. */
  #isField: boolean;
  /** Number of strokes that arrived. */
  #next = 0;
  /** A key whose keydown arrived and whose keyup did not. */
  #down: KeyboardEvent | null = null;
  #hasTyped = false;
  /** True if the text was about to go to another element. */
  #isKept = false;
  /** Codes of the keys that are down. */
  readonly #pressed = new Set<string>();
  /** True if the element lost the focus since `beginKeys`. Keys may arrive before `left` is called. */
  #hasLostFocus = false;
  /** The text of the element when its last key arrived. */
  #before = '';
  /** True if the element took no text from the start. A page may listen to its keys anyway. */
  #isLocked: boolean;
  /** The last event that passed. During it, the page may focus the next field. */
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

  // `document.open()` removes all listeners. Adding one again has no effect if it is still there.
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
    // Focuses the element right before the keys, which follow this call. This document cannot tell if another frame has the focus.
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

  /** Why the page no longer lets the element take text, if it did at first; null if it still does. */
  get #lock(): FieldLock | null {
    return this.#isField && !this.#isLocked ? lockOf(this.#holder) : null;
  }

  // The text of a key goes to the element that has the focus by then.
  #judgeText(event: Event): void {
    const isForHolder = OF_SELECTION.has(event.type) ? hasFocusWithin(this.#holder) : this.#isForHolder(event);
    if (!this.#down || !isForHolder) {
      this.#isKept ||= INSERTING.has(event.type);
      return stop(event);
    }
    this.#hasTyped = true;
    followText(event, {
      isInPlace: () => hasFocusWithin(this.#holder),
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

  /** Ends the current key. If its text did not reach the element, the key counts as missing. */
  #takeBack(): void {
    const down = this.#down;
    this.#down = null;
    if (down && this.#isKept) this.#next -= 1;
    if (!down || this.#isKept || down.defaultPrevented || !isCharacter(down)) return;
    const isLost = !this.#hasTyped && !hasFocusWithin(this.#holder);
    const isRefused = this.#lock !== null && textOf(this.#holder) === this.#before;
    if (isLost || isRefused) this.#next -= 1;
  }

  /** Inserts the next texts that no key types, up to stroke `end`. */
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
    // On the last key, a page may move on to a list.
    if (isTrusted && this.#down !== null && this.#next < this.#strokes.length) queueMicrotask(this.#closePicker);
  };

  // The browser's popup of a control takes keys without an event. It closes when its control loses the focus.
  readonly #closePicker = (): void => {
    const focused = focusedElement();
    if (focused && hasPicker(focused) && !hasFocusWithin(this.#holder) && isConnected(this.#holder))
      takeFocus(this.#holder);
  };

  /** True if the page, or the Tab key, moves the focus to another element because of one of these keys. */
  #mayGoOn(passed: Event, focused: Element): boolean {
    const isHeardNow = passed.eventPhase !== Event.NONE;
    if (!(passed instanceof KeyboardEvent) || passed.type !== 'keydown')
      return isHeardNow && (!this.#isField || mayHandOver(this.#field, focused));
    return passed.key === 'Tab' ? this.#down === passed : isHeardNow && !this.#isField;
  }
}

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** The text of a control; empty for editors. Only controls get locked, and reading a long editor on each key is slow. */
function textOf(element: Element): string {
  return isTextControl(element) ? element.value : '';
}

/** True if the browser draws a popup for the control. */
function hasPicker(element: Element): boolean {
  return element instanceof HTMLSelectElement || (element instanceof HTMLInputElement && PICKED.has(element.type));
}

/** Input types with a popup. */
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
