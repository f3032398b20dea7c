import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

/** Roles of text fields. */
const TEXT_ROLES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'slider']);
/** Roles of elements that can be on or off. */
const CHECK_ROLES: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio']);
/** Roles of records in a list or table. */
export const ITEM_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem']);
/** Roles of table cells. */
export const CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
export const TABLE_ROLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid']);
/** Roles of containers that limit the scope of a heading inside them. */
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
/** Roles of containers whose name describes their content. */
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

/** Roles of page sections that contain controls. */
export const CONTAINER_ROLES: ReadonlySet<string> = new Set([
  'main',
  'region',
  'form',
  'search',
  'complementary',
  'navigation',
  'banner',
  'contentinfo',
  'group',
  'radiogroup',
  'table',
  'grid',
  'treegrid',
  'list',
  'tablist',
  'toolbar',
  'menubar',
  'menu',
  'tree',
  'tabpanel',
  'section',
  'dialog',
  'alertdialog',
]);

/** True if the element accepts text. */
export function takesText(node: SnapshotNode): boolean {
  if (node.role === 'combobox')
    return !node.options && (node.states.includes('editable') || node.placeholder !== undefined);
  return TEXT_ROLES.has(node.role) || node.states.includes('editable');
}

/** True if a text, such as a placeholder, is an example URL, e-mail address or number. */
export function isExample(text: string): boolean {
  return EXAMPLE.test(text);
}

const EXAMPLE = /^(?:\S+@\S+|https?:\S*|[\d\s()+.,/-]+)$/;

/** True if a text field has no name, or only an example as its name or placeholder. */
export function isUnnamedField(node: SnapshotNode): boolean {
  const { name, placeholder, description } = node;
  return takesText(node) && !description && [name, placeholder].every((text) => !text || isExample(text));
}

/** True for a native select, whose options are in the snapshot. */
export function hasOptions(node: SnapshotNode): boolean {
  return node.options !== undefined;
}

/** True if the element is only a drop target. */
export function isDropPlace(node: SnapshotNode): boolean {
  return node.states.includes('droppable');
}

/** True if the element can be on or off. */
export function isCheckable(node: SnapshotNode): boolean {
  return CHECK_ROLES.has(node.role);
}

/** True if a click opens a list of options that is not visible yet. */
export function opensChoices(node: SnapshotNode): boolean {
  if (hasOptions(node) || node.states.includes('expanded')) return false;
  return node.role === 'combobox' || (node.role === 'button' && node.states.includes('collapsed'));
}
