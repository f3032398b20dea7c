import { attributeOf } from '../native.ts';
import { elementById, treeScopeOf } from '../tree-scope.ts';

/** Resolves the ids in an attribute such as `aria-labelledby` in the element's own tree. */
export function referencedElements(element: Element, attribute: string): Element[] {
  const ids = attributeOf(element, attribute)?.trim();
  if (!ids) return [];
  const scope = treeScopeOf(element);
  if (!scope) return [];
  const elements: Element[] = [];
  for (const id of ids.split(/\s+/)) {
    const found = elementById(scope, id);
    if (found) elements.push(found);
  }
  return elements;
}
