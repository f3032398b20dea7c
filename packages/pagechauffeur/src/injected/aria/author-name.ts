import { ariaAttributeOf } from '../element-internals.ts';
import { attributeOf, hasAttribute } from '../native.ts';
import { referencedElements } from './references.ts';
import { hasVisibleText } from './text-builder.ts';

export function ariaLabelOf(element: Element): string {
  const label = ariaAttributeOf(element, 'aria-label');
  return label !== null && hasVisibleText(label) ? label : '';
}

/** True if `aria-label` has text or `aria-labelledby` refers to an element. */
export function hasAriaName(element: Element): boolean {
  if (ariaLabelOf(element) !== '') return true;
  return hasAttribute(element, 'aria-labelledby') && referencedElements(element, 'aria-labelledby').length > 0;
}

/** True if the author named the element with `aria-labelledby`, `aria-label` or `title`. */
export function hasAuthorName(element: Element): boolean {
  return hasAriaName(element) || hasVisibleText(attributeOf(element, 'title') ?? '');
}
