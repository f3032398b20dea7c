import type { WireNode, WireProperties } from '../../contract.ts';

export type WireLine = Exclude<WireNode, string>;

export const NO_PROPERTIES: WireProperties = {};
const NO_CHILDREN: readonly never[] = [];
const CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

export function isCellRole(role: string): boolean {
  return CELL_ROLES.has(role);
}

export function nameIn(node: WireLine): string {
  return node[1] ?? '';
}

export function refIn(node: WireLine): number {
  return node[2] ?? 0;
}

export function propertiesOf(node: WireLine): WireProperties {
  return node[3] || NO_PROPERTIES;
}

export function childrenOf(node: WireLine): readonly WireNode[] {
  return node[4] ?? NO_CHILDREN;
}

/** True if all cells contain only text and elements without children, so the row fits on one line. */
export function isFlatRow(row: WireLine, roles: readonly string[]): boolean {
  const cells = childrenOf(row);
  return roles[row[0]] === 'row' && cells.length > 0 && cells.every((cell) => isFlatCell(cell, roles));
}

function isFlatCell(cell: WireNode, roles: readonly string[]): boolean {
  if (typeof cell === 'string' || !isCellRole(roles[cell[0]] ?? '')) return false;
  return childrenOf(cell).every((child) => typeof child === 'string' || hasNothingBelow(child));
}

/** True if no lines follow below: neither children nor the document in a frame. */
export function hasNothingBelow(node: WireLine): boolean {
  return childrenOf(node).length === 0 && !propertiesOf(node).frameId;
}
