import type { FieldLock, KeysLeft, KeyStroke } from '../contract.ts';
import { contains, documentElementOf, isConnected, rootOf } from '../native.ts';
import { isControl, isFocusable } from '../focusable.ts';
import { lockOf } from './actionability.ts';
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

/** A key that has not come by this many ms after the one before went elsewhere. */
const LONGEST_GAP = 300;

/** Keys that nobody asks for any more pass again after this many ms: the driver may be gone. */
const LONGEST_PAUSE = 600_000;

/** Keys that only change what other keys do. */
const MODIFIERS: ReadonlySet<string> = new Set(['Alt', 'Control', 'Meta', 'Shift']);

/** Events of keys that act on the text of the focused element. */
const OF_TEXT: ReadonlySet<string> = new Set(['keypress', 'beforeinput', 'textInput', 'copy', 'cut', 'paste']);
/** Events whose target is the selection, which may be outside the focused element. */
const OF_SELECTION: ReadonlySet<string> = new Set(['copy', 'cut', 'paste']);
/** Events that text follows at once; earlier events may belong to a key that does something else. */
const INSERTING: ReadonlySet<string> = new Set(['textInput', 'paste']);

/** By the tokens of the actions; the last is the one whose keys come now. */
const runByToken = new Map<number, KeyRun>();

/** From now on keys reach this element alone, these and in this order. */
export function beginKeys(token: number, element: Element, strokes: readonly KeyStroke[]): void {
  endKeys(token);
  runByToken.set(token, new KeyRun(holderOf(element), strokes, () => endKeys(token)));
}

/** `beginKeys` for what has the focus. */
export function beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void {
  const element = focusedElement() ?? documentElementOf(document);
  if (element) beginKeys(token, element, strokes);
}

/** The element that gets the keys: the whole editor, or the part to which a component moved the focus. An element that is never focusable leaves the focus as it is. */
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

/** Keys reach whatever has the focus again. */
export function endKeys(token: number): void {
  runByToken.get(token)?.end();
  runByToken.delete(token);
}

/** Done when the keys that an action types have all come; null when it types none. */
export function keysOver(token: number): Promise<void> | null {
  return runByToken.get(token)?.over ?? null;
}

/** Whether this document awaits keys now. */
export function awaitsKeys(): boolean {
  return runByToken.size > 0;
}

/** The actions whose keys this document awaits. */
export function tokensOfKeys(): readonly number[] {
  return [...runByToken.keys()];
}

/** Stops an event of keys that is not for the element that they are meant for. Sees each before the page does. */
export function judgeKeys(event: Event): void {
  [...runByToken.values()].at(-1)?.judge(event);
}

/** Keys on their way to one element. What comes to it is always a beginning of what was meant, however often it loses the focus. */
class KeyRun {
  readonly #strokes: readonly KeyStroke[];
  /** The element that gets the next key; a page may go on to the next field of a code as it hears of a key. */
  #field: KnownField;
  /** Whether it takes text; a page can change that while keys come. */
  #isField: boolean;
  /** How many strokes have come. */
  #next = 0;
  /** A key that went down and has not come up. */
  #down: KeyboardEvent | null = null;
  #hasTyped = false;
  /** True if the text was about to go to another element. */
  #isKept = false;
  /** Codes of the keys that are down. */
  readonly #pressed = new Set<string>();
  /** True if the element lost the focus since `beginKeys`. Keys may arrive before `left` is called. */
  #hasLostFocus = false;
  /** What the element held as its last key came. */
  #before = '';
  /** Whether the element took no text from the beginning: a page may listen to the keys of such a one. */
  #isLocked: boolean;
  /** The last event that passed, during which the page may give the focus to the next field. */
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

  // `document.open()` takes all listeners away; adding those that are there already changes nothing.
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
    // Right before the keys, which come after this call. Another frame may have the focus, which this document does not hear of.
    if (this.#next < awaited && isConnected(this.#holder)) takeFocus(this.#holder);
    this.#putIn(awaited);
    let hasMoreCome = true;
    while (hasMoreCome && (this.#next < awaited || this.#down !== null)) hasMoreCome = await this.#awaitNext();
    this.#takeBack();
    this.#putIn(awaited);
    const hasLostFocus = this.#hasLostFocus || !hasFocusWithin(this.#holder);
    const lock = this.#lock;
    const left = { count: this.#strokes.length - this.#next, hasLostFocus, ...(lock && { lock }) };
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

  /** By what the page has kept text from the element since it got the keys. */
  get #lock(): FieldLock | null {
    return this.#isField && !this.#isLocked ? lockOf(this.#holder) : null;
  }

  // What a key types goes to what has the focus by then.
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

  /** Text that was kept from another element has yet to come. */
  #takeBack(): void {
    const down = this.#down;
    this.#down = null;
    if (down && this.#isKept) this.#next -= 1;
    if (!down || this.#isKept || down.defaultPrevented || !isCharacter(down)) return;
    const isLost = !this.#hasTyped && !hasFocusWithin(this.#holder);
    const isRefused = this.#lock !== null && textOf(this.#holder) === this.#before;
    if (isLost || isRefused) this.#next -= 1;
  }

  /** Puts in the texts that no key types and that come next, up to a place. */
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
    // A page may go on to a list with the last key.
    if (isTrusted && this.#down !== null && this.#next < this.#strokes.length) queueMicrotask(this.#closePicker);
  };

  // The popup of a control is the browser's own: keys come to it without an event. It closes when its control loses the focus.
  readonly #closePicker = (): void => {
    const focused = focusedElement();
    if (focused && hasPicker(focused) && !hasFocusWithin(this.#holder) && isConnected(this.#holder))
      takeFocus(this.#holder);
  };

  /** Whether the page, or the Tab key, goes on to another element because of an event of these keys. */
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

/** What a control holds; only controls are locked, and to read a long editor for each key takes time. */
function textOf(element: Element): string {
  return isTextControl(element) ? element.value : '';
}

/** Whether a control has a popup that the browser draws. */
function hasPicker(element: Element): boolean {
  return element instanceof HTMLSelectElement || (element instanceof HTMLInputElement && PICKED.has(element.type));
}

/** Types of fields with a popup to choose in. */
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
