import { orDocumentGone } from '../cdp/document-loss.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import type { Box, Point } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';

/** The answer for an element that lost its box since it was found, for example in an animation. */
const NO_BOX = 'Could not compute box model.';

/** Box of an element in the viewport of its page, through frames. Returns `null` if it has none. */
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

/** Box on the viewport of the page of a box on the viewport of a frame, in pixels of the topmost frame of its process. */
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

/** Converts a quad from the viewport of a frame to the viewport of the page. */
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

/** Quad of a frame's content in the viewport of the topmost frame of its owner's process. */
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
 * Scale of a frame relative to the topmost one of its process, by CSS zoom. The browser reports boxes relative to the topmost frame, but in
 * the frame's own pixels.
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

/** Corners of a box that may be rotated, skewed and tilted: the original top left one, then clockwise. */
type Quad = readonly [Point, Point, Point, Point];

/** Converts the protocol's list of x and y values to a quad, scaled by `scale`. */
function quadOf(numbers: readonly number[], scale: number): Quad {
  const at = (index: number): number => (numbers[index] ?? 0) * scale;
  const corner = (index: number): Point => ({ x: at(2 * index), y: at(2 * index + 1) });
  return [corner(0), corner(1), corner(2), corner(3)];
}

/** Position of a quad inside an upright box of this size when the box is shown as `place`. */
function quadWithin(place: Quad, { width, height }: { width: number; height: number }, quad: Quad): Quad {
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
