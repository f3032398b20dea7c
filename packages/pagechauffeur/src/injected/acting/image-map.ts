import type { Box } from '../contract.ts';
import { attributeOf, queryAll } from '../native.ts';

export function imageOfArea(area: HTMLAreaElement): HTMLImageElement | null {
  const map = area.closest('map');
  const name = map && (attributeOf(map, 'name') ?? attributeOf(map, 'id'));
  if (!name) return null;
  const root = area.getRootNode() as Document | ShadowRoot;
  const image = queryAll(root, 'img[usemap]').find((candidate) => attributeOf(candidate, 'usemap') === `#${name}`);
  return image instanceof HTMLImageElement ? image : null;
}

/** An `area` element has no box, so this computes one from its `coords`. */
export function boxOfArea(area: HTMLAreaElement): Box {
  const image = imageOfArea(area)?.getBoundingClientRect();
  if (!image) return { x: 0, y: 0, width: 0, height: 0 };
  const corners = cornersOf(area.shape.toLowerCase(), area.coords.split(',').map(Number));
  if (!corners) return { x: image.x, y: image.y, width: image.width, height: image.height };
  const [left, top, right, bottom] = corners;
  return { x: image.x + left, y: image.y + top, width: right - left, height: bottom - top };
}

function cornersOf(
  shape: string,
  coords: readonly number[],
): [left: number, top: number, right: number, bottom: number] | null {
  if (shape === 'default') return null;
  if (shape.startsWith('circ')) {
    const [x = 0, y = 0, radius = 0] = coords;
    return [x - radius, y - radius, x + radius, y + radius];
  }
  const across = coords.filter((_, index) => index % 2 === 0);
  const down = coords.filter((_, index) => index % 2 === 1);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}
