import type { WireNode, WireProperties } from '../contract.ts';

/** A line of an element. */
export type WireLine = Exclude<WireNode, string>;

/** What a line of an element has when nothing rarer is known of it. */
export const NO_PROPERTIES: WireProperties = {};
const NO_CHILDREN: readonly never[] = [];
const CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

/** Whether lines of this role are cells of a row. */
export function isCellRole(role: string): boolean {
  return CELL_ROLES.has(role);
}

/** The accessible name in a line. */
export function nameIn(node: WireLine): string {
  return node[1] ?? '';
}

/** The ref in a line; 0 when it has none. */
export function refIn(node: WireLine): number {
  return node[2] ?? 0;
}

/** The rarer facts in a line. */
export function propertiesOf(node: WireLine): WireProperties {
  return node[3] || NO_PROPERTIES;
}

/** The lines below a line. */
export function childrenOf(node: WireLine): readonly WireNode[] {
  return node[4] ?? NO_CHILDREN;
}

/** Whether every cell of a row holds only text and elements without anything below them, so that the row fits one line. */
export function isFlatRow(row: WireLine, roles: readonly string[]): boolean {
  const cells = childrenOf(row);
  return roles[row[0]] === 'row' && cells.length > 0 && cells.every((cell) => isFlatCell(cell, roles));
}

function isFlatCell(cell: WireNode, roles: readonly string[]): boolean {
  if (typeof cell === 'string' || !isCellRole(roles[cell[0]] ?? '')) return false;
  return childrenOf(cell).every((child) => typeof child === 'string' || hasNothingBelow(child));
}

function hasNothingBelow(node: WireLine): boolean {
  return childrenOf(node).length === 0 && !propertiesOf(node).frameId;
}
