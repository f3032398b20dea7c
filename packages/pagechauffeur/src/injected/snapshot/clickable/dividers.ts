import { roleOf } from '../../aria/role.ts';
import { attributeOf, elementCountOf, hasAttribute, textContentOf } from '../../native.ts';

/** True for a line between the items of a menu. */
export function isDivider(item: Element): boolean {
  if (roleOf(item) === 'separator') return true;
  return DIVIDER_CLASS.test(attributeOf(item, 'class') ?? '') && !/[\p{L}\p{N}]/u.test(textContentOf(item) ?? '');
}

const DIVIDER_CLASS = /(?:^|[\s_-])(?:divider|separator)(?=\s|$)/i;

/** True for an empty line that has the cursor of the items around it. */
export function isEmptyDivider(item: Element): boolean {
  return elementCountOf(item) === 0 && isDivider(item);
}

/** True for a separator that only scripts can focus and that has no value. Users move the ones that Tab reaches. */
export function isStaticSeparator(element: Element, role: string): boolean {
  if (role !== 'separator' || hasAttribute(element, 'aria-valuenow')) return false;
  return Number(attributeOf(element, 'tabindex') ?? 0) < 0;
}
