import type { Point } from '../contract.ts';
import { flatParent, shadowRootOf } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { rootOf } from '../native.ts';
import { topElementAt } from '../native-document.ts';

/** The innermost element at a point, through shadow roots. */
export function elementAtPoint({ x, y }: Point): Element | null {
  let element = topElementAt(x, y);
  for (let root = element && shadowRootOf(element); element && root; root = shadowRootOf(element)) {
    const inner = elementInRoot(root, { x, y });
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
}

/** Whether an event that hits `hit` reaches `element`: it is inside it, or goes over by a label. */
export function reaches(hit: Element, element: Element): boolean {
  for (let node: Element | null = hit; node; node = flatParent(node)) {
    if (node === element) return true;
    if (node instanceof HTMLLabelElement && node.control === element) return true;
    // A link inside a label takes the event for itself.
    if (element instanceof HTMLLabelElement && node !== element.control && isFocusable(node)) return false;
  }
  if (element instanceof HTMLLabelElement && element.control !== null && isInside(hit, element.control)) return true;
  return isSeenThrough(element, hit);
}

// A field that a script made keeps its real input unseen behind its own box, which shows the hand and takes the pointer for it.
function isSeenThrough(element: Element, hit: Element): boolean {
  if (getComputedStyle(element).opacity !== '0' || getComputedStyle(hit).cursor !== 'pointer') return false;
  return element !== hit && isInside(element, hit);
}

/** Whether an element is another one or lies in it, as the page is drawn. */
export function isInside(inner: Element, outer: Element): boolean {
  for (let node: Element | null = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
}

// Over text that is slotted into the root, the browser names the host; the list of all elements still has the root's own.
function elementInRoot(root: ShadowRoot, { x, y }: Point): Element | null {
  const top = root.elementFromPoint(x, y);
  if (top && top !== root.host) return rootOf(top) === root ? top : null;
  return root.elementsFromPoint(x, y).find((element) => rootOf(element) === root) ?? null;
}
