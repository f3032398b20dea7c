import { attributeOf, childrenOf } from '../../../native.ts';
import { elementById, treeScopeOf } from '../../../native-document.ts';
import { MIN_OPACITY, styleOf } from '../../../styles/computed-style.ts';
import { EVERYTHING, NOTHING, type Sides } from './sides.ts';

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
  const definition = refersToShapes(value) ? referencedBy(element, value) : null;
  if (!(definition instanceof SVGClipPathElement || definition instanceof SVGMaskElement)) return EVERYTHING;
  const units = attributeOf(definition, definition instanceof SVGMaskElement ? 'maskContentUnits' : 'clipPathUnits');
  const isRelative = units === 'objectBoundingBox';
  const x = isRelative ? box.right - box.left : scale;
  const y = isRelative ? box.bottom - box.top : scale;
  const { left, top, right, bottom } = boundsOfShapes(definition);
  if (left >= right || top >= bottom) return NOTHING;
  return {
    left: box.left + left * x,
    top: box.top + top * y,
    right: box.left + right * x,
    bottom: box.top + bottom * y,
  };
}

/** In the coordinates of the definition. */
function boundsOfShapes(definition: Element): Sides {
  let around: Sides = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const outer = matrixOf(definition);
  for (const shape of childrenOf(definition)) {
    if (!(shape instanceof SVGGraphicsElement) || !isPainted(shape)) continue;
    const matrix = outer.multiply(matrixOf(shape));
    for (const { x, y } of cornersOf(shape, matrix))
      around = {
        left: Math.min(around.left, x),
        top: Math.min(around.top, y),
        right: Math.max(around.right, x),
        bottom: Math.max(around.bottom, y),
      };
  }
  return around;
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
