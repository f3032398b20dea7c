import { markIncomplete } from './dependencies.ts';
import { shadowRootOf } from './composed-tree.ts';
import { firstChildOf, nextSiblingOf } from './native.ts';

/** Returns the rendered children: those in the shadow root, those assigned to a slot, or the child nodes. */
export function flatChildren(element: Element): Node[] {
  const { assigned, parent } = flatContent(element);
  if (assigned) return assigned;
  const nodes: Node[] = [];
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) nodes.push(node);
  return nodes;
}

/** Yields the nodes of `flatChildren` one by one, for callers that stop early. */
export function* eachFlatChild(element: Element): Generator<Node, undefined> {
  const { assigned, parent } = flatContent(element);
  if (assigned) return yield* assigned;
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) yield node;
}

interface FlatContent {
  readonly parent: Element | ShadowRoot;
  /** Nodes assigned to the slot. They replace its own children. */
  readonly assigned?: Node[];
}

function flatContent(element: Element): FlatContent {
  const root = shadowRootOf(element);
  const isSlot = element instanceof HTMLSlotElement;
  // Changes in shadow trees are not watched.
  if (root || isSlot) markIncomplete();
  if (root) return { parent: root };
  const assigned = isSlot ? element.assignedNodes() : [];
  return assigned.length > 0 ? { parent: element, assigned } : { parent: element };
}
