import type { ElementTarget, InputResult, SentEntry, TextPart } from '../contract.ts';
import { isEditingHost } from '../focusable.ts';
import { locate } from '../locate.ts';
import { contains, isConnected } from '../native.ts';
import { xpathOf } from '../xpath.ts';
import { holdsValue } from '../values/input-formats.ts';
import { planPart, textHeldBy } from '../values/text-part.ts';
import { lockOf } from './actionability.ts';
import { isEditable, subjectOf } from './subject.ts';
import {
  focusedElement,
  insertText,
  isPartOfEditor,
  isTextControl,
  selectContent,
  takeFocus,
  textEntryOf,
} from './text-entry.ts';
import { followText } from './text-in-flight.ts';
import { startTimer } from './timer.ts';

/** The text to enter and the field. */
interface Entry {
  /** Finds the field if the page replaces it. */
  readonly target: ElementTarget;
  /** The edit to make and the complete text after it. If undefined, all text is replaced. */
  readonly change?: { readonly part: TextPart; readonly whole: string } | undefined;
  /** The text to insert, for the whole field or the edit. If undefined, the text is typed with keys. */
  readonly insertion?: string | undefined;
}

/**
 * If the keyup that ends the text has not arrived after this many ms, or half of the remaining time, the text is
 * inserted directly. Another frame may have focus.
 */
const LONGEST_KEYS = 500;

/** Observes an element during text entry. Returns `undefined` for a `<select>`. */
export function watchEntry(element: Element, entry: Entry): InputObserver | undefined {
  return element instanceof HTMLSelectElement ? undefined : new InputObserver(element, entry);
}

/** Observes a field while its content is replaced. Created right before the text arrives and read after it. */
export class InputObserver {
  readonly #field: Element;
  /** Finds the field if the page replaces it. */
  readonly #target: ElementTarget;
  readonly #before: string;
  readonly #change: Entry['change'];
  /** The text that has not been inserted yet. */
  #insertion: string | undefined;
  /** The text whose `beforeinput` event reached the field and whose insertion is pending. */
  #passing: string | undefined;
  /**
   * How the browser delivers the text: with keys or as one insertion, which is pending (`not yet`) or was seen
   * (`once`).
   */
  #brought: 'by keys' | 'not yet' | 'once';
  #isReleased = false;
  /** True if the field could not receive focus when its text was to be inserted. */
  #isUnfocused = false;
  /** True if the time ended before the text arrived. */
  #isLate = false;
  readonly #typed = Promise.withResolvers<void>();
  /** True if the content is selected at the first key, so that no focus handler of the page can undo the selection. */
  #isToSelect: boolean;
  /** The field's text at its last `input` event, before the listeners of the page ran. */
  #told: string | null = null;
  #sent: SentEntry | null = null;
  /** Receives the same events and can stop them. */
  guard: ((event: Event) => void) | null = null;
  /** True if the page ignored the inserted text. */
  isIgnored = false;

