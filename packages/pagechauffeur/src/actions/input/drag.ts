import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { Session } from '../../cdp/session.ts';
import type { World } from '../../cdp/world.ts';
import type { Point, UnderDrag } from '../../injected/contract.ts';
import { pause } from '../../util/pause.ts';
import type { Progress } from '../../util/progress.ts';
import { buttonBit, type MouseButton, moveMouse, pressButton, releaseButton, stepsBetween } from './mouse-events.ts';
import { pointInProcess } from './pointer-route.ts';

/** A drag moves in this many steps by default, so that libraries that listen to moves see some. */
const DRAG_STEPS = 5;
/** A first move this far begins a drag, if it stays in the frame: near one edge of what is seen of it, the other way does. */
const NUDGES = [5, -5] as const;
/** What is to be dropped on is followed for this long. */
const LONGEST_FOLLOWING_MS = 10_000;

/** Where a drag ends. */
export interface DragEnd {
  readonly point: Point;
  /** That of the process there. */
  readonly session: Session;
  /** The document that holds what is dropped on; undefined when only the point matters. */
  readonly world?: World;
}

/** From where, and how, something is dragged; points are of the page's viewport. */
export interface Drag {
  readonly from: Point;
  /** The innermost frame there. */
  readonly frame: FrameNode;
  /** Points on the way. */
  readonly via?: readonly Point[] | undefined;
  /** Called once the button is down, and again with the new position if the page scrolled meanwhile, settled or not. */
  readonly to: (when: 'at rest' | 'now') => Promise<DragEnd>;
  readonly steps?: number | undefined;
  /** Milliseconds between the steps. */
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
 * Presses at one point, moves in steps to another and releases there, with a frame of the page between the moves, as a
 * hand leaves them. What the browser itself drags goes over the page from process to process; a script that follows
 * the pointer gets it also outside of its frame.
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

/** The session that moves go to: the page's, unless the button was pressed in a frame of another process whose script follows the pointer. */
async function ownerOfMoves(work: DragInProgress): Promise<Session> {
  const { page, drag } = work;
  if (drag.frame.session === page.session) {
    // A first step that ends over a frame of another process would begin no drag. Who counts the steps gets these alone.
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
  // The first move into a frame only enters it; most pages take a drop after one that goes over them.
  if (await isDragging(work)) await step(work, owner, end);
}

/**
 * Goes after what is to be dropped on until the pointer is there. The browser scrolls what something is held over the edge of
 * for a while, as it is on a busy machine, until it hears of the next move, and takes nothing into a frame of another process
 * that was not shown yet.
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
    // Where it was missed, a document around it may have scrolled, which it does not hear of.
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

/** Whether the browser itself drags something out of the document that the button was pressed in. */
async function isDragging({ progress, drag }: DragInProgress): Promise<boolean> {
  const world = await progress.race(drag.frame.worlds.isolated);
  return progress.race(world.call('isDragging'));
}

/** The points of a drag after the first; each leg has its share of the steps, and one at least. */
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

/** Tells a process that what was dragged out of it is dropped; the browser tells the process where it was dropped alone. */
async function endDragAtSource({ progress, drag }: DragInProgress): Promise<void> {
  const { frame, from } = drag;
  const point = await pointInProcess(progress, frame, from);
  const data = { items: [], dragOperationsMask: 0 };
  await progress.race(frame.session.send('Input.dispatchDragEvent', { type: 'dragCancel', ...point, data }));
}
