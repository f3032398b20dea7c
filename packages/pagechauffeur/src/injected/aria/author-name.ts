import { attributeOf, hasAttribute } from '../native.ts';
import { referencedElements } from './references.ts';
import { hasVisibleText } from './text-builder.ts';

export function ariaLabelOf(element: Element): string {
  const label = attributeOf(element, 'aria-label');
  return label !== null && hasVisibleText(label) ? label : '';
}

/** True if the author named the element with `aria-labelledby`, `aria-label` or `title`. */
export function hasAuthorName(element: Element): boolean {
  if (ariaLabelOf(element) !== '') return true;
  if (hasAttribute(element, 'aria-labelledby') && referencedElements(element, 'aria-labelledby').length > 0)
    return true;
  return hasVisibleText(attributeOf(element, 'title') ?? '');
}
