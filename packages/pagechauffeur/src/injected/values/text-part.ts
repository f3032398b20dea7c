import { isTextControl, moveCaretToEnd, selectContent } from '../acting/input/text-entry.ts';
import type { TextPart } from '../contract.ts';
import { isContentEditable } from '../native.ts';
import { EditorText } from './editor-text.ts';

export interface PlannedPart {
  readonly kind: 'planned';
  /** The text that replaces the selection. */
  readonly insertion: string;
  /** The field's complete text after the edit. */
  readonly whole: string;
  /** Selects the text to replace, or moves the caret to the insertion point. */
  select(): void;
}

/** `reason` completes a sentence. */
export interface RefusedPart {
  readonly kind: 'refused';
  readonly reason: string;
}

/** Rejects the edit if the anchor does not occur exactly once. */
export function planPart(field: Element, part: TextPart): PlannedPart | RefusedPart {
  const held = new HeldText(field);
  const text = part.text.replaceAll('\r\n', '\n');
  if (text === '' && part.kind !== 'replace') return refused('there is no text to insert.');
  if (field instanceof HTMLInputElement && text.includes('\n'))
    return refused('the field accepts a single line. Remove the line breaks.');
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
  // Number and e-mail fields do not support partial selection, so the edit replaces their whole text.
  return { kind: 'planned', insertion: whole, whole, select: () => selectContent(field) };
}

/** An editor that renders its own text shows a part of it, and only its own keys can select in it. */
export function planInEditor({ kind, text }: TextPart): PlannedPart | RefusedPart {
  if (kind !== 'append')
    return refused(
      'the editor renders its own text, so a part of it cannot be selected. Use fill with the whole text, or append.',
    );
  if (text === '') return refused('there is no text to insert.');
  return { kind: 'planned', insertion: text.replaceAll('\r\n', '\n'), whole: text, select: () => undefined };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the text as snapshots show it. */
export function textHeldBy(field: Element): string {
  return new HeldText(field).text;
}

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

  /** Selects the span; for `null`, moves the caret to the end. */
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
  return refused(`${quoted(anchor)} occurs ${Math.max(count, 2)} times. Pass more of the surrounding text.`);
}

function missing(held: string, anchor: string): string {
  if (held === '') return 'the field is empty. Use append or fill.';
  const isAlike = folded(held).includes(folded(anchor));
  return `${quoted(anchor)} does not occur in the field${isAlike ? ' with the same case and white space' : ''}.`;
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

const QUOTED_LENGTH = 80;

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);
}
