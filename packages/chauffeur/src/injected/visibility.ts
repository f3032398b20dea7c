import { flatParent, shadowRootOf } from './composed-tree.ts';
import { flatChildren } from './flat-tree.ts';
import { attributeOf, boundsOf, checkVisibility, parentNodeOf } from './native.ts';
import { newRange } from './native-document.ts';

/** Whether a person could see the element: rendered, not transparent, not `visibility: hidden`, not without size. */
export function isVisible(element: Element): boolean {
  if (!checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) {
    return getComputedStyle(element).display === 'contents' && hasVisibleChild(element);
  }
  const { width, height } = boundsOf(element);
  return (width > 0 && height > 0) || hasVisibleChild(element);
}

// A box without size still shows what overflows it, and `display: contents` has no box of its own.
function hasVisibleChild(element: Element): boolean {
  for (const child of flatChildren(element)) {
    if (child instanceof Element ? isVisible(child) : isVisibleText(child)) return true;
  }
  return false;
}

function isVisibleText(node: Node): boolean {
  if (!(node instanceof Text) || node.data.trim() === '') return false;
  const range = newRange();
  range.selectNode(node);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** Whether assistive technology is not told of the element: not rendered, `visibility: hidden`, or in an `aria-hidden` part. */
export function isHiddenFromAccessibility(element: Element): boolean {
  if (isNotRendered(element)) return true;
  for (let node: Element | null = element; node; node = flatParent(node)) {
    if (attributeOf(node, 'aria-hidden') === 'true') return true;
    if (isUnassignedLightChild(node)) return true;
  }
  return false;
}

/** Whether the element has no rendering of its own: `display: none` on it or an ancestor, or `visibility: hidden`. */
export function isNotRendered(element: Element): boolean {
  if (checkVisibility(element, { visibilityProperty: true })) return false;
  const { display, visibility } = getComputedStyle(element);
  return display !== 'contents' || visibility !== 'visible';
}

function isUnassignedLightChild(element: Element): boolean {
  const host = parentNodeOf(element);
  return host instanceof Element && shadowRootOf(host) !== null && flatParent(element) === host;
}