  constructor(field: Element, { target, change, insertion }: Entry) {
    this.#field = field;
    this.#change = change;
    this.#insertion = insertion;
    this.#brought = insertion === undefined ? 'by keys' : 'not yet';
    this.#target = 'ref' in target ? { selector: `xpath=${xpathOf(field)}` } : target;
    this.#before = textHeldBy(field);
    this.#isToSelect = (change !== undefined || isTextControl(field)) && textEntryOf(field) === 'keys';
    EventTarget.prototype.addEventListener.call(field, 'input', this.#onTold, true);
  }

  /** Where text typed now would go: to the field, to another editable element, or nowhere. */
  get reach(): 'field' | 'other' | 'none' {
    const focused = focusedElement();
    if (focused === null || !isEditable(focused)) return 'none';
    return this.#holds(focused) ? 'field' : 'other';
  }

  /** True if the field still has the text of its last `input` event, even if that equals the text before the action. */
  get holdsToldText(): boolean {
    return this.#told !== null && isAlike(textHeldBy(this.#field), this.#told);
  }

  /** True while the browser can still deliver the text. */
  get isUnderWay(): boolean {
    return this.#sent !== null && this.#brought !== 'by keys' && !this.#isReleased;
  }

  stop(): void {
    this.#selectOnce();
    EventTarget.prototype.removeEventListener.call(this.#field, 'input', this.#onTold, true);
  }

  /** True if the text must be typed with keys, because the page ignored the insertion. */
  get awaitsKeys(): boolean {
    return this.isIgnored && this.#sent?.isOver !== true;
  }

  /** Selects the text to replace, so that the next insertion replaces it. */
  selectAgain(): void {
    if (!this.#change) return selectContent(this.#field);
    const plan = planPart(this.#field, this.#change.part);
    if (plan.kind === 'planned') plan.select();
  }

  /**
   * Focuses the field, selects the text to replace and inserts the new text. All in one task, so that the page cannot
   * move focus in between. Returns false if no text is left to insert, or if the field is gone or cannot receive focus.
   */
  insert(): boolean {
    if (this.#brought === 'once') return true;
    const text = this.#insertion;
    this.#insertion = undefined;
    if (text === undefined || !isConnected(this.#field) || takesTextUpdates(this.#field)) return false;
    const hadFocus = this.#isReached();
    if (!hadFocus) takeFocus(this.#field);
    this.#isUnfocused = !this.#isReached();
    if (this.#isUnfocused) return false;
    // An editor already tracks its selection and would handle a new selection as a change.
    if (!hadFocus || isTextControl(this.#field)) this.selectAgain();
    return insertText(text, () => isConnected(this.#field) && this.#isReached());
  }

  #isReached(): boolean {
    return this.reach === 'field';
  }

  /** Handles key events and text insertion. Stops events that miss the field. */
  readonly judge = (event: Event): void => {
    if (event.type === 'keydown') this.#selectOnce();
    if (event.type === 'beforeinput') this.#judgeText(event);
    if (event.type === 'textInput') this.#judgeArrival(event);
    this.guard?.(event);
    if (event instanceof KeyboardEvent && !this.#isForField(event)) stop(event);
    if (event.type !== 'keyup') return;
    this.#passing = undefined;
    this.#isReleased = true;
    this.#heard(event);
  };

  /** Handles the `beforeinput` of the text: allows one insertion, and only into the field. */
  #judgeText(event: Event): void {
    if (this.isIgnored || this.#brought === 'by keys') return;
    if (this.#insertion === undefined || !this.#isForField(event)) return stop(event);
    this.#passing = this.#insertion;
    this.#insertion = undefined;
    this.#brought = 'once';
    this.#follow(event);
  }

  /** Handles the insertion itself, because focus may have moved since `beforeinput`. */
  #judgeArrival(event: Event): void {
    if (this.#passing === undefined) return;
    if (this.#isForField(event)) return this.#follow(event);
    stop(event);
    this.#takeBack();
  }

  #follow(event: Event): void {
    followText(event, { isInPlace: () => this.#isReached(), onStopped: () => this.#takeBack() });
  }

  /** Marks the text as pending again. */
  #takeBack(): void {
    this.#insertion = this.#passing;
    this.#passing = undefined;
    this.#brought = 'not yet';
  }

  #isForField(event: Event): boolean {
    const [target] = event.composedPath();
    return target instanceof Element && this.#holds(target);
  }

  #holds(element: Element): boolean {
    return contains(this.#field, element) || isPartOfEditor(this.#field, element);
  }

  /**
   * Resolves `#typed` after the keyup that ends the text, once all listeners ran or the page stopped its propagation.
   */
  #heard({ cancelBubble: isStopped }: Event): void {
    const heard = (): void => {
      removeEventListener('keyup', heard);
      this.#typed.resolve();
    };
    if (isStopped) return heard();
    addEventListener('keyup', heard);
    setTimeout(heard);
  }

  /** Prevents the insertion if it is still pending. */
  revoke(): void {
    this.#isLate = this.#insertion !== undefined;
    this.#insertion = undefined;
    this.#passing = undefined;
    this.#typed.resolve();
  }

  /** Waits at most `time` ms until the text has arrived and the page's listeners have run. */
  async arrival(sent: SentEntry, time: number): Promise<void> {
    this.#sent = sent;
    if (sent.isOver) return;
    const stopTimer = startTimer(
      () => {
        this.insert();
        this.#typed.resolve();
      },
      Math.min(LONGEST_KEYS, time / 2),
    );
    await this.#typed.promise;
    stopTimer();
  }

  /** Returns why the field does not contain the text; `undefined` if it does, possibly reformatted by the page. */
  fate(): InputResult | undefined {
    if (this.#sent === null || this.awaitsKeys) return undefined;
    if (this.#isUnfocused) return 'unfocused';
    const text = this.#change?.whole ?? this.#sent.text;
    return isConnected(this.#field) ? this.#fateInPlace(text) : this.#fateInSuccessor(text);
  }

  #fateInPlace(text: string): InputResult | undefined {
    const held = textHeldBy(this.#field);
    const hasTaken = this.#told !== null || held !== this.#before || isAlike(held, text);
    if (!hasTaken && lockOf(this.#field) !== null) return 'locked';
    if (this.#change && held === this.#before && held !== text) return 'unchanged';
    if (isAlike(held, text)) return undefined;
    if (this.#isLate && !hasTaken) return 'late';
    if (held === '') return 'emptied';
    const isControl = textEntryOf(this.#field) === 'set';
    if (isControl && holdsValue(this.#field, text)) return undefined;
    if (held === this.#before) return 'unchanged';
    return !isControl && signsOf(held) === signsOf(text) ? undefined : 'different';
  }

  // Editors often replace their elements. A page that removes a field after it contained the whole text has accepted
  // the text.
  #fateInSuccessor(text: string): InputResult | undefined {
    if (!isField(this.#field) || (this.#told !== null && isAlike(this.#told, text))) return undefined;
    const successor = this.#successor();
    if (successor && isAlike(textHeldBy(successor), text)) return undefined;
    return 'replaced';
  }

  #successor(): Element | null {
    const located = locate(this.#target);
    const subject = located.kind === 'element' ? subjectOf(located.element, 'fill') : null;
    return subject === null || typeof subject === 'string' ? null : subject.element;
  }

  #selectOnce(): void {
    if (this.#isToSelect && this.reach === 'field') this.selectAgain();
    this.#isToSelect = false;
  }

  readonly #onTold = ({ isTrusted }: Event): void => {
    if (isTrusted) this.#told = textHeldBy(this.#field);
  };
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * True if an editor renders its text itself (EditContext API). Such an editor receives text only from keys and input
 * methods.
 */
function takesTextUpdates(element: Element): boolean {
  return 'editContext' in element && element.editContext !== null;
}

function isField(element: Element): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || isEditingHost(element);
}

// Ignores white space, because fields normalize line ends and spaces in different ways.
function isAlike(held: string, text: string): boolean {
  return held.replace(/\s+/g, '') === text.replace(/\s+/g, '');
}

/** Returns the letters and digits of a text, which input masks and formatters keep. */
function signsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
