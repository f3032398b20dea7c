import type { Point } from '../../contract.ts';
import { flatParent, shadowRootOf } from '../../tree/composed-tree.ts';
import { isFocusable } from '../../element/controls.ts';
import {
  matches,
  nextElementOf,
  previousElementOf,
  queryAll,
  queryCount,
  rootOf,
  textContentOf,
} from '../../native.ts';
import { foldSpace } from '../../aria/text-builder.ts';
import { hasHandler, listensToPointer } from '../../snapshot/clickable/listened.ts';
import { topElementAt } from '../../native-document.ts';

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

/**
 * True if a click on `hit` activates `element`: `hit` is inside it, a label forwards the click, or one of them is a
 * transparent box that the other one shows.
 */
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

// Custom fields often hide the real input with `opacity: 0`. The element around it, with a pointer cursor, receives the
// event.
function isSeenThrough(element: Element, hit: Element): boolean {
  if (getComputedStyle(element).opacity !== '0' || getComputedStyle(hit).cursor !== 'pointer') return false;
  return element !== hit && isInside(element, hit);
}

/** True for a transparent box and the element that shows its state over or under it, see `faceOf`. */
function isTransparentBeside(field: Element, shown: Element): boolean {
  const face = faceOf(field);
  return face !== null && isInside(shown, face);
}

/**
 * Returns the neighbor that a transparent checkbox or radio button seems to belong to, such as its label. The neighbor has
 * no control and no known listener of its own, so a click on it can only be meant for the box.
 */
export function faceOf(field: Element): Element | null {
  if (!(field instanceof HTMLInputElement) || !BOX_TYPES.has(field.type)) return null;
  if (getComputedStyle(field).opacity !== '0') return null;
  const neighbors = [nextElementOf(field), previousElementOf(field)];
  return neighbors.find((neighbor) => neighbor !== null && isPlainFace(neighbor)) ?? null;
}

function isPlainFace(neighbor: Element): boolean {
  if (hasHandler(neighbor) || listensToPointer(neighbor)) return false;
  if (matches(neighbor, CONTROLS) || queryCount(neighbor, CONTROLS) > 0) return false;
  return foldSpace(textContentOf(neighbor) ?? '') !== '';
}

const BOX_TYPES: ReadonlySet<string> = new Set(['checkbox', 'radio']);
const CONTROLS =
  'a, button, dialog, form, iframe, input, select, summary, textarea, [contenteditable], [onclick], [role], [tabindex]';

/** True if a part of an element with `pointer-events: none` takes clicks, as in some custom elements. */
export function hasPartForPointer(element: Element): boolean {
  const parts = queryAll(shadowRootOf(element) ?? element, '*').slice(0, MAX_PARTS);
  return parts.some((part) => getComputedStyle(part).pointerEvents !== 'none');
}

/** Maximum descendants to check. */
const MAX_PARTS = 20;

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
