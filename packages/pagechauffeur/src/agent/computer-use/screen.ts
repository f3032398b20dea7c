import type { Box, Point } from '../../injected/contract.ts';

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a model looks at: a page's viewport, and the picture of it that the model was shown last. */
export interface Screen {
  /** In CSS pixels. */
  readonly viewport: Size;
  /** In pixels of the picture. */
  readonly picture: Size;
}

/** Google's models name points on a grid of this many steps each way, whatever the size of the picture. */
const GRID = 1000;

/** A point of the picture in the viewport; one beyond its edges is moved onto it. */
export function pointOnPage({ viewport, picture }: Screen, { x, y }: Point): Point {
  return {
    x: scaled(x, picture.width, viewport.width),
    y: scaled(y, picture.height, viewport.height),
  };
}

/** A point of Google's grid in the viewport. */
export function gridPointOnPage({ viewport }: Screen, point: Point): Point {
  return pointOnPage({ viewport, picture: { width: GRID, height: GRID } }, point);
}

/** A point of the viewport in the picture. */
export function pointInPicture({ viewport, picture }: Screen, { x, y }: Point): Point {
  return {
    x: Math.round((x * picture.width) / viewport.width),
    y: Math.round((y * picture.height) / viewport.height),
  };
}

/** A distance in the picture as one in the viewport. */
export function distanceOnPage({ viewport, picture }: Screen, { x, y }: Point): Point {
  return { x: (x * viewport.width) / picture.width, y: (y * viewport.height) / picture.height };
}

/** A distance on Google's grid as one in the viewport. */
export function gridDistanceOnPage({ viewport }: Screen, distance: Point): Point {
  return distanceOnPage({ viewport, picture: { width: GRID, height: GRID } }, distance);
}

/** The part of the viewport between two points of the picture, in whatever order they come; at least a pixel each way. */
export function areaOnPage(screen: Screen, first: Point, second: Point): Box {
  const [one, other] = [pointOnPage(screen, first), pointOnPage(screen, second)];
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, width: Math.max(1, Math.abs(one.x - other.x)), height: Math.max(1, Math.abs(one.y - other.y)) };
}

function scaled(value: number, from: number, to: number): number {
  const place = (value * to) / from;
  return Math.min(Math.max(0, place), Math.max(0, to - 1));
}

/** How large a picture may be that a provider takes as it is; a larger one it would shrink, or refuse. */
export interface ScreenshotLimits {
  /** Pixels of the longer side. */
  readonly edge: number;
  /** The provider counts pictures in squares of so many pixels a side, and takes so many of them. */
  readonly patch?: { readonly side: number; readonly most: number };
}

/** The largest size of the same proportions that keeps within the limits; never larger than the viewport. */
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
