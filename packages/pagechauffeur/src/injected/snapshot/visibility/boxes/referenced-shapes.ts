import { attributeOf, childrenOf } from '../../../native.ts';
import { elementById, treeScopeOf } from '../../../native-document.ts';
import { MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { boxAroundPoints, EVERYTHING, type Sides } from './sides.ts';

/** Returns the element that a value such as `url("#clip")` refers to. */
export function referencedBy(element: Element, value: string): Element | null {
  const id = REFERENCE.exec(value)?.[1];
  const scope = id === undefined ? null : treeScopeOf(element);
  return scope && id !== undefined ? elementById(scope, id) : null;
}

const REFERENCE = /^url\("#([^"]+)"\)/;

/** True if a computed `clip-path` or `mask-image` refers to shapes in the document. */
export function refersToShapes(value: string): boolean {
  return value.startsWith('url("#');
}

/**
 * Returns the box around the shapes of the `<clipPath>` or `<mask>` that the value refers to, for an HTML element with this
 * box. `scale`: how much transforms of ancestors enlarge a CSS pixel. Returns everything for other values.
 */
export function referencedBox(element: Element, value: string, box: Sides, scale: number): Sides {
  const shapes = referencedShapes(element, value);
  if (!shapes) return EVERYTHING;
  const { isRelative, bounds } = shapes;
  const x = isRelative ? box.right - box.left : scale;
  const y = isRelative ? box.bottom - box.top : scale;
  return {
    left: box.left + bounds.left * x,
    top: box.top + bounds.top * y,
    right: box.left + bounds.right * x,
    bottom: box.top + bounds.bottom * y,
  };
}

/** Like `referencedBox`, for an element of a drawing. */
export function referencedBoxInDrawing(element: SVGGraphicsElement, value: string): Sides {
  const shapes = referencedShapes(element, value);
  const toScreen = shapes && element.getScreenCTM();
  if (!toScreen) return EVERYTHING;
  const box = shapes.isRelative ? element.getBBox() : { x: 0, y: 0, width: 1, height: 1 };
  const { left, top, right, bottom } = shapes.bounds;
  const corners = [left, right].flatMap((across) =>
    [top, bottom].map((down) =>
      new DOMPoint(box.x + across * box.width, box.y + down * box.height).matrixTransform(toScreen),
    ),
  );
  return boxAroundPoints(corners);
}

interface Shapes {
  /** In the coordinates of the definition. */
  readonly bounds: Sides;
  /** True if the coordinates are fractions of the element's box. */
  readonly isRelative: boolean;
}

function referencedShapes(element: Element, value: string): Shapes | null {
  const definition = refersToShapes(value) ? referencedBy(element, value) : null;
  if (!(definition instanceof SVGClipPathElement || definition instanceof SVGMaskElement)) return null;
  const units = attributeOf(definition, definition instanceof SVGMaskElement ? 'maskContentUnits' : 'clipPathUnits');
  return { bounds: boundsOfShapes(definition), isRelative: units === 'objectBoundingBox' };
}

function boundsOfShapes(definition: Element): Sides {
  const outer = matrixOf(definition);
  return boxAroundPoints(
    childrenOf(definition).flatMap((shape) =>
      shape instanceof SVGGraphicsElement && isPainted(shape) ? cornersOf(shape, outer.multiply(matrixOf(shape))) : [],
    ),
  );
}

/** The computed style contains the `transform` attribute. */
function matrixOf(element: Element): DOMMatrix {
  const { transform } = styleOf(element);
  return new DOMMatrix(transform === 'none' ? '' : transform);
}

function isPainted(shape: Element): boolean {
  const { display, visibility, opacity, fillOpacity, stroke } = styleOf(shape);
  if (display === 'none' || visibility !== 'visible' || Number(opacity) < MIN_OPACITY) return false;
  return Number(fillOpacity) >= MIN_OPACITY || stroke !== 'none';
}

/** `getBBox` leaves out strokes. It is empty for shapes without an area. */
function cornersOf(shape: SVGGraphicsElement, matrix: DOMMatrix): readonly DOMPoint[] {
  const { x, y, width, height } = shape.getBBox();
  const { stroke, strokeWidth } = styleOf(shape);
  const margin = stroke === 'none' ? 0 : Number.parseFloat(strokeWidth) / 2;
  if (width + margin <= 0 || height + margin <= 0) return [];
  const xs = [x - margin, x + width + margin];
  return xs.flatMap((across) =>
    [y - margin, y + height + margin].map((down) => matrix.transformPoint({ x: across, y: down })),
  );
}
