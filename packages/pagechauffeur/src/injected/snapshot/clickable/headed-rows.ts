import { attributeOf, childrenOf, localNameOf, matches, queryCount, textContentOf } from '../../native.ts';
import { kindOf } from './nested-items.ts';

/** A table that consists of boxes without roles. */
interface HeadedRows {
  readonly titles: readonly Element[];
  readonly rows: readonly Element[];
  /** True if the author marks header cells as sortable. */
  readonly isSortable: boolean;
}

/** Tags of boxes. Elements of tables and lists have rules of their own. */
const BOX_TAGS: ReadonlySet<string> = new Set(['div', 'header', 'section', 'span']);
const HEADER_CLASS = /(?:^|[\s_-])(?:head|header|headers|heading|headings|titles)(?=[\s_-]|$)/i;
/** Maximum wrappers around the cells of the header, and around the rows. */
const MAX_WRAPPERS = 2;

/**
 * Returns the parts of a table of boxes: a first child whose class says that it is a header, with a text for each
 * column, before rows with as many cells. `null` for other elements.
 */
export function headedRows(table: Element): HeadedRows | null {
  const [header, ...others] = childrenOf(table);
  const [body] = others;
  if (!header || !body || !BOX_TAGS.has(localNameOf(header))) return null;
  const titles = titlesIn(header);
  if (!titles) return null;
  const inBody = others.length === 1 ? childrenOf(contentOf(body)) : [];
  const rows = [inBody, others].find((found) => areRows(found, titles.length));
  return rows ? { titles, rows, isSortable: titles.some(isMarkedSortable) } : null;
}

function titlesIn(header: Element): readonly Element[] | null {
  const row = contentOf(header);
  if (!isHeader(header) && !isHeader(row)) return null;
  const titles = childrenOf(row);
  const [first] = titles;
  if (!first || titles.length < 2) return null;
  return titles.every((title) => localNameOf(title) === localNameOf(first) && hasText(title)) ? titles : null;
}

function isHeader(element: Element): boolean {
  return HEADER_CLASS.test(attributeOf(element, 'class') ?? '');
}

/** True for several rows of one kind. The body and the footer of a card differ. */
function areRows(rows: readonly Element[], cellCount: number): boolean {
  const [first] = rows;
  return (
    first !== undefined &&
    rows.length > 1 &&
    rows.every((row) => isRow(row, cellCount) && kindOf(row) === kindOf(first))
  );
}

function isRow(element: Element, cellCount: number): boolean {
  return BOX_TAGS.has(localNameOf(element)) && childrenOf(element).length === cellCount && hasText(element);
}

/** Returns the element itself, or the wrapper inside with all of its content. */
function contentOf(element: Element): Element {
  let content = element;
  for (let count = 0; count < MAX_WRAPPERS; count += 1) {
    const [only, ...others] = childrenOf(content);
    if (!only || others.length > 0) return content;
    content = only;
  }
  return content;
}

function hasText(element: Element): boolean {
  return (textContentOf(element) ?? '').trim() !== '';
}

const SORTABLE = '[aria-sort], [data-sort], [class*="sort" i]';

function isMarkedSortable(title: Element): boolean {
  return matches(title, SORTABLE) || queryCount(title, SORTABLE) > 0;
}
