import { contentFrame } from '../../cdp/content-frame.ts';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { World } from '../../cdp/world.ts';
import { ContentFrameNotFoundError, DriverClickError, DriverIframeError } from '../../errors.ts';
import type { ElementTarget, OwnerPoint, Point, PrepareAction, Prepared, Unexplored } from '../../injected/contract.ts';
import { handledElsewhere } from '../../util/deferred.ts';
import { openClosedRoots } from '../../snapshot/closed-roots.ts';
import type { Progress } from '../../util/progress.ts';
import { blockedError, unresolvedError } from './blocked-error.ts';
import type { ActionTarget, ReadyElement } from './element-action.ts';

interface PrepareRequest {
  readonly action: PrepareAction;
  /** Milliseconds to wait for the element. */
  readonly timeout: number;
  readonly force: boolean;
  /** CSS pixels from the element's top left corner to act at. */
  readonly position?: Point | undefined;
}

type ReadyAnswer = Extract<Prepared, { kind: 'ready' }>;

let lastWaitId = 0;

/** A fresh name for a wait inside a page. */
export function nextWaitId(): number {
  lastWaitId += 1;
  return lastWaitId;
}

/** Milliseconds before the end of a call at which a wait inside the page ends, but at most a quarter of what is left. */
const ANSWER_MARGIN_MS = 250;

/**
 * How long a wait inside a page may take, so that its answer, which says more than the clock does, comes first:
 * to the limit of a call that has a grace, else not quite.
 */
export function pageWaitTime({ remaining, grace }: Progress): number {
  return grace > 0 ? remaining : remaining - Math.min(ANSWER_MARGIN_MS, remaining / 4);
}

/** Finds the element, following its selector through frames, and waits until it can be acted on. */
export async function prepareTarget(
  progress: Progress,
  page: PageTarget,
  target: ActionTarget,
  request: PrepareRequest,
): Promise<ReadyElement> {
  const deadline = performance.now() + request.timeout;
  let place: ActionTarget = target;
  for (;;) {
    progress.throwIfEnded();
    const timeout = Math.min(Math.max(0, deadline - performance.now()), pageWaitTime(progress));
    const asked = await ask(progress, place, { ...request, timeout });
    if (asked === undefined) {
      if (target.frame.isDetached)
        throw new DriverIframeError(`The frame that holds ${target.label} has left the page.`);
      place = target;
      continue;
    }
    const { world, answer } = asked;
    if (answer.kind === 'unexplored') {
      await progress.race(openClosedRoots(world));
      continue;
    }
    if (answer.kind === 'ready') return ready({ progress, target, place, world, answer, action: request.action });
    if (answer.kind === 'blocked')
      throw blockedError(answer, { label: target.label, action: request.action, callLog: progress.callLog });
    if (answer.kind !== 'frame') throw unresolvedError(answer, target.label, progress.callLog);
    place = await intoFrame({ progress, page, target, world }, answer);
  }
}

interface Asked {
  readonly world: World;
  readonly answer: Prepared | Unexplored;
}

/** Asks the document; no answer when it went away meanwhile, so that the next one is asked. */
async function ask(progress: Progress, place: ActionTarget, request: PrepareRequest): Promise<Asked | undefined> {
  try {
    const world = place.world ?? (await progress.race(place.frame.worlds.isolated));
    return { world, answer: await prepareIn(progress, world, place.element, request) };
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    if (place.world) throw unresolvedError({ kind: 'stale' }, place.label, progress.callLog);
    progress.log('the document was replaced while the element was looked for');
    return undefined;
  }
}

async function prepareIn(
  progress: Progress,
  world: World,
  element: ElementTarget,
  request: PrepareRequest,
): Promise<Prepared | Unexplored> {
  const waitId = nextWaitId();
  try {
    return await progress.race(world.call('prepare', element, { ...request, waitId }));
  } finally {
    if (progress.signal.aborted) world.call('cancel', waitId).catch(handledElsewhere);
  }
}

interface FrameStep {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly target: ActionTarget;
  /** The document that holds the frame element. */
  readonly world: World;
}

/** Goes on in the frame that the selector leads into; from the start again when that frame has just left. */
async function intoFrame(step: FrameStep, answer: Extract<Prepared, { kind: 'frame' }>): Promise<ActionTarget> {
  const { progress, page, target, world } = step;
  try {
    const frame = await progress.race(contentFrame(page, world, answer));
    const selector = answer.rest === '' ? 'html' : answer.rest;
    const element = { selector, ...('strict' in target.element && { strict: true }) };
    if (frame) return { frame, element, label: target.label };
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    progress.log('the frame left while the element was looked for');
    return target;
  }
  throw new ContentFrameNotFoundError(`The frame in ${target.label} has no document to go on in.`, {
    selector: target.label,
  });
}

interface ReadyFacts {
  readonly progress: Progress;
  readonly action: PrepareAction;
  readonly target: ActionTarget;
  readonly place: ActionTarget;
  readonly world: World;
  readonly answer: ReadyAnswer;
}

/** Actions that need no place on the screen, so that nobody has to be asked where a frame is. */
const POINTLESS: ReadonlySet<PrepareAction> = new Set(['fill', 'type', 'press', 'select', 'focus', 'upload']);

async function ready({ progress, action, target, place, world, answer }: ReadyFacts): Promise<ReadyElement> {
  const { element, textEntry, checked, pageHeight, rootPoint, takesFiles = false } = answer;
  const points = POINTLESS.has(action)
    ? { point: rootPoint, pagePoint: rootPoint }
    : await inputPoint(progress, place.frame, answer, target.label);
  return { target, frame: place.frame, world, element, textEntry, checked, pageHeight, takesFiles, ...points };
}

/**
 * Carries the point up to the frame that takes the input, the root of the frame's process, and makes sure that
 * no frame on the way to the top is covered there.
 */
async function inputPoint(
  progress: Progress,
  frame: FrameNode,
  answer: ReadyAnswer,
  label: string,
): Promise<{ point: Point; pagePoint: Point }> {
  let current = ancestor(frame, answer.rootDepth);
  let point = answer.rootPoint;
  let input = current.isLocalRoot && current.session === frame.session ? point : undefined;
  while (current.parent) {
    const world = await progress.race(current.parent.worlds.isolated);
    await progress.race(current.adopted);
    const owner = await progress.race(world.call('throughOwner', current.id, point));
    if (owner.kind !== 'ready') throw frameBlocked(owner, label);
    point = owner.rootPoint;
    current = ancestor(current.parent, owner.rootDepth);
    if (current.isLocalRoot && current.session === frame.session) input ??= point;
  }
  return { point: input ?? point, pagePoint: point };
}

function ancestor(frame: FrameNode, steps: number): FrameNode {
  let current = frame;
  for (let step = 0; step < steps && current.parent; step += 1) current = current.parent;
  return current;
}

function frameBlocked(owner: Exclude<OwnerPoint, { kind: 'ready' }>, label: string): Error {
  if (owner.kind === 'none') return new DriverIframeError(`The frame that holds ${label} is no longer in its page.`);
  const cover = owner.cover ? `${owner.cover} covers it` : `it is ${owner.reason}`;
  return new DriverClickError(`Cannot reach ${label}: of the frame that holds it, ${cover}.`, {
    selector: label,
    cover: owner.cover,
  });
}
