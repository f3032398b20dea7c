import { measured } from '../../../dependencies.ts';
import { MIN_FONT_SIZE, MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { memoised } from '../../../memo.ts';
import { boundsOf, checkVisibility, firstElementOf, hasAttribute, matches, queryAll } from '../../../native.ts';
import { elementById, type TreeScope, treeScopeOf } from '../../../native-document.ts';
import { isInside } from '../../../tree/composed-tree.ts';
import { type Color, colorOf, lacksContrastOn } from './color.ts';
import { referencedBoxInDrawing, referencedBy, refersToShapes } from '../boxes/referenced-shapes.ts';
import { holds, intersectionOf, isVisible, overlaps, type Sides } from '../boxes/sides.ts';

/** Elements of a drawing that contain text. */
export const SVG_TEXT: ReadonlySet<string> = new Set(['foreignObject', 'text', 'textPath', 'tspan']);
/** In larger drawings, later shapes are not compared with the text. */
const MAX_SHAPES = 500;

/** True if text of a drawing is outside it, too small to be read, clipped, or under a shape. */
export function isHiddenInDrawing(element: Element): boolean {
  return element instanceof SVGElement && measured(element, isDrawnAway);
}

function isDrawnAway(element: Element): boolean {
  const drawing = element instanceof SVGElement ? element.ownerSVGElement : null;
  if (!(element instanceof SVGElement) || !drawing) return false;
  const box = boundsOf(element);
  if (isUnrendered(drawing) || isOffPath(element)) return true;
  // Text in a `symbol` has no box. The elements that use it do.
  if (element instanceof SVGForeignObjectElement && box.width === 0) return false;
  if (box.width === 0) return !isUsed(element);
  if (box.height < MIN_FONT_SIZE) return true;
  if (isOutsideDrawings(drawing, box)) return true;
  return isClippedByShapes(element, box) || isUnderShape(element, drawing, box);
}

/** True if the drawing or one around it hides overflow and does not contain the box. */
function isOutsideDrawings(innermost: SVGSVGElement, box: Sides): boolean {
  for (let drawing: SVGSVGElement | null = innermost; drawing; drawing = drawing.ownerSVGElement)
    if (styleOf(drawing).overflowX !== 'visible' && !overlaps(boundsOf(drawing), box)) return true;
  return false;
}

const DEFINITIONS = 'clipPath, defs, marker, mask, pattern, symbol';
/** Definitions that only `use` paints. */
const REUSED = 'defs, symbol';

/** True if the text is in a definition that may be painted: for `defs` and symbols, a `use` element shows a part with it. */
function isUsed(element: Element): boolean {
  const definition = Element.prototype.closest.call(element, DEFINITIONS);
  if (!definition || !matches(definition, REUSED)) return definition !== null;
  const scope = treeScopeOf(element);
  return scope !== null && queryAll(scope, 'use').some((use) => usesPartWith(element, use, scope) && isUseShown(use));
}

function usesPartWith(element: Element, use: Element, scope: TreeScope): boolean {
  const id = use instanceof SVGUseElement ? /^#(.+)/.exec(use.href.baseVal)?.[1] : undefined;
  const used = id === undefined ? null : elementById(scope, id);
  return used !== null && isInside(element, used);
}

/** True for a `use` in another definition, which may be shown itself. */
function isUseShown(use: Element): boolean {
  if (Element.prototype.closest.call(use, DEFINITIONS)) return true;
  if (!checkVisibility(use, { visibilityProperty: true, opacityProperty: true })) return false;
  const drawing = use instanceof SVGElement ? use.ownerSVGElement : null;
  return !drawing || styleOf(drawing).overflowX === 'visible' || overlaps(boundsOf(drawing), boundsOf(use));
}

function isUnrendered(drawing: SVGSVGElement): boolean {
  const { width, height, viewBox } = drawing;
  if (width.baseVal.value === 0 || height.baseVal.value === 0) return true;
  return hasAttribute(drawing, 'viewBox') && viewBox.baseVal.width * viewBox.baseVal.height === 0;
}

/** True if there is no path, or if the text starts after its end. */
function isOffPath(element: Element): boolean {
  if (!(element instanceof SVGTextPathElement)) return false;
  if (element.getNumberOfChars() > 0 && element.getExtentOfChar(0).width === 0) return true;
  const id = element.href.baseVal.replace(/^#/, '');
  const scope = treeScopeOf(element);
  return scope !== null && elementById(scope, id) === null;
}

/** True if a `clip-path` or mask by reference, of the text or a group around it, contains no point of the text. */
function isClippedByShapes(text: SVGElement, box: Sides): boolean {
  for (let node: Element | null = text; node instanceof SVGElement && node.ownerSVGElement; node = node.parentElement)
    if (leavesOut(node, box)) return true;
  return false;
}

function leavesOut(element: SVGElement, box: Sides): boolean {
  const { clipPath, maskImage } = styleOf(element);
  if (isBesideShapes(element, clipPath, box) || isBesideShapes(element, maskImage, box)) return true;
  const clip = clipPath === 'none' ? null : referencedBy(element, clipPath);
  if (!(clip instanceof SVGClipPathElement) || clip.clipPathUnits.baseVal !== SVGUnitTypes.SVG_UNIT_TYPE_USERSPACEONUSE)
    return false;
  const shapes = queryAll(clip, '*');
  const points = element instanceof SVGGraphicsElement ? pointsWithin(box, element) : null;
  if (!points || !shapes.every(isGeometry)) return false;
  return !points.some((point) => shapes.some((shape) => isInClip(shape, point, clip)));
}

function isBesideShapes(element: SVGElement, value: string, box: Sides): boolean {
  if (!refersToShapes(value) || !(element instanceof SVGGraphicsElement)) return false;
  return !isVisible(intersectionOf(referencedBoxInDrawing(element, value), box));
}

/** A transform of the shape or of the `clipPath` may move the shape anywhere. */
function isInClip(shape: SVGGeometryElement, point: DOMPoint, clip: SVGClipPathElement): boolean {
  const isMoved = [shape, clip].some((one) => one.transform.baseVal.numberOfItems > 0);
  return isMoved || shape.isPointInFill(point);
}

/**
 * True if a later shape covers the text, or if the last shape before it has the same color. Later shapes are painted over
 * earlier ones.
 */
function isUnderShape(text: SVGElement, drawing: SVGSVGElement, box: Sides): boolean {
  let behind: Color | null = null;
  for (const { shape, bounds } of shapesIn(drawing)) {
    if (shape === text || !overlaps(bounds, box)) continue;
    // A shape that the text juts out of cannot cover it, but may make a part of it readable.
    const color = holds(bounds, box) ? paintAt(shape, box) : 'unknown';
    if (isAfter(shape, text)) {
      if (color !== null && color !== 'unknown') return true;
    } else if (color === 'unknown') behind = null;
    else behind = color ?? behind;
  }
  if (behind === null || text instanceof SVGForeignObjectElement || firstElementOf(text) !== null) return false;
  const { fill, stroke, filter, textShadow } = styleOf(text);
  const isPlain = stroke === 'none' && filter === 'none' && textShadow === 'none' && !fill.startsWith('url(');
  return isPlain && lacksContrastOn(colorOf(fill), behind);
}

/** Returns the shapes of a drawing in painting order; none if there are too many to compare. */
const shapesIn = memoised((drawing: SVGSVGElement) => {
  const shapes = queryAll(drawing, SHAPES);
  return shapes.length > MAX_SHAPES ? [] : shapes.map((shape) => ({ shape, bounds: boundsOf(shape) }));
});

const SHAPES = 'rect, path, circle, ellipse, polygon, polyline, line, image, use, foreignObject';

/** Returns the color of an `<svg>` that one shape fills. `null` for others, and for drawings with many shapes. */
export function colorOfDrawing(drawing: Element): Color | null {
  if (!(drawing instanceof SVGSVGElement)) return null;
  const shapes = queryAll(drawing, SHAPES);
  if (shapes.length > MAX_SHAPES) return null;
  const box = boundsOf(drawing);
  const colors = shapes.map((shape) => paintAt(shape, box));
  const last = colors.findLast((color) => color !== null);
  return last === undefined || last === 'unknown' ? null : last;
}

/** Returns the opaque color that the shape paints behind or over the whole box. `null`: none. */
function paintAt(shape: Element, box: Sides): Color | 'unknown' | null {
  if (!isGeometry(shape)) return 'unknown';
  const { fill, fillOpacity, stroke, strokeOpacity, strokeWidth } = styleOf(shape);
  if (!isOpaquelyShown(shape)) return checkVisibility(shape, { opacityProperty: true }) ? 'unknown' : null;
  const points = pointsWithin(box, shape);
  if (!points) return null;
  const isIn = points.map((point) => shape.isPointInFill(point));
  const isThick = stroke !== 'none' && Number.parseFloat(strokeWidth) >= MIN_STROKE;
  const isOn = isThick ? points.map((point) => shape.isPointInStroke(point)) : [];
  if (isOn.length > 0 && isOn.every(Boolean)) return opaqueColor(stroke, strokeOpacity);
  if (fill === 'none' || !isIn.some(Boolean)) return isOn.some(Boolean) ? 'unknown' : null;
  return isIn.every(Boolean) ? opaqueColor(fill, fillOpacity) : 'unknown';
}

/** In units of the drawing. Thinner strokes cover no text. */
const MIN_STROKE = 8;

function opaqueColor(paint: string, opacity: string): Color | 'unknown' {
  if (paint.startsWith('url(')) return 'unknown';
  const color = colorOf(paint);
  return color[3] * Number(opacity) > 1 - MIN_OPACITY ? color : 'unknown';
}

/** True if neither the shape nor a group around it is translucent, cut, masked, filtered or blended. */
function isOpaquelyShown(shape: Element): boolean {
  if (!checkVisibility(shape, { visibilityProperty: true, opacityProperty: true })) return false;
  for (
    let node: Element | null = shape;
    node instanceof SVGElement && node.ownerSVGElement;
    node = node.parentElement
  ) {
    if (node instanceof SVGSVGElement) return false;
    const { opacity, filter, maskImage, clipPath, mixBlendMode } = styleOf(node);
    if (Number(opacity) < 1 || mixBlendMode !== 'normal') return false;
    if ([filter, maskImage, clipPath].some((effect) => effect !== 'none')) return false;
  }
  return true;
}

function isGeometry(shape: Element): shape is SVGGeometryElement {
  return shape instanceof SVGGeometryElement;
}

function isAfter(shape: Element, text: Element): boolean {
  return (Node.prototype.compareDocumentPosition.call(text, shape) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Returns points of the box in the coordinates of the element. `null` if its transform reduces it to a line or nothing. */
function pointsWithin(box: Sides, element: SVGGraphicsElement): readonly DOMPoint[] | null {
  const toScreen = element.getScreenCTM();
  // An `SVGMatrix` throws if it cannot be inverted. A `DOMMatrix` has no 2D inverse then.
  const fromScreen = toScreen && DOMMatrix.fromMatrix(toScreen).inverse();
  return fromScreen?.is2D ? pointsOf(box).map((point) => point.matrixTransform(fromScreen)) : null;
}

/** The corners and the center, slightly inside the box. */
function pointsOf({ left, top, right, bottom }: Sides): readonly DOMPoint[] {
  const [dx, dy] = [(right - left) / 8, (bottom - top) / 4];
  const corners = [left + dx, right - dx].flatMap((x) => [top + dy, bottom - dy].map((y) => new DOMPoint(x, y)));
  return [new DOMPoint((left + right) / 2, (top + bottom) / 2), ...corners];
}
