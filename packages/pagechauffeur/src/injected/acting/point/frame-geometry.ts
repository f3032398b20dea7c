import type { Box, Point } from '../../contract.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import { boundsOf, documentElementOf, getter } from '../../native.ts';

/** The event type is random, so that the page cannot listen for it. */
const PROBE = `probe${Math.random()}`;
/** Fraction of the frame to leave out on each side. Coordinates near the horizon of a tilted frame are unreliable. */
const MARGIN = 0.25;
/** Results are rounded to 1/1000 px, because smaller differences are floating-point errors. */
const PRECISION = 1000;

/** A 3×3 matrix by rows, for a projective transform of the plane. */
type Projection = readonly [number, number, number, number, number, number, number, number, number];

/**
 * Maps a point in the frame's viewport to the viewport of the document around the frame. Works with any CSS transform.
 */
export function pointInOwner(frameElement: Element, point: Point): Point {
  const { left, top } = contentInset(frameElement);
  const box = probedPart(boundsOf(frameElement));
  const corners = cornersOf(box).map((corner) => insidePadding(frameElement, corner));
  const share = applied(inverse(fromUnitSquare(corners)), { x: point.x + left, y: point.y + top });
  return rounded({ x: box.x + share.x * box.width, y: box.y + share.y * box.height });
}

/** The inverse of `pointInOwner`. */
export function pointInFrame(frameElement: Element, point: Point): Point {
  const { left, top } = contentInset(frameElement);
  const { x, y } = insidePadding(frameElement, point);
  return rounded({ x: x - left, y: y - top });
}

const cssZoomOf = getter<Element, number>(Element.prototype, 'currentCSSZoom');

/** Like `currentCSSZoom`, but without the zoom of ancestor documents. */
function zoomOf(element: Element): number {
  if (cssZoomOf(element) === 1) return 1;
  let zoom = 1;
  for (let node: Element | null = element; node; node = flatParent(node))
    zoom *= Number.parseFloat(getComputedStyle(node).zoom) || 1;
  return zoom;
}

/** Maps a viewport point into the element's padding box. Undoes transforms and zoom. */
function insidePadding(element: Element, { x, y }: Point): Point {
  const zoom = zoomOf(element);
  const share = 1 / ancestorZoom();
  const seen = probe(element, { x: x * share, y: y * share });
  return { x: seen.x / zoom, y: seen.y / zoom };
}

/** Returns the size of a viewport pixel in probe coordinates. Differs from 1 if an ancestor document uses `zoom`. */
function ancestorZoom(): number {
  const root = documentElementOf(document);
  if (!root) return 1;
  const start = probe(root, { x: 0, y: 0 });
  const end = probe(root, { x: RULER, y: 0 });
  return Math.hypot(end.x - start.x, end.y - start.y) / RULER || 1;
}

const RULER = 100;

/**
 * Maps a viewport point to coordinates from the element's padding edge, before all transforms. Only `offsetX` and
 * `offsetY` of an event provide them.
 */
function probe(element: Element, { x, y }: Point): Point {
  const event = new PointerEvent(PROBE, { clientX: x, clientY: y });
  let seen: Point = { x, y };
  // The offsets must be read during dispatch. Afterwards the browser resets them if the target is in a shadow root.
  const read = (): void => {
    seen = { x: event.offsetX, y: event.offsetY };
  };
  EventTarget.prototype.addEventListener.call(element, PROBE, read, { once: true });
  EventTarget.prototype.dispatchEvent.call(element, event);
  return seen;
}

function contentInset(frameElement: Element): { left: number; top: number } {
  const { paddingLeft, paddingTop } = getComputedStyle(frameElement);
  return { left: Number.parseFloat(paddingLeft) || 0, top: Number.parseFloat(paddingTop) || 0 };
}

function probedPart({ x, y, width, height }: Box): Box {
  const share = 1 - 2 * MARGIN;
  return {
    x: x + width * MARGIN,
    y: y + height * MARGIN,
    width: Math.max(width * share, 1),
    height: Math.max(height * share, 1),
  };
}

function cornersOf({ x, y, width, height }: Box): Point[] {
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
}

/** Maps the unit square to four corners (Heckbert, "Fundamentals of Texture Mapping", 2.2.3). */
function fromUnitSquare(corners: readonly Point[]): Projection {
  const [a = ORIGIN, b = ORIGIN, c = ORIGIN, d = ORIGIN] = corners;
  const sum = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const right = { x: b.x - c.x, y: b.y - c.y };
  const left = { x: d.x - c.x, y: d.y - c.y };
  const area = right.x * left.y - left.x * right.y;
  const g = area === 0 ? 0 : (sum.x * left.y - left.x * sum.y) / area;
  const h = area === 0 ? 0 : (right.x * sum.y - sum.x * right.y) / area;
  return [b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x, b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y, g, h, 1];
}

const ORIGIN: Point = { x: 0, y: 0 };

/** The result is exact up to a scale factor, which has no effect on a projective transform. */
function inverse([a, b, c, d, e, f, g, h, i]: Projection): Projection {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

function applied([a, b, c, d, e, f, g, h, i]: Projection, { x, y }: Point): Point {
  const depth = g * x + h * y + i;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x * PRECISION) / PRECISION, y: Math.round(y * PRECISION) / PRECISION };
}
