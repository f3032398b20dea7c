import { attributeOf, contains, hasAttribute } from '../native.ts';
import { foldSpace } from './spoken-text.ts';
import { referencedElements } from './references.ts';
import { referencedText } from './text-alternative.ts';

/** What the author says about an element beyond its name, by `aria-describedby` or `aria-description`; what stands inside it is not said twice. */
export function descriptionOf(element: Element): string {
  if (hasAttribute(element, 'aria-describedby')) {
    const outside = referencedElements(element, 'aria-describedby').filter(
      (reference) => !contains(element, reference),
    );
    const text = foldSpace(outside.map((reference) => referencedText(reference, element)).join(' '));
    if (text !== '') return text;
  }
  return foldSpace(attributeOf(element, 'aria-description') ?? '');
}
