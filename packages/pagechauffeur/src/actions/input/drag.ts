import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import type { Point, UnderDrag } from '../../injected/contract.ts';
import { pause } from '../../util/pause.ts';
import type { Progress } from '../../util/progress.ts';
import { buttonBit, type MouseButton, moveMouse, pressButton, releaseButton, stepsBetween } from './mouse-events.ts';
import { pointInProcess } from './pointer-route.ts';

/** Default number of mouse moves. Drag libraries need several to recognize a drag. */
const DRAG_STEPS = 5;
/**
 * Offsets in CSS pixels for the first move, which starts a drag only if it stays inside the frame. Near an edge only
 * one of them does.
 */
const NUDGES = [5, -5] as const;
/** Maximum time in ms that a drag follows a moving drop target. */
const FOLLOW_TIMEOUT_MS = 10_000;

export interface DragEnd {
  readonly point: Point;
  /** The session of the process that serves the frame at `point`. */
  readonly session: Session;
  /** The document of the drop target. `undefined` if the caller passed a point. */
  readonly world?: World;
}

/** Points are CSS pixels in the page's viewport. */
export interface Drag {
  readonly from: Point;
  readonly frame: FrameNode;
  readonly via?: readonly Point[] | undefined;
  /**
   * Returns the end point. Called with `settled` once the button is down, and with `now`, which does not wait for a
   * stable position, if the target may have moved since.
   */
  readonly to: (when: 'settled' | 'now') => Promise<DragEnd>;
  readonly steps?: number | undefined;
  readonly delay?: number | undefined;
  readonly button?: MouseButton | undefined;
  readonly modifiers?: number | undefined;
}

interface DragInProgress {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly drag: Drag;
  readonly held: { readonly button: MouseButton; readonly modifiers: number };
}

/**
 * Presses the button at one point, moves in steps to another and releases it there, with an animation frame between
 * moves. A native drag can cross processes. For a drag that a script implements, the script also receives the moves
 * outside its frame.
 */
export async function dragMouse(progress: Progress, page: PageTarget, drag: Drag): Promise<void> {
  const { from, button = 'left', modifiers = 0 } = drag;
  const held = { button, modifiers };
  const work = { progress, page, drag, held };
  const world = await progress.race(drag.frame.worlds.isolated);
  await progress.race(Promise.all([world.call('watchDrags'), moveMouse(page.session, from, { modifiers })]));
  await progress.race(pressButton(page.session, { ...from, ...held, buttons: buttonBit(button), clickCount: 1 }));
  let end: DragEnd = { point: from, session: drag.frame.session };
  let owner = page.session;
  try {
    owner = await ownerOfMoves(work);
    end = await drag.to('settled');
    await underDrag(work, end);
    await moveTo(work, owner, end.point);
    end = await follow(work, owner, end);
  } finally {
    const point = await inputPoint(work, owner, end.point);
    await releaseButton(owner, { ...point, ...held, buttons: 0, clickCount: 1 });
  }
  if (end.session !== drag.frame.session) await endDragAtSource(work);
}

/** Returns the frame's session if a script in an out-of-process frame handles the drag, else the page's session. */
async function ownerOfMoves(work: DragInProgress): Promise<Session> {
  const { page, drag } = work;
  if (drag.frame.session === page.session) {
    // Starts the drag with a short move, because a move into a frame of another process would not. With `steps`, the
    // caller expects exactly that many moves.
    if (drag.steps === undefined) await nudge(work, NUDGES[0]);
    return page.session;
  }
  for (const distance of NUDGES) {
    await nudge(work, distance);
    await painted(work);
    if (await isDragging(work)) return page.session;
  }
  return drag.frame.session;
}

function nudge(work: DragInProgress, distance: number): Promise<void> {
  const { from } = work.drag;
  return step(work, work.page.session, { x: from.x + distance, y: from.y + distance });
}

async function moveTo(work: DragInProgress, owner: Session, end: Point): Promise<void> {
  const { progress, drag } = work;
  const { delay = 0 } = drag;
  for (const point of pathPoints(drag, end)) {
    await painted(work);
    await step(work, owner, point);
    await pause(progress, delay);
  }
  await settleOn(work, owner, end);
}

async function settleOn(work: DragInProgress, owner: Session, end: Point): Promise<void> {
  await painted(work);
  // The first move into a frame only fires `dragenter`. The second one fires `dragover`, which most pages need to
  // accept a drop.
  if (await isDragging(work)) await step(work, owner, end);
}

/**
 * Moves the pointer until it is over the drop target. On a busy machine, the browser can still scroll a container with
 * the pointer near its edge, or ignore a drag into an out-of-process frame that it has not shown yet.
 */
async function follow(work: DragInProgress, owner: Session, start: DragEnd): Promise<DragEnd> {
  const { progress, drag } = work;
  const deadline = performance.now() + FOLLOW_TIMEOUT_MS;
  let end = start;
  for (;;) {
    const under = await underDrag(work, end);
    if (!under || performance.now() >= deadline) return end;
    const isAway = !under.isReached && (await isDragging(work));
    if (!under.hasScrolled && !isAway) return end;
    // If the pointer missed the target, an ancestor document may have scrolled, which fires no event in the target's
    // document.
    end = await drag.to('now');
    progress.throwIfEnded();
    await step(work, owner, end.point);
    await settleOn(work, owner, end.point);
  }
}

async function underDrag({ progress }: DragInProgress, { world }: DragEnd): Promise<UnderDrag | undefined> {
  if (!world) return undefined;
  await progress.race(world.call('painted'));
  return progress.race(world.call('underDrag'));
}

async function isDragging({ progress, drag }: DragInProgress): Promise<boolean> {
  const world = await progress.race(drag.frame.worlds.isolated);
  return progress.race(world.call('isDragging'));
}

/** Points after the first one. Divides the steps among the legs, at least one per leg. */
function pathPoints({ from, via = [], steps = DRAG_STEPS }: Drag, end: Point): Point[] {
  const stops = [from, ...via, end];
  const stepsPerLeg = Math.ceil(steps / (stops.length - 1));
  return stops.slice(1).flatMap((stop, index) => stepsBetween(stops[index] ?? from, stop, stepsPerLeg));
}

async function step(work: DragInProgress, owner: Session, pagePoint: Point): Promise<void> {
  const { progress, held } = work;
  const point = await inputPoint(work, owner, pagePoint);
  const { button, modifiers } = held;
  await progress.race(moveMouse(owner, point, { buttons: buttonBit(button), modifiers }));
}

function inputPoint({ progress, page, drag }: DragInProgress, owner: Session, point: Point): Promise<Point> | Point {
  return owner === page.session ? point : pointInProcess(progress, drag.frame, point);
}

async function painted({ progress, page }: DragInProgress): Promise<void> {
  const world = await progress.race(page.frames.main.worlds.isolated);
  await progress.race(world.call('painted'));
}

/** The browser ends a native drag only in the process of the drop, so end it in the source's process too. */
async function endDragAtSource({ progress, drag }: DragInProgress): Promise<void> {
  const { frame, from } = drag;
  const point = await pointInProcess(progress, frame, from);
  const data = { items: [], dragOperationsMask: 0 };
  await progress.race(frame.session.send('Input.dispatchDragEvent', { type: 'dragCancel', ...point, data }));
}
