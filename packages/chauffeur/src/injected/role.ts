import { ariaRoles } from './aria/role-names.ts';
import { nativeRole } from './aria/native-role.ts';
import { isFocusable } from './focusable.ts';
import { attributeOf, hasAttribute } from './native.ts';

const synonyms: Readonly<Record<string, string>> = { image: 'img', presentation: 'none', directory: 'list' };

const globalAttributes = [
  'aria-atomic', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby', 'aria-details', 'aria-dropeffect', 'aria-flowto', 'aria-grabbed',
  'aria-hidden', 'aria-keyshortcuts', 'aria-label', 'aria-labelledby', 'aria-live', 'aria-owns', 'aria-relevant', 'aria-roledescription',
] as const;

/** The ARIA role of an element; `generic` when it has none, `none` when it is presentational. */
export function roleOf(element: Element): string {
  const authored = attributeOf(element, 'role');
  if (authored === null) return nativeRole(element);
  for (const token of authored.toLowerCase().split(/\s+/)) {
    if (!ariaRoles.has(token)) continue;
    const role = synonyms[token] ?? token;
    return role === 'none' && cannotBePresentational(element) ? nativeRole(element) : role;
  }
  return nativeRole(element);
}

// What can be focused, or carries a property that holds for any role, stays what it is.
function cannotBePresentational(element: Element): boolean {
  return isFocusable(element) || globalAttributes.some((name) => hasAttribute(element, name));
}
