import { composedParent } from '../composed-tree.ts';
import { memoised } from '../memo.ts';
import { hasAttribute, queryAll } from '../native.ts';
import { referencedElements } from './references.ts';

/** The elements that another one takes as its own by `aria-owns`, from wherever they stand. */
export function ownedElements(owner: Element): Element[] {
  if (!hasAttribute(owner, 'aria-owns')) return [];
  return referencedElements(owner, 'aria-owns').filter((owned) => !owned.contains(owner));
}

/** The parent as assistive technology sees it: the element that owns this one, else the composed parent. */
export function accessibleParent(element: Element): Element | null {
  const root = hasAttribute(element, 'id') ? element.getRootNode() : null;
  const owner = root instanceof Document || root instanceof ShadowRoot ? ownersIn(root).get(element) : undefined;
  return owner ?? composedParent(element);
}

const ownersIn = memoised((root: Document | ShadowRoot): ReadonlyMap<Element, Element> => {
  const owners = new Map<Element, Element>();
  for (const owner of queryAll(root, '[aria-owns]')) for (const owned of ownedElements(owner)) owners.set(owned, owner);
  return owners;
});
