import { accessibleParent, hasAuthorName } from './references.ts';
import { nativeRole, tagsWithRole } from './native-role.ts';
import { authoredRole, validRole } from './role-names.ts';
import { internalRoleOf, tagsWithInternals } from '../exploration/element-internals.ts';
import { isFocusable } from '../element/controls.ts';
import { shadowRootsBelow, visitElements } from '../tree/composed-walk.ts';
import { memoised } from '../memo.ts';
import { hasAttribute, queryAny } from '../native.ts';

/** Required parents by role. Without such a parent, browsers ignore the role. */
const requiredContextRoles: Readonly<Record<string, ReadonlySet<string>>> = {
  listitem: new Set(['list', 'group']),
  option: new Set(['listbox', 'group']),
  treeitem: new Set(['tree', 'group', 'treeitem']),
};

const globalAttributes = [
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-hidden',
  'aria-keyshortcuts',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
] as const;

/** Returns the ARIA role: `generic` if there is none, `none` if the element is presentational. */
export function roleOf(element: Element): string {
  const authored = authoredRole(element);
  if (authored !== null) return effectiveRole(element, authored);
  // The browser has already checked this role against its parents.
  return validRole(internalRoleOf(element)) ?? nativeRole(element);
}

/** Returns elements in document order, including those in shadow trees. */
export function elementsWithRole(root: ParentNode, role: string): readonly Element[] {
  const tags = tagsWithRole(role);
  if (!tags || shadowRootsBelow(root).length > 0) return elementsByRole(root).get(role) ?? [];
  return queryAny(root, ['[role]', ...tags, ...tagsWithInternals()]).filter((element) => roleOf(element) === role);
}

const elementsByRole: (root: ParentNode) => ReadonlyMap<string, readonly Element[]> = memoised((root: ParentNode) => {
  const byRole = new Map<string, Element[]>();
  visitElements(root, (element) => {
    const role = roleOf(element);
    const known = byRole.get(role);
    if (known) known.push(element);
    else byRole.set(role, [element]);
  });
  return byRole;
});

function effectiveRole(element: Element, role: string): string {
  if (role === 'none') return cannotBePresentational(element) ? nativeRole(element) : role;
  if ((role === 'form' || role === 'region') && !hasAuthorName(element)) return nativeRole(element);
  const contextRoles = requiredContextRoles[role];
  return contextRoles && !isWithin(element, contextRoles) ? nativeRole(element) : role;
}

// Browsers ignore `role=none` on an element that is focusable or has a global ARIA attribute.
function cannotBePresentational(element: Element): boolean {
  return isFocusable(element) || globalAttributes.some((name) => hasAttribute(element, name));
}

function isWithin(element: Element, roles: ReadonlySet<string>): boolean {
  for (let parent = accessibleParent(element); parent; parent = accessibleParent(parent)) {
    const role = roleOf(parent);
    if (roles.has(role)) return true;
    if (role !== 'generic' && role !== 'none') return false;
  }
  return false;
}
