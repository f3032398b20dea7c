import { shadowRootOf } from './composed-tree.ts';
import { referencedElements } from './aria/references.ts';
import { firstChildOf, hasAttribute, nextSiblingOf } from './native.ts';

/** What is rendered inside an element: its shadow root's nodes, a slot's assigned nodes, else its child nodes. */
export function flatChildren(element: Element): Node[] {
  const root = shadowRootOf(element);
  if (!root && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return childNodesOf(root ?? element);
}

/** What is rendered inside an element, followed by what it owns by `aria-owns`. */
export function accessibleChildren(element: Element): Node[] {
  const children = flatChildren(element);
  if (hasAttribute(element, 'aria-owns')) children.push(...referencedElements(element, 'aria-owns').filter((owned) => !owned.contains(element)));
  return children;
}

function childNodesOf(parent: Node): Node[] {
  const nodes: Node[] = [];
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) nodes.push(node);
  return nodes;
}
