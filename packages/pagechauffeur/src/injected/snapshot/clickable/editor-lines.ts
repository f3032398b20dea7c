import { foldSpace } from '../../aria/text-builder.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { lockOf } from '../../acting/actionability.ts';
import { measured } from '../../dependencies.ts';
import { editorOfText, hasTextCursor, isLineNumber, isForCode } from '../../element/hidden-field-editor.ts';
import { memoised } from '../../memo.ts';
import {
  boundsOf,
  checkVisibility,
  childrenOf,
  firstElementOf,
  queryAll,
  queryCount,
  textContentOf,
} from '../../native.ts';

/** Fields that receive the keys of an editor that renders its own text. */
const TYPING_FIELDS = 'textarea, [contenteditable]';
/** The text of an editor has no such elements. A section of a page with `cursor: text` may have some. */
const CONTROLS = 'a[href], button, input, select, [tabindex]';
/** Editors render few lines outside the viewport. With more descendants, the element is not such an editor. */
const MAX_ELEMENTS = 5000;

interface Styled {
  readonly element: Element;
  readonly shared: { readonly isCaret: boolean };
}

/** True for the text of an editor that renders its own lines and moves the caret on a click. */
export function startsEditor({ element, shared }: Styled): boolean {
  if (!shared.isCaret) return false;
  const parent = flatParent(element);
  return parent !== null && !hasTextCursor(parent);
}

/** Returns the state of the text of an editor with a hidden field. `null` for other elements with a text cursor. */
export function editorStateOf(visit: Styled): 'editable' | 'readonly' | null {
  return startsEditor(visit) ? measured(visit.element, hiddenFieldState) : null;
}

function hiddenFieldState(text: Element): 'editable' | 'readonly' | null {
  const editor = editorOfText(text);
  if (!editor) return null;
  return lockOf(editor.field) === null ? 'editable' : 'readonly';
}

/** Returns the lines of an editor's text, and line numbers between them. `null` if there are no lines. */
export const editorLines: (text: Element) => ReadonlySet<Element> | null = memoised((text: Element) => {
  const inside = queryAll(text, '*');
  if (inside.length > MAX_ELEMENTS || queryCount(text, CONTROLS) > 0) return null;
  const lines = inside.filter(
    (element) => textOf(element) !== '' && isBlock(element) && !childrenOf(element).some(isBlock),
  );
  return lines.length > 0 ? new Set(lines) : null;
});

/** Returns the line numbers beside the text of an editor. A click on one selects the line or sets a breakpoint. */
export function lineNumbers(editor: Element): readonly Element[] {
  if (queryCount(editor, TYPING_FIELDS) === 0 || !hasCodeField(editor)) return [];
  const numbers = queryAll(editor, 'div, span, td').filter(
    (element) => firstElementOf(element) === null && isLineNumber(element) && !hasTextCursor(element),
  );
  const rendered = numbers.filter((number) => checkVisibility(number, { visibilityProperty: true }));
  return measured(editor, countsInColumn, rendered) ? rendered : [];
}

/** True if a rendered field inside is made for code, unlike a field for messages. */
function hasCodeField(editor: Element): boolean {
  return queryAll(editor, TYPING_FIELDS).some((field) => isForCode(field) && checkVisibility(field));
}

/** Minimum part of the numbers that follow the one above or below by 1. Editors skip lines that are folded. */
const MIN_CONSECUTIVE = 0.5;

/** True if the numbers are below each other and count the lines. */
function countsInColumn(_editor: Element, numbers: readonly Element[] = []): boolean {
  const placed = numbers.map((element) => ({ box: boundsOf(element), value: Number(textOf(element)) }));
  const ordered = placed.toSorted((one, other) => one.box.top - other.box.top);
  const left = ordered.reduce((most, { box }) => Math.max(most, box.left), -Infinity);
  const right = ordered.reduce((least, { box }) => Math.min(least, box.right), Infinity);
  const steps = ordered.slice(1).map(({ value, box }, index) => {
    const above = ordered[index];
    return above !== undefined && box.top > above.box.top && Math.abs(value - above.value) === 1;
  });
  return steps.length > 0 && left < right && steps.filter(Boolean).length >= steps.length * MIN_CONSECUTIVE;
}

function isBlock(element: Element): boolean {
  const { display } = getComputedStyle(element);
  return display !== 'none' && display !== 'contents' && !display.startsWith('inline');
}

function textOf(element: Element): string {
  return foldSpace(textContentOf(element) ?? '');
}
