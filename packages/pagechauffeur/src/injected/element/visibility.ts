import { flatChildren, flatParent, shadowRootOf } from '../tree/composed-tree.ts';
import { markIncomplete } from '../dependencies.ts';
import { appears } from '../styles/fading.ts';
import { memoised } from '../memo.ts';
import { attributeOf, boundsOf, checkVisibility, hasAttribute, localNameOf, parentNodeOf } from '../native.ts';
import { newRange } from '../native-document.ts';

/** True if the element or its content is rendered, not transparent, not `visibility: hidden`, and has a size. */
export function isVisible(element: Element): boolean {
  // An element without size may still show overflowing content, and `display: contents` has no box.
  const waiting: Node[] = [element];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node instanceof Element ? isShown(node) : isVisibleText(node)) return true;
    if (node instanceof Element && mayShowMore(node)) for (const child of flatChildren(node)) waiting.push(child);
  }
  return false;
}

/** True if the element is rendered, not `visibility: hidden`, and not transparent unless it fades in. */
export function isSeen(element: Element): boolean {
  if (checkVisibility(element, { visibilityProperty: true, opacityProperty: true })) return true;
  return checkVisibility(element, { visibilityProperty: true }) && appears(element);
}

function isShown(element: Element): boolean {
  if (!isSeen(element)) return false;
  const { width, height } = boundsOf(element);
  return width > 0 && height > 0;
}

function mayShowMore(element: Element): boolean {
  return isSeen(element) || getComputedStyle(element).display === 'contents';
}

function isVisibleText(node: Node): boolean {
  if (!(node instanceof Text) || node.data.trim() === '') return false;
  markIncomplete();
  const range = newRange();
  range.selectNode(node);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** True if the element is not rendered, `visibility: hidden`, or inside `aria-hidden`. */
export function isHiddenFromAccessibility(element: Element): boolean {
  return isNotRendered(element) || isInHiddenPart(element);
}

function isInHiddenPart(element: Element): boolean {
  let isHidden = false;
  const pending: { isHidden: boolean | null }[] = [];
  for (let node: Element | null = element; node && !isHidden; node = flatParent(node)) {
    const known = hiddenPart(node);
    pending.push(known);
    isHidden = known.isHidden ?? (attributeOf(node, 'aria-hidden') === 'true' || isUnassignedLightChild(node));
    if (known.isHidden !== null) break;
  }
  for (const known of pending) known.isHidden = isHidden;
  return isHidden;
}

/** Caches `isInHiddenPart` for an element and its ancestors. */
const hiddenPart = memoised((_element: Element): { isHidden: boolean | null } => ({ isHidden: null }));

/** True if `display: none` on the element or an ancestor, or `visibility: hidden`, hides the element. */
export function isNotRendered(element: Element): boolean {
  if (checkVisibility(element, { visibilityProperty: true })) return false;
  const { display, visibility } = getComputedStyle(element);
  return display !== 'contents' || visibility !== 'visible' || !isContentRendered(element);
}

/** True if the content of an element with `display: contents` is rendered. The element has no box that could tell. */
export function isContentRendered(element: Element): boolean {
  const pending: { isRendered: boolean | null }[] = [];
  let isRendered: boolean | null = null;
  for (let node = element; isRendered === null;) {
    const known = renderedContent(node);
    pending.push(known);
    const parent = flatParent(node);
    isRendered = known.isRendered ?? (parent ? isRenderedIn(parent, node) : false);
    if (parent) node = parent;
  }
  for (const known of pending) known.isRendered = isRendered;
  return isRendered;
}

/** Caches `isContentRendered` for an element and its ancestors. */
const renderedContent = memoised((_element: Element): { isRendered: boolean | null } => ({ isRendered: null }));

/** Returns null if the parent has no box either. */
function isRenderedIn(parent: Element, child: Element): boolean | null {
  if (parent instanceof HTMLDetailsElement && !hasAttribute(parent, 'open') && localNameOf(child) !== 'summary')
    return false;
  const { display, contentVisibility } = getComputedStyle(parent);
  return display === 'contents' ? null : contentVisibility !== 'hidden' && checkVisibility(parent);
}

function isUnassignedLightChild(element: Element): boolean {
  const host = parentNodeOf(element);
  return host instanceof Element && shadowRootOf(host) !== null && flatParent(element) === host;
}
