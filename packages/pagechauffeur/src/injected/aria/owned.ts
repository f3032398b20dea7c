import { flatParent } from '../composed-tree.ts';
import { dependOn, unrecorded } from '../dependencies.ts';
import { memoised } from '../memo.ts';
import { contains, hasAttribute, queryAll } from '../native.ts';
import { type TreeScope, treeScopeOf } from '../tree-scope.ts';
import { referencedElements } from './references.ts';

/** Returns the elements that `aria-owns` references, except ancestors of the owner, which would form a cycle. */
export function ownedElements(owner: Element): Element[] {
  if (!hasAttribute(owner, 'aria-owns')) return [];
  return referencedElements(owner, 'aria-owns').filter((owned) => !contains(owned, owner));
}

/** Returns the `aria-owns` owner if there is one, else the parent in the flat tree. */
export function accessibleParent(element: Element): Element | null {
  const scope = hasAttribute(element, 'id') ? treeScopeOf(element) : null;
  const owner = scope && unrecorded(() => ownersIn(scope).get(element));
  if (owner) dependOn(owner);
  return owner ?? flatParent(element);
}

const ownersIn = memoised((scope: TreeScope): ReadonlyMap<Element, Element> => {
  const owners = new Map<Element, Element>();
  for (const owner of queryAll(scope, '[aria-owns]'))
    for (const owned of ownedElements(owner)) owners.set(owned, owner);
  return owners;
});
