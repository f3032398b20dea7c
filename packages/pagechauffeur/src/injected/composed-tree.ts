import { memoised } from './memo.ts';
import { assignedSlotOf, assignedSlotOfText, parentNodeOf, shadowRootPropertyOf } from './native.ts';

const closedRootByHost = new WeakMap<Element, ShadowRoot>();
let closedRootCount = 0;

/** Registers a closed shadow root. The handle comes from CDP, because page scripts cannot access the root. */
export function adoptClosedRoot(host: Element, root: ShadowRoot): void {
  closedRootByHost.set(host, root);
  closedRootCount += 1;
}

/** The number of closed shadow roots registered so far. */
export function knownClosedRootCount(): number {
  return closedRootCount;
}

/** Returns the element's shadow root if it is open, or closed and registered. */
export function shadowRootOf(element: Element): ShadowRoot | null {
  const open = shadowRootPropertyOf(element);
  return open || closedRootCount === 0 ? open : (closedRootByHost.get(element) ?? null);
}

/** True if a closed shadow root is registered for this element. */
export function hasKnownClosedRoot(element: Element): boolean {
  return closedRootByHost.has(element);
}

/**
 * Returns the parent in the composed tree: the host of a shadow root, else the parent element. Returns `null` at the
 * document.
 */
export function composedParent(node: Node): Element | null {
  const parent = parentNodeOf(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/**
 * Returns the parent in the flat (rendered) tree: the slot that a light child is assigned to, else the composed parent.
 */
export function flatParent(node: Element | Text): Element | null {
  const slot = node instanceof Element ? assignedSlotOf(node) : assignedSlotOfText(node);
  return slot ?? closedSlotOf(node) ?? composedParent(node);
}

// `assignedSlot` returns null for slots in closed roots, so search the registered root for the slot.
function closedSlotOf(node: Element | Text): Element | null {
  const host = parentNodeOf(node);
  if (!(host instanceof Element)) return null;
  const root = closedRootByHost.get(host);
  return root ? (slotsIn(root).get(node) ?? null) : null;
}

/** Maps each assigned node to its slot, for one shadow root. */
const slotsIn = memoised((root: ShadowRoot): ReadonlyMap<Node, Element> => {
  const slots = new Map<Node, Element>();
  for (const slot of root.querySelectorAll('slot')) for (const node of slot.assignedNodes()) slots.set(node, slot);
  return slots;
});
