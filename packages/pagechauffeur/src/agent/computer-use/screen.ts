import type { Box, Point } from '../../injected/contract.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Maps screenshot pixels to CSS pixels. */
export interface Screen {
  /** In CSS pixels. */
  readonly viewport: Size;
  /** In pixels of the screenshot. */
  readonly picture: Size;
}

/** Google's models use a grid of 1000 by 1000 units, whatever the size of the screenshot. */
const GRID = 1000;

/** Converts a point in the screenshot to CSS pixels, clamped to the viewport. */
export function pointOnPage({ viewport, picture }: Screen, { x, y }: Point): Point {
  return {
    x: scaled(x, picture.width, viewport.width),
    y: scaled(y, picture.height, viewport.height),
  };
}

export function gridPointOnPage({ viewport }: Screen, point: Point): Point {
  return pointOnPage({ viewport, picture: { width: GRID, height: GRID } }, point);
}

export function toScreenshotPoint({ viewport, picture }: Screen, { x, y }: Point): Point {
  return {
    x: Math.round((x * picture.width) / viewport.width),
    y: Math.round((y * picture.height) / viewport.height),
  };
}

export function distanceOnPage({ viewport, picture }: Screen, { x, y }: Point): Point {
  return { x: (x * viewport.width) / picture.width, y: (y * viewport.height) / picture.height };
}

export function gridDistanceOnPage({ viewport }: Screen, distance: Point): Point {
  return distanceOnPage({ viewport, picture: { width: GRID, height: GRID } }, distance);
}

/** Converts two opposite corners in the screenshot to a box of at least 1 by 1 CSS pixel. */
export function areaOnPage(screen: Screen, first: Point, second: Point): Box {
  const [one, other] = [pointOnPage(screen, first), pointOnPage(screen, second)];
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, width: Math.max(1, Math.abs(one.x - other.x)), height: Math.max(1, Math.abs(one.y - other.y)) };
}

function scaled(value: number, from: number, to: number): number {
  const place = (value * to) / from;
  return Math.min(Math.max(0, place), Math.max(0, to - 1));
}

/** Largest image that a provider processes at full size. It scales down or rejects larger ones. */
export interface ScreenshotLimits {
  /** Maximum length of the longer side in pixels. */
  readonly edge: number;
  /** Providers count images in squares of `side` pixels. `most` is the maximum number of squares. */
  readonly patch?: { readonly side: number; readonly most: number };
}

/** Returns the largest size with the same aspect ratio within the limits, at most that of the viewport. */
export function fittingSize(viewport: Size, limits: ScreenshotLimits): Size {
  const isWide = viewport.width >= viewport.height;
  const [longer, shorter] = isWide ? [viewport.width, viewport.height] : [viewport.height, viewport.width];
  const sizeOf = (edge: number): Size => {
    const other = Math.max(1, Math.round((edge * shorter) / longer));
    return isWide ? { width: edge, height: other } : { width: other, height: edge };
  };
  if (isWithin(viewport, limits)) return viewport;
  let [fits, tooLarge] = [1, longer];
  while (fits + 1 < tooLarge) {
    const middle = Math.floor((fits + tooLarge) / 2);
    if (isWithin(sizeOf(middle), limits)) fits = middle;
    else tooLarge = middle;
  }
  return sizeOf(fits);
}

function isWithin({ width, height }: Size, { edge, patch }: ScreenshotLimits): boolean {
  if (!patch) return Math.max(width, height) <= edge;
  const [across, down] = [Math.ceil(width / patch.side), Math.ceil(height / patch.side)];
  return Math.max(across, down) * patch.side <= edge && across * down <= patch.most;
}
