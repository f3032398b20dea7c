import type { ElementTarget, InputResult, SentEntry, TextPart } from '../../contract.ts';
import { isEditingHost } from '../../element/controls.ts';
import { locate } from '../../selector/locate.ts';
import type { HiddenFieldEditor } from '../../element/hidden-field-editor.ts';
import { contains, isConnected, renderedTextOf } from '../../native.ts';
import { xpathOf } from '../../tree/xpath.ts';
import { holdsValue } from '../../values/input-formats.ts';
import { showsEnd, showsOnly } from '../../values/editor-text.ts';
import { planPart, textHeldBy } from '../../values/text-part.ts';
import { lockOf } from '../actionability.ts';
import { isEditable, subjectOf } from '../subject.ts';
import {
  focusedElement,
  insertText,
  isPartOfEditor,
  isTextControl,
  pasteText,
  selectContent,
  takeFocus,
  textEntryOf,
} from './text-entry.ts';
import { nextAnimationFrame } from '../settling/animation-frame.ts';
import { followText } from './text-guard.ts';
import { startTimer } from '../timer.ts';

export interface Entry {
  /** Locates the field again if the page replaces it. */
  readonly target: ElementTarget;
  /** The edit to make, and the whole text after it. If undefined, all text is replaced. */
  readonly change?: { readonly part: TextPart; readonly whole: string } | undefined;
  /** The text to insert; for an edit, only the replacement. If undefined, the text is typed with keys. */
  readonly insertion?: string | undefined;
  /** Set if the field only receives the keys of an editor, which shows the text elsewhere. */
  readonly editor?: HiddenFieldEditor | undefined;
}

/**
 * Maximum ms until the keyup that ends the text arrives. After that, or after half of the remaining time, the text is
 * inserted directly, because another frame may have focus.
 */
const LONGEST_KEYS = 500;
/** Maximum animation frames until an editor has rendered new text. */
const MAX_RENDER_FRAMES = 10;
/** Animation frames until an editor has rendered text that it took from a paste. */
const FRAMES_AFTER_PASTE = 2;

/** Returns `undefined` for a `<select>`, which takes no text. */
export function watchEntry(element: Element, entry: Entry): InputObserver | undefined {
  return element instanceof HTMLSelectElement ? undefined : new InputObserver(element, entry);
}

/**
 * Follows the text of one action into its field: stops text that would miss the field, and reports why the field does
 * not contain the text.
 */
export class InputObserver {
  readonly #field: Element;
  readonly #target: ElementTarget;
  readonly #before: string;
  readonly #change: Entry['change'];
  readonly #editor: Entry['editor'];
  /** Text that is still to be inserted. */
  #insertion: string | undefined;
  /** Text between its `beforeinput` event and its insertion. */
  #inserting: string | undefined;
  /**
   * `typed`: the text comes as keys; `pending`: as one insertion that has not arrived; `inserted`: the insertion has
   * arrived.
   */
  #insertionState: 'typed' | 'pending' | 'inserted';
  #isReleased = false;
  /** True if the page took the text from a paste event. */
  #isPasted = false;
  /** Resolves when text whose paste the page stopped is in the editor. */
  #rendered: Promise<void> | undefined;
  #isStopped = false;
  /** True if the field could not be focused when its text was due. */
  #isUnfocused = false;
  /** True if the timeout came before the text. */
  #isLate = false;
  readonly #typed = Promise.withResolvers<void>();
  /** True to select the content at the first key, so that no focus handler of the page can undo the selection. */
  #selectsAtFirstKey: boolean;
  /** Text at the last `input` event, before the listeners of the page ran; null if there was no event. */
  #lastInput: string | null = null;
  #sent: SentEntry | null = null;
  /** Receives the same events as `judge`, and can stop them. */
  guard: ((event: Event) => void) | null = null;
  /** True if the page ignored the inserted text. */
  isIgnored = false;

