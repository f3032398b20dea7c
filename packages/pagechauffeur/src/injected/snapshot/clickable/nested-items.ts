import { interactiveRoles } from '../../aria/role-names.ts';
import { attributeOf, localNameOf, queryFirst, textContentOf } from '../../native.ts';
import { roleOf } from '../../aria/role.ts';

/** Roles of items with a line of their own and items of the same role inside. */
const NESTING_ROLES: ReadonlySet<string> = new Set(['menuitem', 'treeitem']);

/** Returns the first item of the same kind inside an item, as in a tree; `null` if there is none. */
export function nestedItemOf(item: Element): Element | null {
  const role = roleOf(item);
  const nested = NESTING_ROLES.has(role) ? queryFirst(item, `[role="${role}"]`) : null;
  if (nested !== null) return nested;
  if (localNameOf(item) === 'li') return queryFirst(item, 'li');
  return interactiveRoles.has(role) || kindOf(item) === '' ? null : queryFirst(item, kindSelector(item));
}

/** True if the item has text before the items inside it that match. Without, it is only a box around them. */
export function isLabelledParent(item: Element, selector: string): boolean {
  const nested = queryFirst(item, selector);
  return nested !== null && !textOf(item).startsWith(textOf(nested));
}

// The first class usually names the kind; later ones usually express states.
export function kindOf(item: Element): string {
  return (attributeOf(item, 'class') ?? '').trim().split(/\s+/, 1)[0] ?? '';
}

/** Matches elements with the same tag and kind. */
export function kindSelector(item: Element): string {
  const kind = kindOf(item);
  return kind === '' ? `${localNameOf(item)}:not([class])` : `${localNameOf(item)}.${CSS.escape(kind)}`;
}

function textOf(element: Element): string {
  return (textContentOf(element) ?? '').trim();
}
