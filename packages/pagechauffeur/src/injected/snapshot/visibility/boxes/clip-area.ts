import { boxAroundPoints, EVERYTHING, type Sides } from './sides.ts';

/** Computed `clip-path` shapes without area. */
const emptyShapes = /^(circle\(0|ellipse\((0|\S+ 0)|rect\(0px 0px 0px 0px|xywh\(\S+ \S+ (0|\S+ 0))/;
const insetSides = /^inset\(((?:-?[\d.]+(?:%|px)\s*){1,4})/;

/** True if a computed `clip-path` is a shape without area, or insets whose percentages meet. */
export function clipsAll(clipPath: string): boolean {
  const polygon = polygonOf(clipPath);
  if (emptyShapes.test(clipPath) || isEmptyPolygon(polygon) || isEmptyPath(clipPath)) return true;
  const sides = insetSides.exec(clipPath)?.[1]?.trim().split(/\s+/).map(percentageOf);
  if (!sides) return false;
  const [top = 0, right = top, bottom = top, left = right] = sides;
  return top + bottom >= 100 || left + right >= 100;
}

/** Returns a `shape()` of straight lines as `polygon()`, and other values as they are. */
function polygonOf(clipPath: string): string {
  const commands = /^shape\((?:evenodd |nonzero )?from (.*)\)$/.exec(clipPath)?.[1]?.split(', ');
  if (!commands) return clipPath;
  const corners = commands
    .filter((command) => command !== 'close')
    .map((command) => command.replace(/^(?:line|move) to /, ''));
  return corners.every((corner) => POINT.test(corner)) ? `polygon(${corners.join(', ')})` : clipPath;
}

const POINT = /^-?[\d.]+(?:px|%) -?[\d.]+(?:px|%)$/;

/** Lengths in pixels count as 0. */
function percentageOf(length: string): number {
  return length.endsWith('%') ? Number.parseFloat(length) : 0;
}

/**
 * Returns the box around a computed `clip-path`, for an element with this box. `scale`: how much transforms of ancestors
 * enlarge a CSS pixel. Returns everything for `url()` and shapes that depend on other boxes.
 */
export function shapeBox(clipPath: string, box: Sides, scale: number): Sides {
  const [, kind = '', values = ''] = /^(inset|circle|ellipse|polygon|path)\((.*)\)$/.exec(polygonOf(clipPath)) ?? [];
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const x = (length: string | undefined): number => box.left + pixelsOf(length ?? '0px', width, scale);
  const y = (length: string | undefined): number => box.top + pixelsOf(length ?? '0px', height, scale);
  switch (kind) {
    case 'inset': {
      const [top = '0px', right = top, bottom = top, left = right] = partsOf(values.replace(/ round .*$/, ''));
      const [fromRight, fromBottom] = [pixelsOf(right, width, scale), pixelsOf(bottom, height, scale)];
      return { left: x(left), top: y(top), right: box.right - fromRight, bottom: box.bottom - fromBottom };
    }
    case 'polygon': {
      const corners = values
        .replace(/^(?:evenodd|nonzero|round [^,]*), /, '')
        .split(', ')
        .map(partsOf);
      return boxAroundPoints(corners.map(([left, top]) => ({ x: x(left), y: y(top) })));
    }
    case 'path': {
      if (values.includes('A')) return EVERYTHING;
      const points = subpathsOf(/"([^"]*)"/.exec(values)?.[1] ?? '').flat();
      return boxAroundPoints(points.map(([left, top]) => ({ x: box.left + left * scale, y: box.top + top * scale })));
    }
    case 'circle':
    case 'ellipse': {
      const [sizes = '', center = ''] = values.split(/\s*\bat /);
      const [wide = 'closest-side', high = wide] = partsOf(sizes);
      const [left = '50%', top = '50%'] = partsOf(center);
      const across = [x(left) - box.left, box.right - x(left)];
      const down = [y(top) - box.top, box.bottom - y(top)];
      const isCircle = kind === 'circle';
      const diagonal = Math.hypot(width, height) / Math.SQRT2;
      const rx = radiusOf(wide, isCircle ? [...across, ...down] : across, (size) =>
        pixelsOf(size, isCircle ? diagonal : width, scale),
      );
      const ry = isCircle ? rx : radiusOf(high, down, (size) => pixelsOf(size, height, scale));
      return { left: x(left) - rx, top: y(top) - ry, right: x(left) + rx, bottom: y(top) + ry };
    }
    default:
      return EVERYTHING;
  }
}

/** True if a computed `clip-path` is a polygon of four corners with horizontal and vertical sides. */
export function isUprightPolygon(clipPath: string): boolean {
  const corners = /^polygon\((?:evenodd, )?([^()]*)\)$/.exec(polygonOf(clipPath))?.[1]?.split(', ').map(partsOf);
  if (corners?.length !== 4) return false;
  const [xs, ys] = [new Set(corners.map(([x]) => x)), new Set(corners.map(([, y]) => y))];
  return (
    xs.size === 2 &&
    ys.size === 2 &&
    corners.every(([x, y], index) => {
      const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [];
      return (x === nextX) !== (y === nextY);
    })
  );
}

/** `distances`: from the center to the sides of the box. Returns infinity for other keywords. */
function radiusOf(size: string, distances: readonly number[], resolve: (size: string) => number): number {
  const lengths = distances.map(Math.abs);
  if (size === 'closest-side') return Math.min(...lengths);
  if (size === 'farthest-side') return Math.max(...lengths);
  return /\d/.test(size) ? resolve(size) : Infinity;
}

/** Returns the box that a computed `clip` leaves of an element with this box. */
export function clipRectOf(clip: string, box: Sides, scale: number): Sides {
  const sides = /^rect\((.*)\)$/.exec(clip)?.[1]?.split(/,\s*/);
  if (!sides) return EVERYTHING;
  const [top, right, bottom, left] = sides.map((side) =>
    side === 'auto' ? undefined : Number.parseFloat(side) * scale,
  );
  return {
    left: left === undefined ? -Infinity : box.left + left,
    top: top === undefined ? -Infinity : box.top + top,
    right: right === undefined ? Infinity : box.left + right,
    bottom: bottom === undefined ? Infinity : box.top + bottom,
  };
}

/** Splits at spaces outside parentheses. */
export function partsOf(values: string): readonly string[] {
  return values.match(/(?:[^\s()]|\([^()]*\))+/g) ?? [];
}

/** Resolves a computed length, such as `10px`, `50%` or `calc(50% - 10px)`. */
export function pixelsOf(length: string, whole: number, scale: number): number {
  let pixels = 0;
  for (const [, sign = '', size = '0', unit = ''] of length.matchAll(/([+-] )?(-?[\d.]+)(px|%)/g)) {
    const value = unit === '%' ? (Number(size) / 100) * whole : Number(size) * scale;
    pixels += sign.startsWith('-') ? -value : value;
  }
  return pixels;
}

/** True if a computed `clip` leaves at most one pixel in a direction. */
export function clipsToPixel(clip: string): boolean {
  const sides = /^rect\((.*)\)$/.exec(clip)?.[1]?.split(/,\s*/);
  if (!sides) return false;
  const [top = 0, right = Infinity, bottom = Infinity, left = 0] = sides.map((side) =>
    side === 'auto' ? undefined : Number.parseFloat(side),
  );
  return bottom - top <= 1 || right - left <= 1;
}

type Point = readonly [x: number, y: number];

/** True if the corners are on one line. Corners in several units, such as `10px` and `50%`, depend on the box. */
function isEmptyPolygon(clipPath: string): boolean {
  const corners = /^polygon\((?:(?:evenodd|round)[^,]*, )?(.*)\)$/.exec(clipPath)?.[1]?.split(', ');
  if (!corners) return false;
  const units = [new Set<string>(), new Set<string>()];
  const points = corners.map((corner): Point => {
    const [x = NaN, y = NaN] = corner.split(' ').map((length, axis) => {
      const value = Number(length.replace(/px$|%$/, ''));
      if (value !== 0) units[axis]?.add(length.endsWith('%') ? '%' : 'px');
      return value;
    });
    return [x, y];
  });
  return units.every(({ size }) => size < 2) && areOnLine(points);
}

/** True if the path has no arc, and the points of each subpath are on one line. */
function isEmptyPath(clipPath: string): boolean {
  const path = /^path\((?:[a-z]+, )?"([^"]*)"/.exec(clipPath)?.[1];
  return path !== undefined && !path.includes('A') && subpathsOf(path).every(areOnLine);
}

/**
 * Returns the corners and control points of each subpath. In a computed style, all coordinates are absolute, and each
 * segment has its own letter.
 */
function subpathsOf(path: string): readonly (readonly Point[])[] {
  const subpaths: Point[][] = [];
  let points: Point[] = [];
  for (const [, command = '', values = ''] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const numbers = values
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [first = 0, second = 0] = numbers;
    const [x, y] = points.at(-1) ?? [0, 0];
    if (command === 'M') subpaths.push((points = [[first, second]]));
    else if (command === 'Z') subpaths.push((points = [points[0] ?? [0, 0]]));
    else if (command === 'H') points.push([first, y]);
    else if (command === 'V') points.push([x, first]);
    else
      for (let index = 0; index < numbers.length; index += 2)
        points.push([numbers[index] ?? 0, numbers[index + 1] ?? 0]);
  }
  return subpaths;
}

/** In pixels or percent. The browser rounds coordinates, so points this close to a line are on it. */
const ROUNDING = 0.001;

function areOnLine(points: readonly Point[]): boolean {
  const [x0, y0] = points[0] ?? [0, 0];
  const edges = points.map(([x, y]): Point => [x - x0, y - y0]);
  const [dx, dy] = edges.reduce((far, edge) => (Math.hypot(...edge) > Math.hypot(...far) ? edge : far), [0, 0]);
  return edges.every(([x, y]) => Math.abs(dx * y - dy * x) <= ROUNDING * Math.hypot(dx, dy));
}