  constructor(field: Element, { target, change, insertion, editor }: Entry) {
    this.#field = field;
    this.#editor = editor;
    this.#change = change;
    // `beginChange` sets the whole value of other controls.
    this.#insertion = textEntryOf(field) === 'keys' ? insertion : undefined;
    this.#insertionState = this.#insertion === undefined ? 'typed' : 'pending';
    this.#target = 'ref' in target ? { selector: `xpath=${xpathOf(field)}` } : target;
    this.#before = this.#held();
    this.#selectsAtFirstKey =
      !editor && (change !== undefined || isTextControl(field)) && textEntryOf(field) === 'keys';
    EventTarget.prototype.addEventListener.call(field, 'input', this.#onInput, true);
  }

  /** Says where text typed now would go: into the field, into another editable element, or nowhere. */
  get reach(): 'field' | 'other' | 'none' {
    const focused = focusedElement();
    if (focused === null || !isEditable(focused)) return 'none';
    return this.#holds(focused) ? 'field' : 'other';
  }

  /**
   * True if the field still has the text of its last `input` event, which may equal the text before the action. An
   * editor removes the text from its field.
   */
  get isAccepted(): boolean {
    if (this.#isPasted) return true;
    if (this.#lastInput === null) return false;
    return this.#editor !== undefined || isSameText(this.#held(), this.#lastInput);
  }

  #held(): string {
    return this.#editor ? renderedTextOf(this.#editor.text) : textHeldBy(this.#field);
  }

  /** True while the browser can still deliver the text. */
  get isInProgress(): boolean {
    return this.#sent !== null && this.#insertionState !== 'typed' && !this.#isReleased;
  }

  /** A timer of `arrival` may still run, and must not insert text during the next action. */
  stop(): void {
    this.#isStopped = true;
    this.#selectOnce();
    this.#insertion = undefined;
    EventTarget.prototype.removeEventListener.call(this.#field, 'input', this.#onInput, true);
  }

  /** True if the text must be typed with keys, because the page ignored the insertion. */
  get awaitsKeys(): boolean {
    return this.isIgnored && this.#sent?.isOver !== true;
  }

  selectAgain(): void {
    if (this.#editor) return;
    if (!this.#change) return selectContent(this.#field);
    const plan = planPart(this.#field, this.#change.part);
    if (plan.kind === 'planned') plan.select();
  }

  /**
   * Inserts text that has not arrived: focuses the field, selects the text to replace and inserts the new text, all in
   * one task. Returns false if the text could not be inserted.
   */
  insert(): boolean {
    if (this.#insertionState === 'inserted') return true;
    const text = this.#insertion;
    this.#insertion = undefined;
    if (text === undefined || !isConnected(this.#field) || takesTextUpdates(this.#field)) return false;
    const hadFocus = this.#isReached();
    if (!hadFocus) takeFocus(this.#field);
    this.#isUnfocused = !this.#isReached();
    if (this.#isUnfocused) return false;
    if (this.#editor && this.#paste(this.#editor, text)) return true;
    // Editors track their selection and would treat a new one as a change.
    if (!hadFocus || isTextControl(this.#field)) this.selectAgain();
    return insertText(text, () => isConnected(this.#field) && this.#isReached());
  }

  /** Returns false if the page ignored the paste. */
  #paste(editor: HiddenFieldEditor, text: string): boolean {
    const before = this.#held();
    const outcome = pasteText(editor, text);
    this.#isPasted = outcome !== 'ignored';
    if (outcome === 'stopped') this.#rendered = this.#insertUnlessRendered(text, before);
    return this.#isPasted;
  }

  /** Inserts text whose paste the page stopped, unless the editor shows a new text or showed this text before. */
  async #insertUnlessRendered(text: string, before: string): Promise<void> {
    for (let frame = 0; frame < FRAMES_AFTER_PASTE; frame += 1) await nextAnimationFrame();
    const isUnchanged = this.#held() === before && this.fate() !== undefined;
    if (!isUnchanged || this.#isStopped || !isConnected(this.#field) || !this.#isReached()) return;
    insertText(text, () => isConnected(this.#field) && this.#isReached());
  }

  #isReached(): boolean {
    return this.reach === 'field';
  }

  /** Runs before the listeners of the page. Stops key and text events that would miss the field. */
  readonly judge = (event: Event): void => {
    if (event.type === 'keydown') this.#selectOnce();
    if (event.type === 'beforeinput') this.#judgeText(event);
    if (event.type === 'textInput') this.#judgeArrival(event);
    this.guard?.(event);
    if (event instanceof KeyboardEvent && !this.#isForField(event)) stop(event);
    if (event.type !== 'keyup') return;
    this.#inserting = undefined;
    this.#isReleased = true;
    this.#resolveTyped(event);
  };

  /** Allows one insertion, and only into the field. */
  #judgeText(event: Event): void {
    if (this.isIgnored || this.#insertionState === 'typed') return;
    if (this.#insertion === undefined || !this.#isForField(event)) return stop(event);
    this.#inserting = this.#insertion;
    this.#insertion = undefined;
    this.#insertionState = 'inserted';
    this.#follow(event);
  }

  /** Runs right before the insertion, because focus may have moved since `beforeinput`. */
  #judgeArrival(event: Event): void {
    if (this.#inserting === undefined) return;
    if (this.#isForField(event)) return this.#follow(event);
    stop(event);
    this.#markPending();
  }

  #follow(event: Event): void {
    followText(event, { isStillFocused: () => this.#isReached(), onStopped: () => this.#markPending() });
  }

  #markPending(): void {
    this.#insertion = this.#inserting;
    this.#inserting = undefined;
    this.#insertionState = 'pending';
  }

  #isForField(event: Event): boolean {
    const [target] = event.composedPath();
    return target instanceof Element && this.#holds(target);
  }

  #holds(element: Element): boolean {
    return contains(this.#field, element) || isPartOfEditor(this.#field, element);
  }

  /** Resolves `#typed` once the page's keyup listeners have run, or the page stopped the event. */
  #resolveTyped({ cancelBubble: isStopped }: Event): void {
    const finish = (): void => {
      removeEventListener('keyup', finish);
      this.#typed.resolve();
    };
    if (isStopped) return finish();
    addEventListener('keyup', finish);
    setTimeout(finish);
  }

  /** Prevents an insertion that is still pending at the timeout. */
  revoke(): void {
    this.#isStopped = true;
    this.#isLate = this.#insertion !== undefined;
    this.#insertion = undefined;
    this.#inserting = undefined;
    this.#typed.resolve();
  }

  /**
   * Waits until the text has arrived and the page's listeners have run. Inserts the text directly if it does not arrive
   * in time.
   */
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
    await this.#rendered;
    // Editors render in an animation frame.
    for (let frame = 0; this.#editor && frame < MAX_RENDER_FRAMES && this.fate() !== undefined; frame += 1)
      await nextAnimationFrame();
  }

  /** Says why the field does not contain the text. `undefined` if it does, even if the page reformatted the text. */
  fate(): InputResult | undefined {
    if (this.#sent === null || this.awaitsKeys) return undefined;
    if (this.#isUnfocused) return 'unfocused';
    const text = this.#change?.whole ?? this.#sent.text;
    return isConnected(this.#field) ? this.#fateInPlace(text) : this.#fateInSuccessor(text);
  }

  #fateInPlace(text: string): InputResult | undefined {
    const held = this.#held();
    const hasTaken = this.#lastInput !== null || held !== this.#before || isSameText(held, text);
    if (!hasTaken && lockOf(this.#field) !== null) return 'locked';
    if (this.#editor) return this.#fateInEditor(this.#editor, held, text);
    if (this.#change && held === this.#before && held !== text) return 'unchanged';
    if (isSameText(held, text)) return undefined;
    if (this.#isLate && !hasTaken) return 'late';
    if (held === '') return 'emptied';
    const isControl = textEntryOf(this.#field) === 'set';
    if (isControl && holdsValue(this.#field, text)) return undefined;
    if (held === this.#before) return 'unchanged';
    return !isControl && lettersAndDigitsOf(held) === lettersAndDigitsOf(text) ? undefined : 'different';
  }

  /** Compares only the rendered lines. A terminal shows what its program prints. */
  #fateInEditor({ isTerminal }: HiddenFieldEditor, held: string, text: string): InputResult | undefined {
    if (isTerminal || (this.#change ? showsEnd(held, text) : showsOnly(held, text))) return undefined;
    if (this.#isLate && !this.isAccepted) return 'late';
    if (held.trim() === '') return 'emptied';
    return held === this.#before ? 'unchanged' : 'different';
  }

  // Editors often replace their elements. A page that removes a field after it contained the whole text has accepted
  // the text.
  #fateInSuccessor(text: string): InputResult | undefined {
    if (!isField(this.#field) || (this.#lastInput !== null && isSameText(this.#lastInput, text))) return undefined;
    const successor = this.#successor();
    if (successor && isSameText(textHeldBy(successor), text)) return undefined;
    return 'replaced';
  }

  #successor(): Element | null {
    const located = locate(this.#target);
    const subject = located.kind === 'element' ? subjectOf(located.element, 'fill') : null;
    return subject === null || typeof subject === 'string' ? null : subject.element;
  }

  #selectOnce(): void {
    if (this.#selectsAtFirstKey && this.reach === 'field') this.selectAgain();
    this.#selectsAtFirstKey = false;
  }

  readonly #onInput = ({ isTrusted }: Event): void => {
    if (isTrusted) this.#lastInput = textHeldBy(this.#field);
  };
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Editors that use the EditContext API receive text only from keys and input methods. */
function takesTextUpdates(element: Element): boolean {
  return 'editContext' in element && element.editContext !== null;
}

function isField(element: Element): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || isEditingHost(element);
}

// Ignores white space, because fields normalize line ends and spaces in different ways.
function isSameText(held: string, text: string): boolean {
  return held.replace(/\s+/g, '') === text.replace(/\s+/g, '');
}

/** Input masks and formatters keep letters and digits, but may change their case and everything else. */
function lettersAndDigitsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
