import type { BlockedReason, FieldLock } from '../contract.ts';
import { isInertByStyle } from '../styles/computed-style.ts';
import { flatParent } from '../tree/composed-tree.ts';
import { ariaAttributeOf } from '../exploration/element-internals.ts';
import { isDisabled } from '../element/controls.ts';
import { hasAttribute, localNameOf, matches } from '../native.ts';
import { isNotRendered } from '../element/visibility.ts';
import { boxOf, imageOfArea } from './point/geometry.ts';

const NATIVE_CONTROLS = 'button, select, input, textarea, option, optgroup';

/**
 * Returns null if the element is rendered, is not `visibility: hidden`, and has a non-empty box. Opacity does not
 * matter.
 */
export function invisibilityOf(element: Element): Extract<BlockedReason, 'hidden' | 'zero-size'> | null {
  // An `area` of an image map is visible if its image is.
  const shown = element instanceof HTMLAreaElement ? (imageOfArea(element) ?? element) : element;
  if (isNotRendered(shown)) return 'hidden';
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 ? null : 'zero-size';
}

/** Also true for the label of a disabled control, and inside a disabled fieldset or an `aria-disabled` ancestor. */
export function isDisabledForActing(element: Element): boolean {
  const control = element instanceof HTMLLabelElement ? (element.control ?? element) : element;
  for (let node: Element | null = control; node; node = flatParent(node)) {
    if (ariaAttributeOf(node, 'aria-disabled') === 'true') return true;
    if ((node === control || matches(node, NATIVE_CONTROLS) || isCustom(node)) && isDisabled(node)) return true;
  }
  return false;
}

/** Custom elements can be form-associated, and thus disabled like native controls. */
function isCustom(element: Element): boolean {
  return localNameOf(element).includes('-');
}

export function lockOf(element: Element): FieldLock | null {
  if (isDisabledForActing(element)) return 'disabled';
  return isReadOnly(element) ? 'read-only' : null;
}

export function isInert(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node))
    if (hasAttribute(node, 'inert') || isInertByStyle(getComputedStyle(node))) return true;
  return false;
}

export function isReadOnly(element: Element): boolean {
  if (ariaAttributeOf(element, 'aria-readonly') === 'true') return true;
  return (
    (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && hasAttribute(element, 'readonly')
  );
}
