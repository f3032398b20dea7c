import type { Point } from '../contract.ts';
import { flatParent, shadowRootOf } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { rootOf } from '../native.ts';
import { topElementAt } from '../native-document.ts';

/** Returns the innermost element at a point, including those in shadow roots. */
export function elementAtPoint({ x, y }: Point): Element | null {
  let element = topElementAt(x, y);
  for (let root = element && shadowRootOf(element); element && root; root = shadowRootOf(element)) {
    const inner = elementInRoot(root, { x, y });
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
}

/** True if an event on `hit` reaches `element`: `hit` is inside it, or a label forwards the event to it. */
export function reaches(hit: Element, element: Element): boolean {
  for (let node: Element | null = hit; node; node = flatParent(node)) {
    if (node === element) return true;
    if (node instanceof HTMLLabelElement && node.control === element) return true;
    // A link inside a label handles the event itself.
    if (element instanceof HTMLLabelElement && node !== element.control && isFocusable(node)) return false;
  }
  if (element instanceof HTMLLabelElement && element.control !== null && isInside(hit, element.control)) return true;
  return isSeenThrough(element, hit);
}

// A custom field hides the real input (`opacity: 0`) inside its own box, which has the pointer cursor and receives the
// event instead.
function isSeenThrough(element: Element, hit: Element): boolean {
  if (getComputedStyle(element).opacity !== '0' || getComputedStyle(hit).cursor !== 'pointer') return false;
  return element !== hit && isInside(element, hit);
}

/** True if `inner` is `outer` or its descendant in the flat tree. */
export function isInside(inner: Element, outer: Element): boolean {
  for (let node: Element | null = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
}

// Over slotted text, `elementFromPoint` returns the shadow host, but `elementsFromPoint` includes the elements of the
// root.
function elementInRoot(root: ShadowRoot, { x, y }: Point): Element | null {
  const top = root.elementFromPoint(x, y);
  if (top && top !== root.host) return rootOf(top) === root ? top : null;
  return root.elementsFromPoint(x, y).find((element) => rootOf(element) === root) ?? null;
}
