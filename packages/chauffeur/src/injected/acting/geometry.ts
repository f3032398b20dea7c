import type { Box, Point } from '../contract.ts';

/** The part of a box that lies inside the viewport; null when none does. */
export function insideViewport(box: Box): Box | null {
  const left = Math.max(0, box.x);
  const top = Math.max(0, box.y);
  const right = Math.min(innerWidth, box.x + box.width);
  const bottom = Math.min(innerHeight, box.y + box.height);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** The point at these fractions of a box's width and height. */
export function pointAt(box: Box, across: number, down: number): Point {
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

/** The element's bounding box; that of its rendered children when it has no box of its own. */
export function boxOf(element: Element): Box {
  const box = Element.prototype.getBoundingClientRect.call(element);
  if (box.width > 0 || box.height > 0 || getComputedStyle(element).display !== 'contents') return toBox(box);
  const range = document.createRange();
  range.selectNodeContents(element);
  return toBox(range.getBoundingClientRect());
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
