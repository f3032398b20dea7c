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

/** Items of lists, and cards. */
const ITEM_ROLES: ReadonlySet<string> = new Set(['article', 'generic', 'listitem', 'option', 'treeitem']);

export function isItemRole(role: string): boolean {
  return ITEM_ROLES.has(role);
}

/** Limits for an item on one line. */
export const MAX_FLAT_PARTS = 8;
export const MAX_FLAT_CHARACTERS = 200;

/**
 * True for an item that is written on one line: it has a few short parts, at least one of them text, such as a file with
 * its date and owner. Headings structure the page, so an item with one has a line for each part.
 */
export function isFlatItem(node: WireLine, roles: readonly string[]): boolean {
  return isItemRole(roles[node[0]] ?? '') && areFlat(childrenOf(node), roles);
}

/** The same for the parts of an item that may have no line of its own. */
export function areFlat(parts: readonly WireNode[], roles: readonly string[]): boolean {
  if (parts.length < 2 || parts.length > MAX_FLAT_PARTS) return false;
  let [characters, hasText] = [0, false];
  for (const part of parts) {
    const isText = typeof part === 'string';
    characters += isText ? part.length : nameIn(part).length;
    if (characters > MAX_FLAT_CHARACTERS) return false;
    if (!isText && (!hasNothingBelow(part) || propertiesOf(part).options || roles[part[0]] === 'heading')) return false;
    hasText ||= isText;
  }
  return hasText;
}

/** True for an element that has only this role and a name. */
export function isLeaf(node: WireNode | undefined, role: string, roles: readonly string[]): node is WireLine {
  if (typeof node !== 'object' || roles[node[0]] !== role) return false;
  return refIn(node) === 0 && propertiesOf(node) === NO_PROPERTIES && hasNothingBelow(node);
}

/** True if no lines follow below: neither children nor the document in a frame. */
export function hasNothingBelow(node: WireLine): boolean {
  return childrenOf(node).length === 0 && !propertiesOf(node).frameId;
}
