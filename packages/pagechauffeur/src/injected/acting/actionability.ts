import type { BlockedReason, FieldLock } from '../contract.ts';
import { flatParent } from '../composed-tree.ts';
import { isDisabled } from '../focusable.ts';
import { attributeOf, checkVisibility, hasAttribute, localNameOf, matches } from '../native.ts';
import { boxOf } from './geometry.ts';
import { imageOfArea } from './image-map.ts';

const NATIVE_CONTROLS = 'button, select, input, textarea, option, optgroup';

/** Why a person's pointer could not find the element: not rendered, `visibility: hidden`, or without a size. Opacity does not matter. */
export function invisibilityOf(element: Element): Extract<BlockedReason, 'hidden' | 'zero-size'> | null {
  // An area of an image map is seen where its image is.
  const shown = element instanceof HTMLAreaElement ? (imageOfArea(element) ?? element) : element;
  if (!checkVisibility(shown, { visibilityProperty: true })) {
    const { display, visibility } = getComputedStyle(shown);
    if (display !== 'contents' || visibility !== 'visible') return 'hidden';
  }
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 ? null : 'zero-size';
}

/** Whether the element takes no action from a person: itself, its control, a fieldset or an `aria-disabled` part around it. */
export function isDisabledForActing(element: Element): boolean {
  const control = element instanceof HTMLLabelElement ? (element.control ?? element) : element;
  for (let node: Element | null = control; node; node = flatParent(node)) {
    if (attributeOf(node, 'aria-disabled') === 'true') return true;
    if ((node === control || matches(node, NATIVE_CONTROLS) || isCustom(node)) && isDisabled(node)) return true;
  }
  return false;
}

/** Whether the element is of a kind that a page defines, which may take part in forms as the browser's own do. */
function isCustom(element: Element): boolean {
  return localNameOf(element).includes('-');
}

/** By what an element keeps its text from being changed; null if it does not. */
export function lockOf(element: Element): FieldLock | null {
  if (isDisabledForActing(element)) return 'disabled';
  return isReadOnly(element) ? 'read-only' : null;
}

/** Whether the element is in a part of the page that its author made take no events. */
export function isInert(element: Element): boolean {
  for (let node: Element | null = element; node; node = flatParent(node)) if (hasAttribute(node, 'inert')) return true;
  return false;
}

/** Whether a text control or editable element shows its text but does not let it be changed. */
export function isReadOnly(element: Element): boolean {
  if (attributeOf(element, 'aria-readonly') === 'true') return true;
  return (
    (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && hasAttribute(element, 'readonly')
  );
}
