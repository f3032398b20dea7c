import type { Point } from '../contract.ts';
import { flatParent, shadowRootOf } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { rootOf } from '../native.ts';
import { topElementAt } from '../native-document.ts';

/** Like `elementFromPoint`, but also looks into shadow roots. */
export function elementAtPoint({ x, y }: Point): Element | null {
  let element = topElementAt(x, y);
  for (let root = element && shadowRootOf(element); element && root; root = shadowRootOf(element)) {
    const inner = elementInRoot(root, { x, y });
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
}

/** True if a click on `hit` activates `element`: usually, `hit` is inside it, or a label forwards the click. */
export function reaches(hit: Element, element: Element): boolean {
  for (let node: Element | null = hit; node; node = flatParent(node)) {
    if (node === element) return true;
    if (node instanceof HTMLLabelElement && node.control === element) return true;
    // A link inside a label handles the event itself.
    if (element instanceof HTMLLabelElement && node !== element.control && isFocusable(node)) return false;
  }
  if (element instanceof HTMLLabelElement && element.control !== null && isInside(hit, element.control)) return true;
  return isSeenThrough(element, hit) || isTransparentBeside(element, hit) || isTransparentBeside(hit, element);
}

/**
 * True for a transparent field that lies over or under another child of its parent, which shows its state. Users click
 * what they see.
 */
function isTransparentBeside(field: Element, shown: Element): boolean {
  if (!(field instanceof HTMLInputElement) || getComputedStyle(field).opacity !== '0') return false;
  const parent = flatParent(field);
  return parent !== null && isInside(shown, parent) && shown !== parent;
}

// Custom fields often hide the real input with `opacity: 0`. The element around it, with a pointer cursor, receives the
// event.
function isSeenThrough(element: Element, hit: Element): boolean {
  if (getComputedStyle(element).opacity !== '0' || getComputedStyle(hit).cursor !== 'pointer') return false;
  return element !== hit && isInside(element, hit);
}

/** True if `inner` is `outer` or its descendant in the flat tree. */
export function isInside(inner: Element, outer: Element): boolean {
  for (let node: Element | null = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
}

// Over slotted text, `elementFromPoint` returns the shadow host. `elementsFromPoint` includes the elements inside the
// root.
function elementInRoot(root: ShadowRoot, { x, y }: Point): Element | null {
  const top = root.elementFromPoint(x, y);
  if (top && top !== root.host) return rootOf(top) === root ? top : null;
  return root.elementsFromPoint(x, y).find((element) => rootOf(element) === root) ?? null;
}
