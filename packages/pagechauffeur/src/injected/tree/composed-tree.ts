import { memoised } from '../memo.ts';
import {
  assignedSlotOf,
  assignedSlotOfText,
  firstChildOf,
  nextSiblingOf,
  parentNodeOf,
  shadowRootPropertyOf,
} from '../native.ts';
import { markIncomplete } from '../dependencies.ts';

const closedRootByHost = new WeakMap<Element, ShadowRoot>();
let closedRootCount = 0;

/** Stores a closed shadow root found through CDP, because `host.shadowRoot` is null. */
export function adoptClosedRoot(host: Element, root: ShadowRoot): void {
  closedRootByHost.set(host, root);
  closedRootCount += 1;
}

export function knownClosedRootCount(): number {
  return closedRootCount;
}

/** Returns the open shadow root, or a registered closed one. */
export function shadowRootOf(element: Element): ShadowRoot | null {
  const open = shadowRootPropertyOf(element);
  return open || closedRootCount === 0 ? open : (closedRootByHost.get(element) ?? null);
}

export function hasKnownClosedRoot(element: Element): boolean {
  return closedRootByHost.has(element);
}

/** Returns the parent element, or the host of a shadow root. `null` at the document. */
export function composedParent(node: Node): Element | null {
  const parent = parentNodeOf(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** Returns the parent in the rendered tree: the assigned slot, else the composed parent. */
export function flatParent(node: Element | Text): Element | null {
  const slot = node instanceof Element ? assignedSlotOf(node) : assignedSlotOfText(node);
  return slot ?? closedSlotOf(node) ?? composedParent(node);
}

/** True if the rendered tree contains `inner` in `outer`, or if both are the same element. */
export function isInside(inner: Element, outer: Element): boolean {
  for (let node: Element | null = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
}

// `assignedSlot` is null for slots in closed roots.
function closedSlotOf(node: Element | Text): Element | null {
  const host = parentNodeOf(node);
  if (!(host instanceof Element)) return null;
  const root = closedRootByHost.get(host);
  return root ? (slotsIn(root).get(node) ?? null) : null;
}

const slotsIn = memoised((root: ShadowRoot): ReadonlyMap<Node, Element> => {
  const slots = new Map<Node, Element>();
  for (const slot of root.querySelectorAll('slot')) for (const node of slot.assignedNodes()) slots.set(node, slot);
  return slots;
});

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
