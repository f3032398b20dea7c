import type { Point } from '../injected/contract.ts';

/** Corners of a box that may be rotated, skewed and tilted: the original top left one, then clockwise. */
export type Quad = readonly [Point, Point, Point, Point];

/** Converts the protocol's list of x and y values to a quad, scaled by `scale`. */
export function quadOf(numbers: readonly number[], scale: number): Quad {
  const at = (index: number): number => (numbers[index] ?? 0) * scale;
  const corner = (index: number): Point => ({ x: at(2 * index), y: at(2 * index + 1) });
  return [corner(0), corner(1), corner(2), corner(3)];
}

/** Position of a quad inside an upright box of this size when the box is shown as `place`. */
export function quadWithin(place: Quad, { width, height }: { width: number; height: number }, quad: Quad): Quad {
  const project = projectionOnto(place);
  const moved = ({ x, y }: Point): Point => project({ x: x / width, y: y / height });
  return [moved(quad[0]), moved(quad[1]), moved(quad[2]), moved(quad[3])];
}

/**
 * The projection of the unit square onto a quad, which is what transforms in space do to a flat box: P. Heckbert,
 * "Fundamentals of Texture Mapping and Image Warping", section 2.2.3.
 */
function projectionOnto([a, b, c, d]: Quad): (point: Point) => Point {
  const bend = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const right = { x: b.x - c.x, y: b.y - c.y };
  const down = { x: d.x - c.x, y: d.y - c.y };
  const area = cross(right, down);
  const [g, h] = area === 0 ? [0, 0] : [cross(bend, down) / area, cross(right, bend) / area];
  return ({ x: u, y: v }) => {
    const depth = g * u + h * v + 1;
    const along = (axis: 'x' | 'y'): number =>
      ((b[axis] - a[axis] + g * b[axis]) * u + (d[axis] - a[axis] + h * d[axis]) * v + a[axis]) / depth;
    return { x: along('x'), y: along('y') };
  };
}

function cross(one: Point, other: Point): number {
  return one.x * other.y - one.y * other.x;
}
