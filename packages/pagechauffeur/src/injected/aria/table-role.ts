import { attributeOf, localNameOf, nextElementOf, parentNodeOf, previousElementOf } from '../native.ts';
import { memoised } from '../memo.ts';
import { tableKindOf } from './table-kind.ts';

export function tableRole(table: Element): string {
  return tableKindOf(table) === 'data' ? 'table' : 'generic';
}

/** The role of a `tr`, `tbody`, `thead` or `tfoot`. */
export function tablePartRole(element: Element): string {
  const table = tableOf(element);
  if (!table) return 'generic';
  const kind = tableKindOf(table);
  if (kind !== 'data') return kind === 'layout' ? 'generic' : 'none';
  return localNameOf(element) === 'tr' ? 'row' : 'rowgroup';
}

/** The role of a `td` or `th`. */
export function tableCellRole(element: Element): string {
  const table = tableOf(element);
  if (!table) return 'generic';
  const kind = tableKindOf(table);
  if (kind !== 'data') return kind === 'layout' ? 'generic' : 'none';
  if (localNameOf(element) === 'th') return headerRole(element);
  return dataCellRole(table);
}

const dataCellRole = memoised((table: Element) => {
  const tableRoleToken = attributeOf(table, 'role')?.trim().toLowerCase();
  return tableRoleToken === 'grid' || tableRoleToken === 'treegrid' ? 'gridcell' : 'cell';
});

function tableOf(element: Element): Element | null {
  const parent = parentNodeOf(element);
  return parent && tableAround(parent);
}

const tableAround = memoised((nearest: ParentNode): Element | null => {
  for (let parent: ParentNode | null = nearest; parent instanceof Element; parent = parentNodeOf(parent)) {
    const tag = localNameOf(parent);
    if (tag === 'table') return parent;
    if (tag !== 'tr' && tag !== 'tbody' && tag !== 'thead' && tag !== 'tfoot') return null;
  }
  return null;
});

// Without `scope`, a header next to a data cell is a row header, else a column header.
function headerRole(element: Element): string {
  const scope = attributeOf(element, 'scope')?.toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  return isDataCell(nextElementOf(element)) || isDataCell(previousElementOf(element)) ? 'rowheader' : 'columnheader';
}

function isDataCell(element: Element | null): boolean {
  return element !== null && localNameOf(element) === 'td';
}
