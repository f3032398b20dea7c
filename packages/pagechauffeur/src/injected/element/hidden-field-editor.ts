import { interactiveRoles } from '../aria/role-names.ts';
import { flatParent, isInside } from '../tree/composed-tree.ts';
import { isEditingHost, isFocusable } from './controls.ts';
import {
  attributeOf,
  boundsOf,
  checkVisibility,
  childrenOf,
  hasAttribute,
  localNameOf,
  matches,
  queryAll,
  queryCount,
  textContentOf,
} from '../native.ts';
import { roleOf } from '../aria/role.ts';
import { hasOwnText } from '../snapshot/clickable/requested-kinds.ts';

/** An editor or terminal that renders its own text and receives keys through a hidden field. */
export interface HiddenFieldEditor {
  /** Receives the keys. Does not contain the text of the editor. */
  readonly field: HTMLElement;
  /** Contains the field and the text. */
  readonly root: Element;
  /** The rendered text, with `cursor: text`. Lines outside the viewport may be missing. */
  readonly text: Element;
  /** True for a terminal: its text cannot be selected and replaced, and keys go to the place of its own cursor. */
  readonly isTerminal: boolean;
}

const FIELDS = 'textarea, input:not([type="hidden" i]), [contenteditable]';
/** Editors do not use inputs, unlike search fields and lists of tags, which may hide them. */
const TYPING_FIELDS = 'textarea, [contenteditable]';
/** An editor turns off what would change its code. Hidden fields for the clipboard do not. */
const UNCHANGED_TEXT = [
  '[spellcheck="false" i]',
  '[autocorrect="off" i]',
  '[autocapitalize="off" i], [autocapitalize="none" i]',
  '[wrap="off" i]',
];
/** Minimum number of {@link UNCHANGED_TEXT}. CodeMirror 5, Monaco, Ace and xterm.js set three or four. */
const MIN_TURNED_OFF = 2;
/** Controls that the text of an editor does not contain, but a field with tags or a search may. */
const CONTROLS = 'button, select';
/** Maximum ancestors between the field or the text and the root of the editor. */
const MAX_LEVELS = 6;
/** Maximum ancestors between a part of a line and the root of the editor. */
const MAX_LINE_LEVELS = 12;
/** Maximum elements to search for the text of one field. Editors have it near their root. */
const MAX_SEARCHED = 2000;
/** Maximum fields of one element to check. */
const MAX_FIELDS = 20;
/** In CSS pixels. Nobody can read the text of a smaller field. */
const FEW_PIXELS = 4;
/** In CSS pixels. A larger transparent field lies over the place where its own text appears. */
const LARGEST_TRANSPARENT = 40;
/** Ancestors that may clip the field or make it transparent. */
const MAX_WRAPPERS = 2;
/** Maximum distance in CSS pixels of the field from its editor. Editors keep the field near the caret. */
const MAX_DISTANCE = 20;
/** Minimum part of the editor's width that its text takes. */
const MIN_TEXT_SHARE = 0.5;

/** Returns the editor that receives its keys through this field; `null` if the field shows its own text. */
export function editorOfField(field: Element): HiddenFieldEditor | null {
  if (!isTypingField(field) || !isHiddenFromView(field)) return null;
  let root = flatParent(field);
  for (let level = 0; level < MAX_LEVELS && root && !isPage(root); level += 1) {
    const outer = hasTextCursor(root) ? withTextCursor(root) : null;
    const found = outer ? [outer] : textsIn(root);
    if (found.length > 0) return editorWith(field, outer ?? root, found);
    root = flatParent(root);
  }
  return null;
}

/**
 * Returns the editor whose field receives the keys for this element: the text of the editor, a part of the text, a line
 * number, or an element around the text. `null` for elements in the editor that receive keys themselves.
 */
export function editorAround(element: Element): HiddenFieldEditor | null {
  let node: Element | null = element;
  for (let level = 0; level < MAX_LINE_LEVELS && node && !isPage(node); level += 1) {
    const fields = matches(node, FIELDS) ? [node] : queryAll(node, FIELDS).slice(0, MAX_FIELDS);
    for (const field of fields) {
      const editor = editorOfField(field);
      if (editor) return isPartOf(editor, element) ? editor : null;
    }
    if (fields.length > 0) return null;
    node = flatParent(node);
  }
  return null;
}

/** Returns the editor with this text; `null` for other elements, also inside the text. */
export function editorOfText(text: Element): HiddenFieldEditor | null {
  if (matches(text, FIELDS)) return null;
  const editor = editorAround(text);
  return editor?.text === text ? editor : null;
}

function isPartOf({ field, root, text }: HiddenFieldEditor, element: Element): boolean {
  if (isInside(element, field)) return true;
  const isAround = isInside(text, element);
  if (!isAround && !isInside(element, text) && !isLineNumber(element)) return false;
  if (element !== text && takesKeys(element, isAround)) return false;
  for (let node: Element | null = element; node && node !== root; node = flatParent(node))
    if (node !== text && takesKeys(node, isInside(text, node))) return false;
  return isInside(element, root);
}

/** An ancestor of the text with `tabindex="-1"`, such as the scroller of CodeMirror 5, only keeps clicks off the page. */
function takesKeys(element: Element, isAroundText: boolean): boolean {
  if (interactiveRoles.has(roleOf(element))) return true;
  return isFocusable(element) && !(isAroundText && isLeftOutOfTabOrder(element));
}

function isLeftOutOfTabOrder(element: Element): boolean {
  return Number(attributeOf(element, 'tabindex') ?? 0) < 0;
}

