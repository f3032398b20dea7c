import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Point } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { hasRemoteFrames } from '../focused-session.ts';
import { type PointTarget, targetAtPoint } from '../point-target.ts';
import { heldInput } from './held-input.ts';
import { moveMouse } from './mouse-events.ts';

const MOVE_TIMEOUT_MS = 100;
/** Time in ms for the browser to show a frame. A covered frame never receives the mouse move. */
const SHOW_TIMEOUT_MS = 3000;
/**
 * For each out-of-process frame, the loader id of the document that received a mouse move, or did not within the
 * timeout. Actions do not wait for this document again.
 */
const shownLoaderByFrame = new WeakMap<FrameNode, string>();

type InputRoute = Pick<PointTarget, 'frame' | 'session' | 'point'>;

/** The browser routes no input to an out-of-process frame before it has shown it, so wait for that first. */
async function shownTargetAt(progress: Progress, page: PageTarget, point: Point): Promise<PointTarget> {
  const target = await targetAtPoint(progress, page, point);
  const frame = target.frame.localRoot;
  if (frame.parent && heldInput(page).buttons === 0) await frameShown(progress, page, { frame, point });
  return target;
}

/**
 * Prepares input at a point that may be in an out-of-process frame. Afterwards, send the input to the page's session:
 * the browser routes it to the process under the pointer and moves native drags between processes.
 */
export async function pointerReadyAt(progress: Progress, page: PageTarget, point: Point): Promise<InputRoute> {
  if (!hasRemoteFrames(page)) return { frame: page.frames.main, session: page.session, point };
  const target = await shownTargetAt(progress, page, point);
  await leaveFrame(progress, page, { frame: target.frame.localRoot, point });
  return target;
}

/**
 * Moves the mouse over an out-of-process frame until the frame receives the event, for at most 3 s. From then on, the
 * browser routes input to it. Runs once per document.
 */
export async function frameShown(
  progress: Progress,
  page: PageTarget,
  { frame, point }: { readonly frame: FrameNode; readonly point: Point },
): Promise<void> {
  if (shownLoaderByFrame.get(frame) === frame.loaderId) return;
  const { loaderId } = frame;
  const world = await progress.race(frame.worlds.isolated);
  const deadline = performance.now() + SHOW_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const moved = world.call('pointerMoved', MOVE_TIMEOUT_MS);
    const move = moveMouse(page.session, point, { modifiers: heldInput(page).modifiers });
    const [isReceived] = await progress.race(Promise.all([moved, move]));
    if (isReceived) break;
  }
  shownLoaderByFrame.set(frame, loaderId);
}

/**
 * The browser does not notify an out-of-process frame when the mouse leaves it, so this moves the mouse out through the
 * frame's session.
 */
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

/** Converts a point from the page's viewport to that of the frame's local root. */
export async function pointInProcess(progress: Progress, frame: FrameNode, point: Point): Promise<Point> {
  const chain: FrameNode[] = [];
  for (let node: FrameNode | null = frame.localRoot; node?.parent; node = node.parent) chain.unshift(node);
  let pointInside = point;
  for (const { id, parent } of chain) {
    const world = await progress.race(parent?.worlds.isolated ?? frame.worlds.isolated);
    pointInside = (await progress.race(world.call('pointInFrame', id, pointInside))) ?? pointInside;
  }
  return pointInside;
}
