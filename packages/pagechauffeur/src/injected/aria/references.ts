import { dependOn, measured } from '../dependencies.ts';
import { fieldState } from '../field-state.ts';
import { numberOf } from '../identity.ts';
import { attributeOf } from '../native.ts';
import { elementById, treeScopeOf } from '../tree-scope.ts';

/** Resolves the ids in an attribute such as `aria-labelledby` in the element's own tree. */
export function referencedElements(element: Element, attribute: string): Element[] {
  if (!attributeOf(element, attribute)?.trim()) return [];
  measured(element, referenceNumbers, attribute);
  const elements = resolve(element, attribute);
  for (const found of elements) {
    dependOn(found);
    measured(found, fieldState);
  }
  return elements;
}

function resolve(element: Element, attribute: string): Element[] {
  const ids = attributeOf(element, attribute)?.trim() ?? '';
  const scope = treeScopeOf(element);
  if (!scope) return [];
  const elements: Element[] = [];
  for (const id of ids.split(/\s+/)) {
    const found = elementById(scope, id);
    if (found) elements.push(found);
  }
  return elements;
}

/** Identifies the referenced elements. Changes when an id moves to another element. */
function referenceNumbers(element: Element, attribute: string): string {
  return resolve(element, attribute).map(numberOf).join(' ');
}
