import { attributeOf, hasAttribute } from '../native.ts';
import { foldSpace } from './spoken-text.ts';
import { textByReference } from './text-alternative.ts';

/** What the author says about an element beyond its name, by `aria-describedby` or `aria-description`. */
export function descriptionOf(element: Element): string {
  if (hasAttribute(element, 'aria-describedby')) {
    const text = foldSpace(textByReference(element, 'aria-describedby'));
    if (text !== '') return text;
  }
  return foldSpace(attributeOf(element, 'aria-description') ?? '');
}
