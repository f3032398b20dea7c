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

/** Maximum ms between two keys. A later key was sent to another document. */
const LONGEST_GAP = 300;

/** Timeout in ms after which keys pass again without a call, in case the driver is gone. */
const LONGEST_PAUSE = 600_000;

/** Keys that only modify other keys. */
const MODIFIERS: ReadonlySet<string> = new Set(['Alt', 'Control', 'Meta', 'Shift']);

/** Events of keys that act on the text of the focused element. */
const OF_TEXT: ReadonlySet<string> = new Set(['keypress', 'beforeinput', 'textInput', 'copy', 'cut', 'paste']);
/** Events whose target is the element with the selection, which may not have focus. */
const OF_SELECTION: ReadonlySet<string> = new Set(['copy', 'cut', 'paste']);
/** Events directly before an insertion. Earlier events also occur for keys that do not insert text. */
const INSERTING: ReadonlySet<string> = new Set(['textInput', 'paste']);

/** Running key sequences by action token. The last sequence receives the keys that arrive now. */
const runByToken = new Map<number, KeyRun>();

/** Until `endKeys`, only these keys reach this element, and only in this order. */
export function beginKeys(token: number, element: Element, strokes: readonly KeyStroke[]): void {
  endKeys(token);
  runByToken.set(token, new KeyRun(holderOf(element), strokes, () => endKeys(token)));
}

/** Like `beginKeys`, for the focused element. */
export function beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void {
  const element = focusedElement() ?? documentElementOf(document);
  if (element) beginKeys(token, element, strokes);
}

/**
 * Returns the element that receives the keys: the whole editor, or the part of a component that has focus. An element
 * that cannot be focused leaves focus where it is.
 */
function holderOf(element: Element): Element {
  const mayHaveFocus = isControl(element) || isFocusable(focusHolderOf(element));
  return mayHaveFocus && !hasFocusWithin(element) ? element : (focusedElement() ?? element);
}

/**
 * Waits until this many keys of an action have arrived, or until no more arrive. If some are missing, focuses the
 * element again if possible. Once all have arrived, further keys are not filtered.
 */
export async function keysLeft(token: number, awaited: number): Promise<KeysLeft> {
  const left = (await runByToken.get(token)?.left(awaited)) ?? { count: 0, hasLostFocus: false };
  if (left.count === 0) endKeys(token);
  return left;
}

/** Stops filtering keys for this action. */
export function endKeys(token: number): void {
  runByToken.get(token)?.end();
  runByToken.delete(token);
}

/** Resolves when all keys of the action have arrived. Returns null if the action types no keys in this document. */
export function keysOver(token: number): Promise<void> | null {
  return runByToken.get(token)?.over ?? null;
}

/** True if a key sequence is running in this document. */
export function awaitsKeys(): boolean {
  return runByToken.size > 0;
}

/** Returns the tokens of the actions with a running key sequence in this document. */
export function tokensOfKeys(): readonly number[] {
  return [...runByToken.keys()];
}

/** Stops a key event that is not part of the running sequence. Called before the page's listeners. */
export function judgeKeys(event: Event): void {
  [...runByToken.values()].at(-1)?.judge(event);
}

/**
 * A key sequence for one element. Even if the element loses focus several times, it always receives a prefix of the
 * sequence.
 */
class KeyRun {
  readonly #strokes: readonly KeyStroke[];
  /**
   * The element that gets the next key. Changes if the page moves focus between the fields of a code after each key.
   */
  #field: KnownField;
  /** True if the element was editable when it received focus. The page may change that during typing. */
  #isField: boolean;
  /** Number of keys that have arrived. */
  #next = 0;
  /** The keydown event whose keyup has not arrived yet. */
  #down: KeyboardEvent | null = null;
  #hasTyped = false;
  /** True if the text of the current key was stopped because it would have gone to another element. */
  #isKept = false;
  /** Codes of the pressed keys. */
  readonly #pressed = new Set<string>();
  /** True if the element lost focus since `beginKeys`. Keys may arrive before `left` is called. */
  #hasLostFocus = false;
  /** The element's text when its last key arrived. */
  #before = '';
  /** True if the element was read-only or disabled from the start. The page may handle its keys anyway. */
  #isLocked: boolean;
  /** The last event that was not stopped. The page may focus the next field while handling it. */
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

  // Called again for each event, because `document.open()` removes listeners. Adding a listener twice has no effect.
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
    // Focuses the element right before the keys, which are sent after this call. This document cannot know whether
    // another frame has focus.
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

  /** Why the element is no longer editable if it was at first; null if it still is. */
  get #lock(): FieldLock | null {
    return this.#isField && !this.#isLocked ? lockOf(this.#holder) : null;
  }

  // Focus may have moved since the keydown, and the text goes to the element that has focus now.
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

  /** Ends the current key. Counts it as missing if its text did not reach the element. */
  #takeBack(): void {
    const down = this.#down;
    this.#down = null;
    if (down && this.#isKept) this.#next -= 1;
    if (!down || this.#isKept || down.defaultPrevented || !isCharacter(down)) return;
    const isLost = !this.#hasTyped && !hasFocusWithin(this.#holder);
    const isRefused = this.#lock !== null && textOf(this.#holder) === this.#before;
    if (isLost || isRefused) this.#next -= 1;
  }

  /** Inserts the next texts that no key produces, up to stroke `end`. */
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
    // After the last key, the page may open a list on purpose.
    if (isTrusted && this.#down !== null && this.#next < this.#strokes.length) queueMicrotask(this.#closePicker);
  };

  // The popup of a control receives keys without DOM events. It closes when its control loses focus.
  readonly #closePicker = (): void => {
    const focused = focusedElement();
    if (focused && hasPicker(focused) && !hasFocusWithin(this.#holder) && isConnected(this.#holder))
      takeFocus(this.#holder);
  };

  /** True if the page or the Tab key moved focus to another element in response to a key of the sequence. */
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

/**
 * Returns the text of a control; empty for editors. Pages lock only controls, and reading a long editor for each key is
 * slow.
 */
function textOf(element: Element): string {
  return isTextControl(element) ? element.value : '';
}

/** True if the browser shows a popup for the control. */
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
