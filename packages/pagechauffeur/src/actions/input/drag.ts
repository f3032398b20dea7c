import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import type { Point, UnderDrag } from '../../injected/contract.ts';
import { pause } from '../../util/pause.ts';
import type { Progress } from '../../util/progress.ts';
import { buttonBit, type MouseButton, moveMouse, pressButton, releaseButton, stepsBetween } from './mouse-events.ts';
import { pointInProcess } from './pointer-route.ts';

/** Default number of mouse moves in a drag. Drag libraries need several. */
const DRAG_STEPS = 5;
/**
 * Offsets in CSS pixels for the first move. It starts a drag only if it stays in the frame, so near an edge only one of
 * the two works.
 */
const NUDGES = [5, -5] as const;
/** Time in ms that a drag follows a moving drop target. */
const LONGEST_FOLLOWING_MS = 10_000;

export interface DragEnd {
  readonly point: Point;
  /** The session of the process at the point. */
  readonly session: Session;
  /** The document of the drop target. `undefined` if the caller passed only a point. */
  readonly world?: World;
}

/** The start and options of a drag. All points are in CSS pixels of the page's viewport. */
export interface Drag {
  readonly from: Point;
  /** The innermost frame at `from`. */
  readonly frame: FrameNode;
  /** Points that the drag moves through. */
  readonly via?: readonly Point[] | undefined;
  /**
   * Returns the end point. Called with `at rest` once the button is down. If the target moves later, called with `now`,
   * which does not wait for a stable position.
   */
  readonly to: (when: 'at rest' | 'now') => Promise<DragEnd>;
  readonly steps?: number | undefined;
  /** Time in ms between the steps. */
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
 * Presses the button at one point, moves in steps to another and releases it there. Waits for one animation frame
 * between moves. A native drag works across processes. For a drag that a page script implements, the script also gets
 * the moves outside its frame.
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
    end = await drag.to('at rest');
    await underDrag(work, end);
    await moveTo(work, owner, end.point);
    end = await follow(work, owner, end);
  } finally {
    const place = await placeOf(work, owner, end.point);
    await releaseButton(owner, { ...place, ...held, buttons: 0, clickCount: 1 });
  }
  if (end.session !== drag.frame.session) await endDragAtSource(work);
}

/**
 * Returns the session for the moves: the frame's session if a script in an out-of-process frame handles the drag, else
 * the page's.
 */
async function ownerOfMoves(work: DragInProgress): Promise<Session> {
  const { page, drag } = work;
  if (drag.frame.session === page.session) {
    // A first move that ends over a frame of another process would not start a drag, so this sends a short one. With
    // `steps`, the caller expects exactly that number of moves.
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
  for (const point of wayOf(drag, end)) {
    await painted(work);
    await step(work, owner, point);
    await pause(progress, delay);
  }
  await settleOn(work, owner, end);
}

async function settleOn(work: DragInProgress, owner: Session, end: Point): Promise<void> {
  await painted(work);
  // The first move into a frame only fires `dragenter`. Most pages accept a drop only after `dragover`, which the
  // second move fires.
  if (await isDragging(work)) await step(work, owner, end);
}

/**
 * Moves the pointer until it is over the drop target. Two things can prevent that on a busy machine: the browser keeps
 * scrolling a container while the pointer is near its edge, and it ignores a drag into an out-of-process frame that it
 * has not shown yet.
 */
async function follow(work: DragInProgress, owner: Session, start: DragEnd): Promise<DragEnd> {
  const { progress, drag } = work;
  const deadline = performance.now() + LONGEST_FOLLOWING_MS;
  let end = start;
  for (;;) {
    const under = await underDrag(work, end);
    if (!under || performance.now() >= deadline) return end;
    const isAway = !under.isReached && (await isDragging(work));
    if (!under.hasScrolled && !isAway) return end;
    // If the pointer missed the target, an ancestor document may have scrolled. The target's document gets no event for
    // that.
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

/** True if the document of the mouse press has started a native drag. */
async function isDragging({ progress, drag }: DragInProgress): Promise<boolean> {
  const world = await progress.race(drag.frame.worlds.isolated);
  return progress.race(world.call('isDragging'));
}

/**
 * The points of a drag after the first one. Divides the steps among the legs of the path, with at least one per leg.
 */
function wayOf({ from, via = [], steps = DRAG_STEPS }: Drag, end: Point): Point[] {
  const stops = [from, ...via, end];
  const stepsPerLeg = Math.ceil(steps / (stops.length - 1));
  return stops.slice(1).flatMap((stop, index) => stepsBetween(stops[index] ?? from, stop, stepsPerLeg));
}

async function step(work: DragInProgress, owner: Session, point: Point): Promise<void> {
  const { progress, held } = work;
  const place = await placeOf(work, owner, point);
  const { button, modifiers } = held;
  await progress.race(moveMouse(owner, place, { buttons: buttonBit(button), modifiers }));
}

function placeOf({ progress, page, drag }: DragInProgress, owner: Session, point: Point): Promise<Point> | Point {
  return owner === page.session ? point : pointInProcess(progress, drag.frame, point);
}

async function painted({ progress, page }: DragInProgress): Promise<void> {
  const world = await progress.race(page.frames.main.worlds.isolated);
  await progress.race(world.call('painted'));
}

/** Ends a native drag in the process where it started. The browser itself ends it only in the process of the drop. */
async function endDragAtSource({ progress, drag }: DragInProgress): Promise<void> {
  const { frame, from } = drag;
  const point = await pointInProcess(progress, frame, from);
  const data = { items: [], dragOperationsMask: 0 };
  await progress.race(frame.session.send('Input.dispatchDragEvent', { type: 'dragCancel', ...point, data }));
}
