import type { Box, Point } from '../contract.ts';
import { boundsOf, documentElementOf } from '../native.ts';
import { boxOfArea } from './image-map.ts';
import { newRange } from '../native-document.ts';

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
