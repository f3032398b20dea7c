import { orDocumentGone } from '../cdp/document-loss.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import type { Box, Point } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';

/** Chromium's error for an element that is not rendered, for example because a script has hidden it. */
const NO_BOX = 'Could not compute box model.';

/**
 * Returns an element's box in the page's viewport, also for elements in frames. `null` if it is gone or not rendered.
 */
export async function boxInPage(page: PageTarget, world: World, ref: number): Promise<Box | null> {
  const element = await world.callForHandle('element', { ref });
  if (!element) return null;
  const { session } = world;
  const root = page.frames.frames.find((frame) => frame.session === session) ?? page.frames.main;
  try {
    const [{ model }, zoom] = await Promise.all([
      orDocumentGone(session, session.send('DOM.getBoxModel', { objectId: element.objectId })),
      zoomIn(world, root),
    ]);
    return boxAround(await quadThroughFrame(quadOf(model.border, zoom), root));
  } catch (error) {
    if (error instanceof ProtocolError && error.reason === NO_BOX) return null;
    throw error;
  } finally {
    session.send('Runtime.releaseObject', { objectId: element.objectId }).catch(ignoreRejection);
  }
}

/**
 * Converts a box from a frame's viewport to the page's viewport. `box` is in pixels of the frame's local root. Returns
 * `null` if the frame is not rendered.
 */
export async function boxOnPage(frame: FrameNode, box: Box): Promise<Box | null> {
  const { x, y, width, height } = box;
  const quad = quadOf([x, y, x + width, y, x + width, y + height, x, y + height], 1);
  try {
    return boxAround(await quadThroughFrame(quad, frame));
  } catch (error) {
    if (error instanceof ProtocolError && error.reason === NO_BOX) return null;
    throw error;
  }
}

/** Converts a quad from a frame's viewport to the page's viewport, one process boundary at a time. */
async function quadThroughFrame(quad: Quad, frame: FrameNode): Promise<Quad> {
  const { parent, localRoot } = frame;
  if (!parent) return quad;
  const [{ width, height }, place, zoom] = await Promise.all([
    viewportOf(frame),
    contentQuadOf(frame, parent),
    frame.worlds.isolated.then((world) => zoomIn(world, localRoot)),
  ]);
  return quadThroughFrame(quadWithin(place, { width: width * zoom, height: height * zoom }, quad), parent.localRoot);
}

async function viewportOf(frame: FrameNode): Promise<{ width: number; height: number }> {
  const world = await frame.worlds.isolated;
  const [width, height] = (await world.evaluate('[innerWidth, innerHeight]', null)) as [number, number];
  return { width, height };
}

/** Returns the content box of the frame's owner element, in the viewport of the parent's local root. */
async function contentQuadOf({ id }: FrameNode, parent: FrameNode): Promise<Quad> {
  const { session, worlds, localRoot } = parent;
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: id });
  const [{ model }, zoom] = await Promise.all([
    session.send('DOM.getBoxModel', { backendNodeId }),
    worlds.isolated.then((world) => zoomIn(world, localRoot)),
  ]);
  return quadOf(model.content, zoom);
}

/**
 * Returns the CSS zoom of a frame relative to its local root. Chromium reports boxes with the local root's origin, but
 * in the frame's own pixels.
 */
async function zoomIn(world: World, root: FrameNode): Promise<number> {
  const rootWorld = await root.worlds.isolated;
  if (rootWorld === world) return 1;
  const [own, outer] = await Promise.all([world, rootWorld].map((one) => one.evaluate('devicePixelRatio', null)));
  return Number(own) / Number(outer);
}

function boxAround(quad: readonly Point[]): Box {
  const xs = quad.map(({ x }) => x);
  const ys = quad.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Corners of a box that may be transformed: the original top left corner, then clockwise. */
type Quad = readonly [Point, Point, Point, Point];

/** Converts `[x1, y1, x2, y2, …]`, as in CDP, to a quad. */
function quadOf(numbers: readonly number[], scale: number): Quad {
  const at = (index: number): number => (numbers[index] ?? 0) * scale;
  const corner = (index: number): Point => ({ x: at(2 * index), y: at(2 * index + 1) });
  return [corner(0), corner(1), corner(2), corner(3)];
}

/** Maps a quad inside a box of this size to its position when the box is transformed to `place`. */
function quadWithin(place: Quad, { width, height }: { width: number; height: number }, quad: Quad): Quad {
  const project = projectionOnto(place);
  const moved = ({ x, y }: Point): Point => project({ x: x / width, y: y / height });
  return [moved(quad[0]), moved(quad[1]), moved(quad[2]), moved(quad[3])];
}

/**
 * Returns the projective mapping from the unit square to a quad. It covers CSS 3D transforms of a flat box. See P.
 * Heckbert, "Fundamentals of Texture Mapping and Image Warping", section 2.2.3.
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
