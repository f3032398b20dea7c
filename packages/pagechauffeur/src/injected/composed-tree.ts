import { memoised } from './memo.ts';
import { assignedSlotOf, assignedSlotOfText, parentNodeOf, shadowRootPropertyOf } from './native.ts';

const closedRootByHost = new WeakMap<Element, ShadowRoot>();
let closedRootCount = 0;

/** Makes a closed root known; the browser named it, the page did not give it. */
export function adoptClosedRoot(host: Element, root: ShadowRoot): void {
  closedRootByHost.set(host, root);
  closedRootCount += 1;
}

/** How many closed roots have been made known so far. */
export function knownClosedRootCount(): number {
  return closedRootCount;
}

/** The shadow root of an element, open or closed as far as known. */
export function shadowRootOf(element: Element): ShadowRoot | null {
  return shadowRootPropertyOf(element) ?? closedRootByHost.get(element) ?? null;
}

/** Whether a known closed root hangs on this element. */
export function hasKnownClosedRoot(element: Element): boolean {
  return closedRootByHost.has(element);
}

/** The parent in the composed tree: a shadow root's host, else the parent element; null at the document. */
export function composedParent(node: Node): Element | null {
  const parent = parentNodeOf(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** The parent in the flat tree, as it is rendered: the slot a light child is assigned to, else the composed parent. */
export function flatParent(node: Element | Text): Element | null {
  const slot = node instanceof Element ? assignedSlotOf(node) : assignedSlotOfText(node);
  return slot ?? closedSlotOf(node) ?? composedParent(node);
}

// `assignedSlot` is null for slots in closed roots, so the slot is looked for.
function closedSlotOf(node: Element | Text): Element | null {
  const host = parentNodeOf(node);
  if (!(host instanceof Element)) return null;
  const root = closedRootByHost.get(host);
  return root ? (slotsIn(root).get(node) ?? null) : null;
}

/** The slot of each node that is shown in a root. */
const slotsIn = memoised((root: ShadowRoot): ReadonlyMap<Node, Element> => {
  const slots = new Map<Node, Element>();
  for (const slot of root.querySelectorAll('slot')) for (const node of slot.assignedNodes()) slots.set(node, slot);
  return slots;
});
