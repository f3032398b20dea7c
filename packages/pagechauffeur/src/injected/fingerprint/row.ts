import { foldSpace } from '../aria/text-builder.ts';
import { composedParent, eachFlatChild } from '../tree/composed-tree.ts';
import { memoised } from '../memo.ts';
import {
  attributeOf,
  childrenOf,
  contains,
  localNameOf,
  nextElementOf,
  previousElementOf,
  textContentOf,
} from '../native.ts';
import { roleOf } from '../aria/role.ts';
import { isNotRendered } from '../element/visibility.ts';
import { withoutCount } from './sections.ts';

const ROW_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem']);
/** An element with more text is a section of the page, not a row. */
const LONGEST_ROW = 1500;
/** Maximum number of strings to keep from a row, and from all rings. */
export const MAX_TEXTS = 20;
const LONGEST_TEXT = 80;
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'option', 'textarea']);

export interface Row {
  /** Excludes the text of the element, its name and its sections. */
  readonly texts: readonly string[];
  /** True if the row contains the title of the element's innermost section. */
  readonly isTitled: boolean;
}

export function rowOf(element: Element, name: string, sections: readonly string[]): Row {
  const row = closestRow(element);
  const held = row ? textsOf(row).filter(({ holder }) => !contains(element, holder)) : [];
  const texts = [...new Set(held.map(({ text }) => text))];
  return {
    texts: texts.filter((text) => text !== name && !sections.includes(withoutCount(text))).slice(0, MAX_TEXTS),
    isTitled: texts.some((text) => withoutCount(text) === sections[0]),
  };
}

/** True if the row, list item or card around the element contains this string. */
export function isInRowWith(element: Element, text: string): boolean {
  const row = closestRow(element);
  return row !== null && textsOf(row).some((held) => held.text === text);
}

/** Returns the header of the element's table column; `''` outside a table. */
export function columnOf(element: Element): string {
  for (let node: Element | null = element; node; node = composedParent(node)) {
    if (node instanceof HTMLTableCellElement) return columnHeading(node);
  }
  return '';
}

function columnHeading(cell: HTMLTableCellElement): string {
  const row = composedParent(cell);
  const table = row && closestTable(row);
  if (!(row instanceof HTMLTableRowElement) || !table) return '';
  const heading = childrenOf(table.rows[0] ?? row)[childrenOf(row).indexOf(cell)];
  const isHeading = heading !== cell && heading instanceof HTMLTableCellElement && localNameOf(heading) === 'th';
  return isHeading ? foldSpace(textContentOf(heading) ?? '').slice(0, LONGEST_TEXT) : '';
}

function closestTable(row: Element): HTMLTableElement | null {
  for (let node = composedParent(row); node; node = composedParent(node))
    if (node instanceof HTMLTableElement) return node;
  return null;
}

function closestRow(element: Element): Element | null {
  for (let node = composedParent(element); node; node = composedParent(node)) if (isRow(node)) return node;
  return null;
}

const isRow: (element: Element) => boolean = memoised((element: Element) => {
  if (!ROW_ROLES.has(roleOf(element)) && !isOneOfAlike(element)) return false;
  return (textContentOf(element) ?? '').length <= LONGEST_ROW;
});

/** True if a sibling next to the element has the same structure, as cards in a list do. */
function isOneOfAlike(element: Element): boolean {
  const shape = shapeOf(element);
  if (shape === '') return false;
  const [before, after] = [previousElementOf(element), nextElementOf(element)];
  return (before !== null && shapeOf(before) === shape) || (after !== null && shapeOf(after) === shape);
}

/** Returns the tags of the element and its children, without wrappers; `''` for fewer than two children. */
const shapeOf: (element: Element) => string = memoised((element: Element) => {
  const core = coreOf(element);
  const parts = childrenOf(core);
  return parts.length < 2 ? '' : [localNameOf(core), ...parts.map((part) => localNameOf(part))].join(' ');
});

/** Skips wrappers with a single child. Nested wrappers are looked up next, so the result is cached for each of them. */
function coreOf(element: Element): Element {
  const cores = coreByWrapper(document);
  const wrappers: Element[] = [];
  let core = element;
  for (let [only, other] = childrenOf(core); only && !other; [only, other] = childrenOf(core)) {
    wrappers.push(core);
    core = cores.get(core) ?? only;
  }
  for (const wrapper of wrappers) cores.set(wrapper, core);
  return core;
}

const coreByWrapper: (root: Document) => Map<Element, Element> = memoised(() => new Map());

interface HeldText {
  readonly text: string;
  readonly holder: Node;
}

/**
 * Returns up to `2 * MAX_TEXTS` strings from text nodes and image alternatives, in document order. A wrapper returns
 * the same array as its content.
 */
export function textsOf(part: Element): readonly HeldText[] {
  const known = textsByPart(document);
  return known.get(part) ?? readTexts(part, known);
}

/** Callers read one ancestor after another, and each contains the previous one. */
const textsByPart: (root: Document) => Map<Element, readonly HeldText[]> = memoised(() => new Map());

interface OpenPart {
  readonly part: Element;
  readonly unread: Iterator<Node, undefined>;
  texts: readonly HeldText[];
}

function readTexts(part: Element, known: Map<Element, readonly HeldText[]>): readonly HeldText[] {
  const open = [opened(part)];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const child = inner.texts.length < MAX_TEXTS * 2 ? inner.unread.next().value : undefined;
    if (!child) {
      known.set(inner.part, inner.texts);
      open.pop();
      addTexts(open.at(-1), inner.texts);
    } else if (child instanceof Text) {
      const text = foldSpace(child.data).slice(0, LONGEST_TEXT);
      if (text !== '') addTexts(inner, [{ text, holder: child }]);
    } else if (child instanceof Element) {
      const texts = known.get(child);
      if (texts) addTexts(inner, texts);
      else open.push(opened(child));
    }
  }
  return known.get(part) ?? [];
}

function opened(part: Element): OpenPart {
  if (UNREAD.has(localNameOf(part)) || isNotRendered(part)) return { part, texts: [], unread: [].values() };
  const image = imageText(part);
  return {
    part,
    texts: image === '' ? [] : [{ text: image, holder: part }],
    unread: eachFlatChild(part),
  };
}

function addTexts(outer: OpenPart | undefined, texts: readonly HeldText[]): void {
  if (!outer || texts.length === 0) return;
  outer.texts = outer.texts.length === 0 ? texts : [...outer.texts, ...texts].slice(0, MAX_TEXTS * 2);
}

function imageText(element: Element): string {
  const isImage = localNameOf(element) === 'img';
  const text = isImage
    ? attributeOf(element, 'alt')
    : attributeOf(element, 'role') === 'img'
      ? attributeOf(element, 'aria-label')
      : '';
  return foldSpace(text ?? '').slice(0, LONGEST_TEXT);
}
