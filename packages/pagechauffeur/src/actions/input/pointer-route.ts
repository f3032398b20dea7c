import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { hasRemoteFrames } from '../focused-session.ts';
import { type PointTarget, targetAtPoint } from '../point-target.ts';
import { heldInput } from './held-input.ts';
import { moveMouse } from './mouse-events.ts';

/** How long a frame may take to hear of a mouse that moved over it. */
const MOVE_PATIENCE_MS = 100;
/** How long the browser may take to show a frame; one that something covers is never asked about. */
const LONGEST_SHOWING_MS = 3000;
/** The documents of other processes that the browser has shown, by their frames. */
const shownLoaderByFrame = new WeakMap<FrameNode, string>();

/** A process, and a point in the viewport of its frame. */
type InputPlace = Pick<PointTarget, 'frame' | 'session' | 'point'>;

/** What is at a point, once the browser knows it too: until a frame of another process was painted, it takes no pointer there. */
async function shownTargetAt(progress: Progress, page: PageTarget, point: Point): Promise<PointTarget> {
  const target = await targetAtPoint(progress, page, point);
  const frame = target.frame.localRoot;
  if (frame.parent && heldInput(page).buttons === 0) await frameShown(progress, page, { frame, point });
  return target;
}

/**
 * Makes ready for a pointer that goes over several frames: the browser itself then finds, for input sent to the
 * page's session, the process under the pointer, tells the one it leaves, and carries what is dragged across.
 */
export async function pointerReadyAt(progress: Progress, page: PageTarget, point: Point): Promise<InputPlace> {
  if (!hasRemoteFrames(page)) return { frame: page.frames.main, session: page.session, point };
  const target = await shownTargetAt(progress, page, point);
  await leaveFrame(progress, page, { frame: target.frame.localRoot, point });
  return target;
}
/**
 * Moves the mouse to a point over a frame of another process until the frame hears of it; from then on the browser
 * knows that the frame is there. Once for each document.
 */
export async function frameShown(
  progress: Progress,
  page: PageTarget,
  { frame, point }: { readonly frame: FrameNode; readonly point: Point },
): Promise<void> {
  if (shownLoaderByFrame.get(frame) === frame.loaderId) return;
  const { loaderId } = frame;
  const world = await progress.race(frame.worlds.isolated);
  const deadline = performance.now() + LONGEST_SHOWING_MS;
  while (performance.now() < deadline) {
    const heard = world.call('pointerMoved', MOVE_PATIENCE_MS);
    const move = moveMouse(page.session, point, { modifiers: heldInput(page).modifiers });
    const [isHeard] = await progress.race(Promise.all([heard, move]));
    if (isHeard) break;
  }
  shownLoaderByFrame.set(frame, loaderId);
}

/** The browser does not tell a frame of another process that the mouse has left it; a move beyond its edges does. */
async function leaveFrame(
  progress: Progress,
  page: PageTarget,
  { frame, point }: { readonly frame: FrameNode; readonly point: Point },
): Promise<void> {
  const held = heldInput(page);
  const left = held.over;
  if (left === frame || held.buttons !== 0) return;
  held.over = frame.parent ? frame : undefined;
  if (!left || left.isDetached || !left.isLocalRoot) return;
  await progress.race(moveMouse(left.session, await pointInProcess(progress, left, point)));
}

/** A point of the page's viewport in that of the topmost frame of a frame's process. */
export async function pointInProcess(progress: Progress, frame: FrameNode, point: Point): Promise<Point> {
  const chain: FrameNode[] = [];
  for (let node: FrameNode | null = frame.localRoot; node?.parent; node = node.parent) chain.unshift(node);
  let place = point;
  for (const { id, parent } of chain) {
    const world = await progress.race(parent?.worlds.isolated ?? frame.worlds.isolated);
    place = (await progress.race(world.call('pointInFrame', id, place))) ?? place;
  }
  return place;
}
