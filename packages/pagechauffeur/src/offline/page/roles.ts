import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

const TEXT_ROLES: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'slider']);
const CHECK_ROLES: ReadonlySet<string> = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio']);
/** Roles of repeated records, such as table rows and list items. */
export const ITEM_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem']);
export const CELL_ROLES: ReadonlySet<string> = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
export const TABLE_ROLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid']);
/** A heading inside one of these applies only to the content of the same container. */
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
/** The name of such a container also describes the elements inside. */
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

/** Page sections. Only sections with the state `clickable` are click targets. */
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

export function takesText(node: SnapshotNode): boolean {
  if (node.role === 'combobox')
    return !node.options && (node.states.includes('editable') || node.placeholder !== undefined);
  return TEXT_ROLES.has(node.role) || node.states.includes('editable');
}

/** True for an example URL, e-mail address or number, such as the placeholder "ada@example.com". */
export function isExample(text: string): boolean {
  return EXAMPLE.test(text);
}

const EXAMPLE = /^(?:\S+@\S+|https?:\S*|[\d\s()+.,/-]+)$/;

/** True for a text field that has no description, and no name or placeholder except an example. */
export function isUnnamedField(node: SnapshotNode): boolean {
  const { name, placeholder, description } = node;
  return takesText(node) && !description && [name, placeholder].every((text) => !text || isExample(text));
}

/** True for a native `<select>`. The snapshot lists its options even while it is closed. */
export function hasOptions(node: SnapshotNode): boolean {
  return node.options !== undefined;
}

/** True if the element's only action is to receive a drop. */
export function isDropTarget(node: SnapshotNode): boolean {
  return node.states.includes('droppable');
}

export function isCheckable(node: SnapshotNode): boolean {
  return CHECK_ROLES.has(node.role);
}

/** True if a click opens a list of options that is currently hidden. */
export function opensChoices(node: SnapshotNode): boolean {
  if (hasOptions(node) || node.states.includes('expanded')) return false;
  return node.role === 'combobox' || (node.role === 'button' && node.states.includes('collapsed'));
}
