import { isTextControl, moveCaretToEnd, selectContent } from '../acting/text-entry.ts';
import type { TextPart } from '../contract.ts';
import { isContentEditable } from '../native.ts';
import { EditorText } from './editor-text.ts';

/** An edit of a field's text. */
export interface PlannedPart {
  readonly kind: 'planned';
  /** The text that replaces the selection. */
  readonly insertion: string;
  /** The complete text of the field after the edit. */
  readonly whole: string;
  /** Selects the text to replace, or places the caret at the insertion point. */
  select(): void;
}

/** Why the edit is not possible. `reason` completes a sentence. */
export interface RefusedPart {
  readonly kind: 'refused';
  readonly reason: string;
}

/** Finds the position of an edit in a field's text. Rejects it if the anchor does not occur exactly once. */
export function planPart(field: Element, part: TextPart): PlannedPart | RefusedPart {
  const held = new HeldText(field);
  const text = part.text.replaceAll('\r\n', '\n');
  if (text === '' && part.kind !== 'replace') return refused('there is no text to insert.');
  if (field instanceof HTMLInputElement && text.includes('\n')) return refused('it accepts a single line.');
  const span =
    part.kind === 'append' ? { start: held.text.length, end: held.text.length } : spanOf(held.text, part.anchor);
  if ('reason' in span) return span;
  const start = part.kind === 'insert' ? span.end : span.start;
  const whole = held.text.slice(0, start) + text + held.text.slice(span.end);
  if (held.takesSelection)
    return {
      kind: 'planned',
      insertion: text,
      whole,
      select: () => held.select(part.kind === 'append' ? null : { start, end: span.end }),
    };
  // Number and e-mail fields do not support partial selection, so their whole text is replaced.
  return { kind: 'planned', insertion: whole, whole, select: () => selectContent(field) };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the text of a field as snapshots show it. */
export function textHeldBy(field: Element): string {
  return new HeldText(field).text;
}

/** The text of a field or editor, in which a part can be selected. */
class HeldText {
  readonly text: string;
  readonly #field: Element;
  readonly #editor: EditorText | null;

  constructor(field: Element) {
    this.#field = field;
    this.#editor =
      !isTextControl(field) && field instanceof HTMLElement && isContentEditable(field) ? new EditorText(field) : null;
    this.text = this.#editor?.text ?? (isTextControl(field) ? field.value : '');
  }

  get takesSelection(): boolean {
    return this.#editor !== null || (isTextControl(this.#field) && this.#field.selectionStart !== null);
  }

  /** Selects a part, or moves the caret to the end for null. */
  select(span: Span | null): void {
    if (span === null) moveCaretToEnd(this.#field);
    else if (isTextControl(this.#field)) this.#field.setSelectionRange(span.start, span.end);
    else if (this.#editor) selectBetween(this.#editor, span);
  }
}

function selectBetween(editor: EditorText, { start, end }: Span): void {
  const to = editor.endOf(end);
  const from = start === end ? to : editor.startOf(start);
  getSelection()?.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

function spanOf(held: string, written: string): Span | RefusedPart {
  const anchor = plain(written.replaceAll('\r\n', '\n'));
  const text = plain(held);
  if (anchor === '') return refused('there is no text to search for. To add text at the end, use append.');
  const start = text.indexOf(anchor);
  if (start < 0) return refused(missing(text, anchor));
  const count = text.split(anchor).length - 1;
  if (count === 1 && text.indexOf(anchor, start + 1) < 0) return { start, end: start + anchor.length };
  return refused(`${quoted(anchor)} occurs in it ${Math.max(count, 2)} times. Pass more of the text around it.`);
}

function missing(held: string, anchor: string): string {
  if (held === '') return 'it is empty.';
  const isAlike = folded(held).includes(folded(anchor));
  return `${quoted(anchor)} does not occur in it${isAlike ? ' with exactly these letters and spaces' : ''}.`;
}

function refused(reason: string): RefusedPart {
  return { kind: 'refused', reason };
}

function plain(text: string): string {
  return text.replaceAll('\u00A0', ' ');
}

function folded(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}

/** Maximum characters of a text that a message quotes. */
const QUOTED_LENGTH = 80;

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);
}
