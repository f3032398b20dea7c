import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

/** Roles that take text. */
const TEXT_ROLES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'slider']);
/** Roles that are on or off. */
const CHECK_ROLES: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio']);
/** Roles that hold one record of many. */
export const ITEM_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem']);
/** Roles that hold the parts of a record: they end at the edge of the record. */
export const CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
/** Roles of tables. */
export const TABLE_ROLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid']);
/** Containers that a heading inside does not reach out of. */
export const SCOPE_ROLES: ReadonlySet<string> = new Set([
  'dialog',
  'alertdialog',
  'article',
  'listitem',
  'row',
  'iframe',
  'region',
  'form',
  'complementary',
  'navigation',
  'tabpanel',
  'banner',
  'contentinfo',
  'treeitem',
  'menu',
  'search',
  ...CELL_ROLES,
]);
/** Roles whose name groups what is inside. */
export const NAMED_GROUP_ROLES: ReadonlySet<string> = new Set([
  ...SCOPE_ROLES,
  'group',
  'radiogroup',
  'table',
  'grid',
  'treegrid',
  'list',
  'listbox',
  'tablist',
  'toolbar',
  'menubar',
  'tree',
  'main',
  'section',
  'figure',
]);

/** Whether text can be typed into the element. */
export function takesText(node: SnapshotNode): boolean {
  if (node.role === 'combobox')
    return !node.options && (node.states.includes('editable') || node.placeholder !== undefined);
  return TEXT_ROLES.has(node.role) || node.states.includes('editable');
}

/** Whether an empty field shows an address or a number as an example of what belongs into it. */
export function isExample(text: string): boolean {
  return EXAMPLE.test(text);
}

const EXAMPLE = /^(?:\S+@\S+|https?:\S*|[\d\s()+.,/-]+)$/;

/** Whether a field shows no name of its own, or only an example of what belongs into it. */
export function isUnnamedField(node: SnapshotNode): boolean {
  const { name, placeholder, description } = node;
  return takesText(node) && !description && [name, placeholder].every((text) => !text || isExample(text));
}

/** Whether the element is a native select, whose options the snapshot tells. */
export function hasOptions(node: SnapshotNode): boolean {
  return node.options !== undefined;
}

/** Whether the element is only there to drop something on. */
export function isDropPlace(node: SnapshotNode): boolean {
  return node.states.includes('droppable');
}

/** Whether the element is on or off. */
export function isCheckable(node: SnapshotNode): boolean {
  return CHECK_ROLES.has(node.role);
}

/** Whether a click on the element opens a list of choices that is not there yet. */
export function opensChoices(node: SnapshotNode): boolean {
  if (hasOptions(node) || node.states.includes('expanded')) return false;
  return node.role === 'combobox' || (node.role === 'button' && node.states.includes('collapsed'));
}
