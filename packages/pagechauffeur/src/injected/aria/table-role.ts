import {
  attributeOf,
  hasAttribute,
  isContentEditable,
  localNameOf,
  nextElementOf,
  parentNodeOf,
  previousElementOf,
  queryAll,
} from '../native.ts';
import { authoredRole } from './role-names.ts';
import { measured } from '../dependencies.ts';
import { memoised } from '../memo.ts';

export function tableRole(table: Element): 'table' | 'generic' {
  return tableKindOf(table) === 'data' ? 'table' : 'generic';
}

export function tablePartRole(element: Element): 'row' | 'rowgroup' | 'generic' | 'none' {
  const table = tableOf(element);
  if (!table) return 'generic';
  const kind = measured(table, tableKindOf);
  if (kind !== 'data') return kind === 'layout' ? 'generic' : 'none';
  return localNameOf(element) === 'tr' ? 'row' : 'rowgroup';
}

export function tableCellRole(element: Element): HeaderRole | 'cell' | 'gridcell' | 'generic' | 'none' {
  const table = tableOf(element);
  if (!table) return 'generic';
  const kind = measured(table, tableKindOf);
  if (kind !== 'data') return kind === 'layout' ? 'generic' : 'none';
  if (localNameOf(element) === 'th') return headerRole(element);
  return dataCellRole(table);
}

const dataCellRole = memoised((table: Element): 'cell' | 'gridcell' => {
  const role = authoredRole(table);
  return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
});

function tableOf(element: Element): Element | null {
  const parent = parentNodeOf(element);
  return parent && closestTable(parent);
}

const closestTable = memoised((nearest: ParentNode): Element | null => {
  for (let parent: ParentNode | null = nearest; parent instanceof Element; parent = parentNodeOf(parent)) {
    const tag = localNameOf(parent);
    if (tag === 'table') return parent;
    if (tag !== 'tr' && tag !== 'tbody' && tag !== 'thead' && tag !== 'tfoot') return null;
  }
  return null;
});

type HeaderRole = 'columnheader' | 'rowheader';

// Without `scope`, a `th` next to a `td` heads its row; any other `th` heads its column.
function headerRole(element: Element): HeaderRole {
  const scope = attributeOf(element, 'scope')?.toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  return isDataCell(nextElementOf(element)) || isDataCell(previousElementOf(element)) ? 'rowheader' : 'columnheader';
}

function isDataCell(element: Element | null): boolean {
  return element !== null && localNameOf(element) === 'td';
}

/** `layout`: only positions content; `presentational`: declared by `role`. */
type TableKind = 'data' | 'layout' | 'presentational';

const MANY_ROWS = 20;

/** Without a `role`, decides from captions, header cells, borders and size. */
const tableKindOf: (table: Element) => TableKind = memoised((table: Element) => {
  const role = authoredRole(table);
  if (role === 'none') return 'presentational';
  if (role !== null) return 'data';
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
  // Counting all rows would take longer.
  return rows[1] !== undefined || rows[0]?.cells[1] !== undefined;
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
