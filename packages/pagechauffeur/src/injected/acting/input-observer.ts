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

/** What is entered, and where. */
interface Entry {
  /** By what the field is found again when the page has put another in its place. */
  readonly target: ElementTarget;
  /** A change of a part of what the field holds, and what it is to hold then; without it all is replaced. */
  readonly change?: { readonly part: TextPart; readonly whole: string } | undefined;
  /** What replaces all or the part; without it keys bring the text. */
  readonly insertion?: string | undefined;
}

/** After this many ms, or half of the remaining time, text is inserted without its keys: another frame may have the focus. */
const LONGEST_KEYS = 500;

/** Watches an element that text is entered into. */
export function watchEntry(element: Element, entry: Entry): InputObserver | undefined {
  return element instanceof HTMLSelectElement ? undefined : new InputObserver(element, entry);
}

/** Sees what becomes of text that is to replace what a field holds: made right before it comes, asked after it. */
export class InputObserver {
  readonly #field: Element;
  /** By what the field is found again when the page has put another in its place. */
  readonly #target: ElementTarget;
  readonly #before: string;
  readonly #change: Entry['change'];
  /** What is to be put in yet. */
  #insertion: string | undefined;
  /** The text of the browser that passed. */
  #passing: string | undefined;
  /** How the browser brings text: by keys, or all at once, which it may have done. */
  #brought: 'by keys' | 'not yet' | 'once';
  #isReleased = false;
  /** The field could not have the focus when its text was to be put in. */
  #isUnfocused = false;
  readonly #typed = Promise.withResolvers<void>();
  /** What the field holds is selected when the first key comes, so that nothing the page does about the focus undoes it. */
  #isToSelect: boolean;
  /** What the field held when it last told of new text, before the page had its say. */
  #told: string | null = null;
  #sent: SentEntry | null = null;
  /** Looks at the events too, and may stop them. */
  guard: ((event: Event) => void) | null = null;
  /** The page took no notice of the text that was inserted. */
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

  /** Whether what is typed now reaches the field, another one, or none. */
  get reach(): 'field' | 'other' | 'none' {
    const focused = focusedElement();
    if (focused === null || !isEditable(focused)) return 'none';
    return this.#holds(focused) ? 'field' : 'other';
  }

  /** Whether the field still holds what it told of; the same text as before is no change, and yet it came. */
  get holdsToldText(): boolean {
    return this.#told !== null && isAlike(textHeldBy(this.#field), this.#told);
  }

  /** True while the browser may still deliver the text. */
  get isUnderWay(): boolean {
    return this.#sent !== null && this.#brought !== 'by keys' && !this.#isReleased;
  }

  stop(): void {
    this.#selectOnce();
    EventTarget.prototype.removeEventListener.call(this.#field, 'input', this.#onTold, true);
  }

  /** The text is to be typed yet, since the page took no notice of it as it was inserted. */
  get awaitsKeys(): boolean {
    return this.isIgnored && this.#sent?.isOver !== true;
  }

  /** Selects what is to be replaced, so that what is typed next comes in its place. */
  selectAgain(): void {
    if (!this.#change) return selectContent(this.#field);
    const plan = planPart(this.#field, this.#change.part);
    if (plan.kind === 'planned') plan.select();
  }

  /**
   * Gives the field the focus, selects what is to be replaced and puts the text in its place: one task, in which nothing else
   * can take the focus. False when there is nothing to put in any more, or the field is gone or cannot have the focus.
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
    // An editor knows of the selection that was made before; making it anew would be news to it.
    if (!hadFocus || isTextControl(this.#field)) this.selectAgain();
    return insertText(text, () => isConnected(this.#field) && this.#isReached());
  }

  #isReached(): boolean {
    return this.reach === 'field';
  }

  /** Sees the events by which text comes to the document. */
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

  /** Text of the browser comes: it passes once, and only into the field. */
  #judgeText(event: Event): void {
    if (this.isIgnored || this.#brought === 'by keys') return;
    if (this.#insertion === undefined || !this.#isForField(event)) return stop(event);
    this.#passing = this.#insertion;
    this.#insertion = undefined;
    this.#brought = 'once';
    this.#follow(event);
  }

  /** The text that passed is put in next, where the focus is by now. */
  #judgeArrival(event: Event): void {
    if (this.#passing === undefined) return;
    if (this.#isForField(event)) return this.#follow(event);
    stop(event);
    this.#takeBack();
  }

  #follow(event: Event): void {
    followText(event, { isInPlace: () => this.#isReached(), onStopped: () => this.#takeBack() });
  }

  /** The text is to be put in yet. */
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

  /** The key that ends the text comes: it is heard of when the last listener was called, as far as the page lets it get that far. */
  #heard({ cancelBubble: isStopped }: Event): void {
    const heard = (): void => {
      removeEventListener('keyup', heard);
      this.#typed.resolve();
    };
    if (isStopped) return heard();
    addEventListener('keyup', heard);
    setTimeout(heard);
  }

  /** Stops the insertion. */
  revoke(): void {
    this.#insertion = undefined;
    this.#passing = undefined;
    this.#typed.resolve();
  }

  /** Waits up to `time` ms until the text has arrived and the page's listeners have run. */
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

  /** What has become of the text; undefined when it is there, be it in the form that the page gives it. */
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
    if (held === '') return 'emptied';
    const isControl = textEntryOf(this.#field) === 'set';
    if (isControl && holdsValue(this.#field, text)) return undefined;
    if (held === this.#before) return 'unchanged';
    return !isControl && signsOf(held) === signsOf(text) ? undefined : 'different';
  }

  // A part of an editor comes and goes as the editor draws itself; a page that takes a field away with all the text in it has accepted it.
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

/** Whether an editor draws its text itself, of which it is told by keys and input methods alone (EditContext API). */
function takesTextUpdates(element: Element): boolean {
  return 'editContext' in element && element.editContext !== null;
}

function isField(element: Element): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || isEditingHost(element);
}

// Fields keep ends of lines and other white space each in their own way.
function isAlike(held: string, text: string): boolean {
  return held.replace(/\s+/g, '') === text.replace(/\s+/g, '');
}

/** The letters and digits of a text, which a mask or a formatter leaves as they are. */
function signsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
