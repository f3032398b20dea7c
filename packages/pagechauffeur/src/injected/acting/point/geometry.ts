import type { Box, Point } from '../../contract.ts';
import { attributeOf, boundsOf, documentElementOf, localNameOf, queryAll } from '../../native.ts';
import { newRange } from '../../native-document.ts';
import { flatParent } from '../../tree/composed-tree.ts';

/** Returns null if no part of the box is inside the viewport. */
export function insideViewport(box: Box): Box | null {
  const left = Math.max(0, box.x);
  const top = Math.max(0, box.y);
  const right = Math.min(innerWidth, box.x + box.width);
  const bottom = Math.min(innerHeight, box.y + box.height);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** True if the box is above or before the scrollable area, so that no scrolling can reach it. */
export function isBeyondScrolling({ x, y, width, height }: Box): boolean {
  const root = documentElementOf(document);
  const startsLeft = root === null || getComputedStyle(root).direction === 'ltr';
  return y + height + scrollY <= 0 || (startsLeft && x + width + scrollX <= 0);
}

/** `across` and `down` are fractions of the box's width and height. */
export function pointAt(box: Box, across: number, down: number): Point {
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

/** Falls back to the box of the content if the element's own box is empty and clips nothing. */
export function boxOf(element: Element): Box {
  if (element instanceof HTMLAreaElement) return boxOfArea(element);
  const box = boundsOf(element);
  if ((box.width > 0 && box.height > 0) || clips(getComputedStyle(element))) return toBox(box);
  const range = newRange();
  range.selectNodeContents(element);
  const content = range.getBoundingClientRect();
  return toBox(content.width > 0 && content.height > 0 ? content : box);
}

function clips({ display, overflowX, overflowY }: CSSStyleDeclaration): boolean {
  return display !== 'contents' && (overflowX !== 'visible' || overflowY !== 'visible');
}

/** An inline element that wraps has one box per line. */
export function lineBoxesOf(element: Element): Box[] {
  return Array.from(Element.prototype.getClientRects.call(element), toBox).filter(
    (box) => box.width > 0 && box.height > 0,
  );
}

function toBox({ x, y, width, height }: DOMRect): Box {
  return { x, y, width, height };
}

export function imageOfArea(area: HTMLAreaElement): HTMLImageElement | null {
  const map = area.closest('map');
  const name = map && (attributeOf(map, 'name') ?? attributeOf(map, 'id'));
  if (!name) return null;
  const root = area.getRootNode() as Document | ShadowRoot;
  const image = queryAll(root, 'img[usemap]').find((candidate) => attributeOf(candidate, 'usemap') === `#${name}`);
  return image instanceof HTMLImageElement ? image : null;
}

/** An `area` element has no box, so this computes one from its `coords`. */
function boxOfArea(area: HTMLAreaElement): Box {
  const image = imageOfArea(area)?.getBoundingClientRect();
  if (!image) return { x: 0, y: 0, width: 0, height: 0 };
  const corners = cornersOf(area.shape.toLowerCase(), area.coords.split(',').map(Number));
  if (!corners) return { x: image.x, y: image.y, width: image.width, height: image.height };
  const [left, top, right, bottom] = corners;
  return { x: image.x + left, y: image.y + top, width: right - left, height: bottom - top };
}

function cornersOf(
  shape: string,
  coords: readonly number[],
): [left: number, top: number, right: number, bottom: number] | null {
  if (shape === 'default') return null;
  if (shape.startsWith('circ')) {
    const [x = 0, y = 0, radius = 0] = coords;
    return [x - radius, y - radius, x + radius, y + radius];
  }
  const across = coords.filter((_, index) => index % 2 === 0);
  const down = coords.filter((_, index) => index % 2 === 1);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

/** Returns the part of a box that is neither outside the viewport nor clipped by an ancestor; null if there is none. */
export function shownPart(element: Element, box: Box): Box | null {
  let part = insideViewport(box);
  let { position } = getComputedStyle(element);
  for (let node = flatParent(element); node && part && position !== 'fixed'; node = flatParent(node)) {
    const style = getComputedStyle(node);
    // An ancestor clips an absolutely positioned element only if it is or contains the element's containing block.
    if (position === 'absolute' && style.position === 'static') continue;
    ({ position } = style);
    if (clipsContent(style) && !scrollsThePage(node)) part = common(part, boundsOf(node));
  }
  return part;
}

function clipsContent({ display, overflowX, overflowY }: CSSStyleDeclaration): boolean {
  return display !== 'contents' && display !== 'inline' && (overflowX !== 'visible' || overflowY !== 'visible');
}

function scrollsThePage(element: Element): boolean {
  return element === documentElementOf(document) || localNameOf(element) === 'body';
}

function common(one: Box, other: Box): Box | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
