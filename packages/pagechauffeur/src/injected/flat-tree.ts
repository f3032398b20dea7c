import { markIncomplete } from './dependencies.ts';
import { shadowRootOf } from './composed-tree.ts';
import { firstChildOf, nextSiblingOf } from './native.ts';

/** Returns the rendered children: those in the shadow root, those assigned to a slot, or the child nodes. */
export function flatChildren(element: Element): Node[] {
  const root = shadowRootOf(element);
  // Changes in shadow trees are not watched.
  if (root || element instanceof HTMLSlotElement) markIncomplete();
  if (!root && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return childNodesOf(root ?? element);
}

function childNodesOf(parent: Node): Node[] {
  const nodes: Node[] = [];
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) nodes.push(node);
  return nodes;
}