function isTypingField(field: Element): field is HTMLElement {
  if (!(field instanceof HTMLElement) || !matches(field, TYPING_FIELDS) || !keepsText(field)) return false;
  if (!checkVisibility(field, { visibilityProperty: true })) return false;
  return field instanceof HTMLTextAreaElement
    ? roleOf(field) === 'textbox' && !isOnlyCopied(field)
    : isEditingHost(field);
}

function keepsText(field: Element): boolean {
  return UNCHANGED_TEXT.filter((selector) => matches(field, selector)).length >= MIN_TURNED_OFF;
}

/** True if the field turns off something that would change code, also if it shows its own text. */
export function isForCode(field: Element): boolean {
  return UNCHANGED_TEXT.some((selector) => matches(field, selector));
}

/** True for a text area that scripts fill and copy. */
function isOnlyCopied(field: HTMLTextAreaElement): boolean {
  return hasAttribute(field, 'readonly') && isLeftOutOfTabOrder(field);
}

/** True if the field is rendered, so that it can be focused, but too small, clipped or transparent to be seen. */
function isHiddenFromView(field: Element): boolean {
  const { width, height } = boundsOf(field);
  if (isTiny(field)) return true;
  const mayBeTransparent = Math.max(width, height) <= LARGEST_TRANSPARENT;
  let node: Element | null = field;
  for (let level = 0; level <= MAX_WRAPPERS && node && !isPage(node); level += 1) {
    if (mayBeTransparent && Number(getComputedStyle(node).opacity) === 0) return true;
    if (node !== field && clips(node) && isTiny(node)) return true;
    node = flatParent(node);
  }
  return false;
}

function clips(element: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(element);
  return overflowX !== 'visible' && overflowY !== 'visible';
}

function isTiny(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return Math.min(width, height) <= FEW_PIXELS;
}

/** Returns the outermost ancestor that still has the text cursor. */
function withTextCursor(element: Element): Element | null {
  let outer = element;
  for (let level = 0; level <= MAX_LEVELS; level += 1) {
    const parent = flatParent(outer);
    if (!parent) return null;
    if (!hasTextCursor(parent)) return outer;
    if (isPage(parent)) return null;
    outer = parent;
  }
  return null;
}

/** Finds the outermost elements inside that have a text cursor and are no fields. */
function textsIn(root: Element): Element[] {
  const texts: Element[] = [];
  const pending = [root];
  let searched = 0;
  for (let next = pending.pop(); next && searched < MAX_SEARCHED; next = pending.pop()) {
    for (const child of childrenOf(next)) {
      searched += 1;
      if (matches(child, FIELDS)) continue;
      if (!hasTextCursor(child)) pending.push(child);
      else if (isLargeIn(child, root)) texts.push(child);
    }
  }
  return texts;
}

// Carets, scroll bars and labels of fields may have a text cursor, too.
function isLargeIn(text: Element, root: Element): boolean {
  const { width, height } = boundsOf(text);
  return width > 0 && width >= boundsOf(root).width * MIN_TEXT_SHARE && height > FEW_PIXELS;
}

function editorWith(field: HTMLElement, root: Element, texts: readonly Element[]): HiddenFieldEditor | null {
  const [text, ...others] = texts;
  if (!text || others.length > 0 || localNameOf(text) === 'label' || queryCount(text, CONTROLS) > 0) return null;
  if (!rendersLines(text) || !belongsTo(root, text, field)) return null;
  const isOnlyField = queryAll(root, FIELDS).every(
    (other) => other === field || !checkVisibility(other, { visibilityProperty: true }) || isHiddenFromView(other),
  );
  return isOnlyField ? { field, root, text, isTerminal: attributeOf(field, 'aria-multiline') === 'false' } : null;
}

/** Editors put each line into an element. A control or a text of its own is something else. */
function rendersLines(text: Element): boolean {
  const role = roleOf(text);
  if (interactiveRoles.has(role) && role !== 'textbox') return false;
  return childrenOf(text).length > 0 && !hasOwnText(text);
}

/** True if the field scrolls with the editor, and is inside the text or near it. */
function belongsTo(root: Element, text: Element, field: Element): boolean {
  if (getComputedStyle(field).position === 'fixed') return false;
  let isPositioned = isInside(field, text);
  let seen = field;
  for (let node: Element | null = field; node; node = flatParent(node)) {
    if (attributeOf(node, 'aria-hidden') === 'true') return false;
    if (node !== field) isPositioned ||= getComputedStyle(node).position !== 'static';
    if (node === root) break;
    // A wrapper scrolls the field while keys arrive.
    if (node !== field && isTiny(node) && clips(node)) seen = node;
  }
  return isPositioned && (isInside(field, text) || isNear(boundsOf(seen), boundsOf(root)));
}

function isNear({ left, top }: DOMRect, around: DOMRect): boolean {
  return (
    left >= around.left - MAX_DISTANCE &&
    left <= around.right + MAX_DISTANCE &&
    top >= around.top - MAX_DISTANCE &&
    top <= around.bottom + MAX_DISTANCE
  );
}

export function hasTextCursor(element: Element): boolean {
  return getComputedStyle(element).cursor === 'text';
}

export function isLineNumber(element: Element): boolean {
  return /^\s*\d{1,6}\s*$/.test(textContentOf(element) ?? '');
}

function isPage(element: Element): boolean {
  const tag = localNameOf(element);
  return tag === 'body' || tag === 'html';
}
