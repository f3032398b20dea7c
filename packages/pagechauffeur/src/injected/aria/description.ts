import { attributeOf, contains, hasAttribute } from '../native.ts';
import { foldSpace } from './text-builder.ts';
import { referencedElements } from './references.ts';
import { referencedText } from './text-alternative.ts';

/**
 * Returns the accessible description without `aria-describedby` targets inside the element, whose text the snapshot
 * already contains.
 */
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
