import { composedParent } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { boundsOf, childrenOf, isConnected, localNameOf, queryAll } from '../native.ts';
import { elementsAtPoint, treeScopeOf } from '../tree-scope.ts';
import { isVisible } from '../visibility.ts';
import { insideViewport, pointAt } from './geometry.ts';

/** Points at which to test what an element covers, as fractions of its width and height. */
const LOOKED_AT: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
];
/**
 * True if an element that an action added lies over the page, is visible and holds something to act on: a menu or a panel. Pages also
 * position ordinary content with `position: absolute`, such as views, rows and widgets; it covers only its container. `part` is the
 * outermost element that was added with it.
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

/** True if at least half of the element lies inside the other. The close button of a card may stick out of its corner. */
function isWithin(element: Element, around: Element): boolean {
  const [inner, outer] = [boundsOf(element), boundsOf(around)];
  const across = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const down = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return across >= 0 && down >= 0 && across * down * 2 >= inner.width * inner.height;
}

/** True if the element covers anything that is not its ancestor. */
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

/** True if the container positions its content itself: all of it, or another child with the same tag. */
function isPlacedContent(element: Element, container: Element): boolean {
  const siblings = childrenOf(container).filter((child) => child !== element);
  const tag = localNameOf(element);
  return siblings.every(isOutOfFlow) || siblings.some((child) => localNameOf(child) === tag && isOutOfFlow(child));
}
