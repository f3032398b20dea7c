import { attributeOf } from '../native.ts';

/** The elements that an attribute such as `aria-labelledby` names by their ids, in its order. */
export function referencedElements(element: Element, attribute: string): Element[] {
  const ids = attributeOf(element, attribute)?.trim();
  if (!ids) return [];
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  const elements: Element[] = [];
  for (const id of ids.split(/\s+/)) {
    const found = root.getElementById(id);
    if (found) elements.push(found);
  }
  return elements;
}
