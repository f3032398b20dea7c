/** A box in CSS pixels, relative to the viewport. */
export interface Sides {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** In CSS pixels. Content that overhangs no further still counts as covered. */
const OVERHANG = 1;

export const EVERYTHING: Sides = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** A box without a size. */
const NOTHING: Sides = { left: 0, top: 0, right: 0, bottom: 0 };

export function areaOf({ left, top, right, bottom }: Sides): number {
  return (right - left) * (bottom - top);
}

/** False if a side is unlimited, or not known. */
export function isBounded({ left, top, right, bottom }: Sides): boolean {
  return [left, top, right, bottom].every(Number.isFinite);
}

export function overlaps(one: Sides, other: Sides): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** The result has a negative size if the boxes do not overlap. */
export function intersectionOf(one: Sides, other: Sides): Sides {
  if (one === EVERYTHING || one === other) return other;
  if (other === EVERYTHING) return one;
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

export function viewportBox(): Sides {
  return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

/** Returns the box, larger by this on each side. */
export function grown({ left, top, right, bottom }: Sides, by: number): Sides {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The points may be so many that they cannot be arguments of `Math.min`. */
export function boxAroundPoints(points: readonly { readonly x: number; readonly y: number }[]): Sides {
  if (points.length === 0) return NOTHING;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

/** Tolerates 1 px of overhang. */
export function holds(outer: Sides, { left, top, right, bottom }: Sides): boolean {
  return (
    outer.left <= left + OVERHANG &&
    outer.top <= top + OVERHANG &&
    outer.right >= right - OVERHANG &&
    outer.bottom >= bottom - OVERHANG
  );
}

/** True if the union of the boxes contains the inner one. */
export function coverTogether(boxes: readonly Sides[], inner: Sides): boolean {
  let uncovered: readonly Sides[] = [inner];
  for (const box of boxes) {
    uncovered = uncovered.flatMap((part) => (overlaps(box, part) ? ringOf(part, box) : [part])).filter(isVisible);
    if (uncovered.length === 0) return true;
  }
  return false;
}

/** Returns what remains of the box outside the hole, as up to four boxes. */
export function ringOf(box: Sides, hole: Sides): readonly Sides[] {
  if (hole.left >= hole.right || hole.top >= hole.bottom || !overlaps(box, hole)) return [box];
  // The edges of a `DOMRect` are getters on the prototype, which a spread does not copy.
  const { left, right } = box;
  const [top, bottom] = [Math.max(box.top, hole.top), Math.min(box.bottom, hole.bottom)];
  const pieces = [
    { left, right, top: box.top, bottom: top },
    { left, right, top: bottom, bottom: box.bottom },
    { left, right: hole.left, top, bottom },
    { left: hole.right, right, top, bottom },
  ];
  return pieces.filter((part) => part.left < part.right && part.top < part.bottom);
}

/** True if the box is more than a line of 1 px. */
export function isVisible({ left, top, right, bottom }: Sides): boolean {
  return right - left > OVERHANG && bottom - top > OVERHANG;
}
