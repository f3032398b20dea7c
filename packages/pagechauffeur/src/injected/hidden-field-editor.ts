import { flatParent, isInside } from './composed-tree.ts';
import { isEditingHost } from './focusable.ts';
import {
  attributeOf,
  boundsOf,
  checkVisibility,
  childrenOf,
  localNameOf,
  matches,
  queryAll,
  queryCount,
} from './native.ts';
import { roleOf } from './role.ts';

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

/** Returns the editor that this element is a part of, such as a line or a line number. */
export function editorAround(element: Element): HiddenFieldEditor | null {
  let node: Element | null = element;
  for (let level = 0; level < MAX_LINE_LEVELS && node && !isPage(node); level += 1) {
    const fields = matches(node, FIELDS) ? [node] : queryAll(node, FIELDS).slice(0, MAX_FIELDS);
    for (const field of fields) {
      const editor = editorOfField(field);
      if (editor) return isInside(element, editor.root) ? editor : null;
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

function isTypingField(field: Element): field is HTMLElement {
  if (!(field instanceof HTMLElement) || !checkVisibility(field, { visibilityProperty: true })) return false;
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) return roleOf(field) === 'textbox';
  return isEditingHost(field);
}

/** True if the field is rendered, so that it can be focused, but too small, clipped or transparent to be seen. */
function isHiddenFromView(field: Element): boolean {
  const { width, height } = boundsOf(field);
  if (isTiny(field)) return true;
  const mayBeTransparent = Math.max(width, height) <= LARGEST_TRANSPARENT;
  let node: Element | null = field;
  for (let level = 0; level <= MAX_WRAPPERS && node && !isPage(node); level += 1) {
    const { opacity, overflowX, overflowY } = getComputedStyle(node);
    if (mayBeTransparent && Number(opacity) === 0) return true;
    if (node !== field && overflowX !== 'visible' && overflowY !== 'visible' && isTiny(node)) return true;
    node = flatParent(node);
  }
  return false;
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
    if (!parent || isPage(parent)) return null;
    if (!hasTextCursor(parent)) return outer;
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
  // Inside its text, a small input is a search field or the end of a list of tags.
  if (field instanceof HTMLInputElement && isInside(field, text)) return null;
  const isOnlyField = queryAll(root, FIELDS).every(
    (other) => other === field || !checkVisibility(other, { visibilityProperty: true }) || isHiddenFromView(other),
  );
  return isOnlyField ? { field, root, text, isTerminal: attributeOf(field, 'aria-multiline') === 'false' } : null;
}

function hasTextCursor(element: Element): boolean {
  return getComputedStyle(element).cursor === 'text';
}

function isPage(element: Element): boolean {
  const tag = localNameOf(element);
  return tag === 'body' || tag === 'html';
}
