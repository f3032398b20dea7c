import type { Box, Point } from '../contract.ts';
import { boundsOf, documentElementOf } from '../native.ts';
import { boxOfArea } from './image-map.ts';
import { newRange } from '../native-document.ts';

/** The part of a box that lies inside the viewport; null when none does. */
export function insideViewport(box: Box): Box | null {
  const left = Math.max(0, box.x);
  const top = Math.max(0, box.y);
  const right = Math.min(innerWidth, box.x + box.width);
  const bottom = Math.min(innerHeight, box.y + box.height);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Whether a box lies where no scrolling leads. */
export function isBeyondScrolling({ x, y, width, height }: Box): boolean {
  const root = documentElementOf(document);
  const startsLeft = root === null || getComputedStyle(root).direction === 'ltr';
  return y + height + scrollY <= 0 || (startsLeft && x + width + scrollX <= 0);
}

/** The point at these fractions of a box's width and height. */
export function pointAt(box: Box, across: number, down: number): Point {
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

/** The element's bounding box; where it has none, or an empty one that shows what overflows it, that of its content. */
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

/** One box for each line that the element is broken into. */
export function lineBoxesOf(element: Element): Box[] {
  return Array.from(Element.prototype.getClientRects.call(element), toBox).filter(
    (box) => box.width > 0 && box.height > 0,
  );
}

function toBox({ x, y, width, height }: DOMRect): Box {
  return { x, y, width, height };
}
