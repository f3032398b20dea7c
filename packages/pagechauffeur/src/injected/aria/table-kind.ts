import { attributeOf, hasAttribute, isContentEditable, queryAll } from '../native.ts';
import { memoised } from '../memo.ts';

/** The use of a `table`: data or layout. */
export type TableKind = 'data' | 'layout' | 'presentational';

const MANY_ROWS = 20;

/** Returns the kind of a `table`, by its role attribute or by captions, header cells, borders and size. */
export const tableKindOf: (table: Element) => TableKind = memoised((table: Element) => {
  const role = attributeOf(table, 'role')?.trim().toLowerCase();
  if (role === 'none' || role === 'presentation') return 'presentational';
  if (role) return 'data';
  return looksLikeData(table) ? 'data' : 'layout';
});

function looksLikeData(table: Element): boolean {
  if (!(table instanceof HTMLTableElement)) return true;
  if (table.caption ?? table.tHead ?? table.tFoot) return true;
  if (hasAttribute(table, 'summary') || hasAttribute(table, 'rules') || isContentEditable(table)) return true;
  if (!hasSeveralCells(table)) return false;
  const own = ':scope > tbody > tr > ';
  if (
    queryAll(table, `:scope > colgroup, :scope > col, ${own}th, ${own}td:is([headers], [abbr], [axis], [scope])`)
      .length > 0
  )
    return true;
  if (table.rows.length >= MANY_ROWS) return true;
  return isDrawnAsGrid(table);
}

function hasSeveralCells({ rows }: HTMLTableElement): boolean {
  return rows.length > 1 || (rows[0]?.cells.length ?? 0) > 1;
}

// True if at least half of the cells have borders on opposite sides or a background color other than the table's.
function isDrawnAsGrid(table: HTMLTableElement): boolean {
  const tableColor = getComputedStyle(table).backgroundColor;
  let cells = 0;
  let drawn = 0;
  for (const row of table.rows) {
    for (const cell of row.cells) {
      const style = getComputedStyle(cell);
      cells += 1;
      if (isBordered(style) || (style.backgroundColor !== 'rgba(0, 0, 0, 0)' && style.backgroundColor !== tableColor))
        drawn += 1;
    }
  }
  return drawn * 2 >= cells;
}

function isBordered(style: CSSStyleDeclaration): boolean {
  const isVertical = style.borderTopWidth !== '0px' && style.borderBottomWidth !== '0px';
  return isVertical || (style.borderLeftWidth !== '0px' && style.borderRightWidth !== '0px');
}
