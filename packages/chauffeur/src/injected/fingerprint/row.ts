import { foldSpace } from '../aria/spoken-text.ts';
import { composedParent } from '../composed-tree.ts';
import { flatChildren } from '../flat-tree.ts';
import { memoised } from '../memo.ts';
import { childrenOf, contains, localNameOf, nextElementOf, previousElementOf, textContentOf } from '../native.ts';
import { roleOf } from '../role.ts';
import { isNotRendered } from '../visibility.ts';

const ROW_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem']);
/** What holds more text than this is no row, item or card, but a part of the page. */
const LONGEST_ROW = 1500;
const MOST_TEXTS = 20;
const LONGEST_TEXT = 80;
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'option', 'textarea']);

/** The texts of the row, item or card that an element is in, without its own and those in `known`. */
export function rowTextsOf(element: Element, known: readonly string[]): string[] {
  const row = rowAround(element);
  if (!row) return [];
  const texts = textsOf(row).filter(({ holder }) => !contains(element, holder));
  return [...new Set(texts.map(({ text }) => text))].filter((text) => !known.includes(text)).slice(0, MOST_TEXTS);
}

/** The heading of the column that an element's cell is in. */
export function columnOf(element: Element): string {
  for (let node: Element | null = element; node; node = composedParent(node)) {
    if (node instanceof HTMLTableCellElement) return columnHeading(node);
  }
  return '';
}

function columnHeading(cell: HTMLTableCellElement): string {
  const row = composedParent(cell);
  const table = row && tableAround(row);
  if (!(row instanceof HTMLTableRowElement) || !table) return '';
  const heading = childrenOf(table.rows[0] ?? row)[childrenOf(row).indexOf(cell)];
  const isHeading = heading !== cell && heading instanceof HTMLTableCellElement && localNameOf(heading) === 'th';
  return isHeading ? foldSpace(textContentOf(heading) ?? '').slice(0, LONGEST_TEXT) : '';
}

function tableAround(row: Element): HTMLTableElement | null {
  for (let node = composedParent(row); node; node = composedParent(node))
    if (node instanceof HTMLTableElement) return node;
  return null;
}

function rowAround(element: Element): Element | null {
  for (let node = composedParent(element); node; node = composedParent(node)) if (isRow(node)) return node;
  return null;
}

const isRow: (element: Element) => boolean = memoised((element: Element) => {
  if (!ROW_ROLES.has(roleOf(element)) && !isOneOfAlike(element)) return false;
  return (textContentOf(element) ?? '').length <= LONGEST_ROW;
});

/** Whether the element beside it is built of the same parts. */
function isOneOfAlike(element: Element): boolean {
  const shape = shapeOf(element);
  if (!shape.includes(' ')) return false;
  const [before, after] = [previousElementOf(element), nextElementOf(element)];
  return (before !== null && shapeOf(before) === shape) || (after !== null && shapeOf(after) === shape);
}

const shapeOf: (element: Element) => string = memoised((element: Element) =>
  [localNameOf(element), ...childrenOf(element).map((child) => localNameOf(child))].join(' '),
);

interface HeldText {
  readonly text: string;
  readonly holder: Node;
}

/** The texts in a part of the page, in its order. */
const textsOf: (row: Element) => readonly HeldText[] = memoised((row: Element) => {
  const texts: HeldText[] = [];
  const waiting: Node[] = [row];
  for (let node = waiting.pop(); node && texts.length < MOST_TEXTS * 2; node = waiting.pop()) {
    if (node instanceof Text) {
      const text = foldSpace(node.data).slice(0, LONGEST_TEXT);
      if (text !== '') texts.push({ text, holder: node });
    } else if (node instanceof Element && !UNREAD.has(localNameOf(node)) && !isNotRendered(node)) {
      waiting.push(...[...flatChildren(node)].toReversed());
    }
  }
  return texts;
});
