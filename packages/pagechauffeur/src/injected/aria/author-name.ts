import { attributeOf, hasAttribute } from '../native.ts';
import { referencedElements } from './references.ts';
import { saysSomething } from './spoken-text.ts';

/** Returns the element's `aria-label`; `''` if it has no readable text. */
export function ariaLabelOf(element: Element): string {
  const label = attributeOf(element, 'aria-label');
  return label !== null && saysSomething(label) ? label : '';
}

/** True if `aria-labelledby`, `aria-label` or `title` names the element. */
export function hasAuthorName(element: Element): boolean {
  if (ariaLabelOf(element) !== '') return true;
  if (hasAttribute(element, 'aria-labelledby') && referencedElements(element, 'aria-labelledby').length > 0)
    return true;
  return saysSomething(attributeOf(element, 'title') ?? '');
}
