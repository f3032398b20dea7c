import { attributeOf } from '../native.ts';

/** Whether the author named the element by attribute: `aria-labelledby`, `aria-label` or `title`. */
export function hasAuthorName(element: Element): boolean {
  return isFilled(element, 'aria-labelledby') || isFilled(element, 'aria-label') || isFilled(element, 'title');
}

function isFilled(element: Element, name: string): boolean {
  const value = attributeOf(element, name);
  return value !== null && value.trim() !== '';
}
