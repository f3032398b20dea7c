import { composedParent } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { boundsOf, childrenOf, isConnected, localNameOf, queryAll } from '../native.ts';
import { elementsAtPoint, treeScopeOf } from '../tree-scope.ts';
import { isVisible } from '../visibility.ts';
import { insideViewport, pointAt } from './geometry.ts';

/** Points of an element's box at which we look for what it covers, as fractions of its width and height. */
const LOOKED_AT: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
];
/**
 * Whether an element that an action brought lies over the page, can be seen, and holds something to act on: a menu or a
 * panel. Pages also place their ordinary content by `position: absolute`, such as views, rows and widgets; that lies over
 * nothing but its container. `part` is the outermost element that came with it.
 */
export function isOverlay(element: Element, part: Element): boolean {
  if (!isConnected(element) || !isVisible(element) || !isOutOfFlow(element)) return false;
  if (![element, ...queryAll(element, '*')].some(isFocusable)) return false;
  if (part !== element) return !isWithin(element, part);
  const parent = composedParent(element);
  if (parent === null || coversOthers(element)) return true;
  const isOfPage = ['body', 'html'].includes(localNameOf(parent));
  return isOfPage || !isWithin(element, parent) || !isPlacedContent(element, parent);
}

function isOutOfFlow(element: Element): boolean {
  const { position } = getComputedStyle(element);
  return position === 'fixed' || position === 'absolute';
}

/** Whether most of a box lies in another: the button that closes a card may stick out of its corner. */
function isWithin(element: Element, around: Element): boolean {
  const [inner, outer] = [boundsOf(element), boundsOf(around)];
  const across = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const down = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return across >= 0 && down >= 0 && across * down * 2 >= inner.width * inner.height;
}

/** Whether anything is beneath the element that is not around it. */
function coversOthers(element: Element): boolean {
  const box = insideViewport(boundsOf(element));
  const scope = treeScopeOf(element);
  if (box === null || scope === null) return false;
  return LOOKED_AT.some(([across, down]) => {
    const { x, y } = pointAt(box, across, down);
    const beneath = elementsAtPoint(scope, x, y).find((other) => !isInside(other, element));
    return beneath !== undefined && !isInside(element, beneath);
  });
}

function isInside(element: Element, around: Element): boolean {
  for (let node: Element | null = element; node; node = composedParent(node)) if (node === around) return true;
  return false;
}

/** Whether the container places its content itself: all of it, or others of this kind. */
function isPlacedContent(element: Element, container: Element): boolean {
  const siblings = childrenOf(container).filter((child) => child !== element);
  const tag = localNameOf(element);
  return siblings.every(isOutOfFlow) || siblings.some((child) => localNameOf(child) === tag && isOutOfFlow(child));
}
