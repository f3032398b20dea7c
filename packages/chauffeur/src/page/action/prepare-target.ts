import { contentFrame } from '../../cdp/content-frame.ts';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { World } from '../../cdp/world.ts';
import { ContentFrameNotFoundError, DriverClickError, DriverIframeError } from '../../errors.ts';
import type {
  Fingerprint,
  Identification,
  OwnerPoint,
  Point,
  PrepareAction,
  Prepared,
  PrepareOptions,
  Unexplored,
} from '../../injected/contract.ts';
import { handledElsewhere } from '../../util/deferred.ts';
import { openClosedRoots } from '../../snapshot/closed-roots.ts';
import type { Progress } from '../../util/progress.ts';
import { forgetLeads, guessWay, type GuessedWay, rememberLead, stepsOf } from '../frame-leads.ts';
import { blockedError, otherError, unresolvedError } from './blocked-error.ts';
import type { ActionTarget, ReadyElement } from './element-action.ts';

interface PrepareRequest {
  readonly action: PrepareAction;
  /** Milliseconds to wait for the element. */
  readonly timeout: number;
  readonly force: boolean;
  readonly isReported?: boolean | undefined;
  /** CSS pixels from the element's top left corner to act at. */
  readonly position?: Point | undefined;
  /** Nothing is done to an element that is not this one. */
  readonly expected?: Fingerprint | undefined;
  /** How to tell by what the element can be found again, if that is asked for. */
  readonly identification?: Identification | undefined;
}

/** Which element is to be ready, and for what. */
interface Preparation extends PrepareRequest {
  readonly target: ActionTarget;
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
  { target, ...request }: Preparation,
): Promise<ReadyElement> {
  const deadline = performance.now() + request.timeout;
  let place = await guessedPlace(target);
  for (;;) {
    progress.throwIfEnded();
    const timeout = Math.min(Math.max(0, deadline - performance.now()), pageWaitTime(progress));
    const asked = await ask(progress, place, { ...request, timeout });
    const facts = { progress, page, target, place, request };
    if (asked?.answer.kind === 'ready') return ready({ ...facts, ...asked, answer: asked.answer });
    place = asked ? await nextPlace({ ...facts, ...asked }) : placeAfterLoss(target, place);
  }
}

/** Where an element is looked for on the way to it. */
interface Place extends ActionTarget {
  /** The way is a guess, which the page has to confirm. */
  readonly guess?: GuessedWay;
}

/** Where a selector goes on in a frame, if others led there that began alike; else where it begins. */
async function guessedPlace(target: ActionTarget): Promise<Place> {
  const { frame, element, world, label } = target;
  if (world || !('selector' in element)) return target;
  const guess = await guessWay(frame, element);
  return guess ? { frame: guess.frame, element: { ...element, selector: guess.selector }, label, guess } : target;
}

/** What is known when a document has been asked. */
interface Step {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly target: ActionTarget;
  readonly place: Place;
  readonly request: PrepareRequest;
  readonly world: World;
}

/** Where to ask next; throws when there is nothing to hope for. */
async function nextPlace(step: Step & Asked): Promise<Place> {
  const { progress, target, place, world, answer, request } = step;
  const { label } = target;
  const { callLog } = progress;
  if (answer.kind === 'frame') return intoFrame(step, answer);
  if (answer.kind === 'unexplored')
    return (await unlessGone(progress, place, () => openClosedRoots(world))) === 'gone'
      ? placeAfterLoss(target, place)
      : place;
  if (answer.kind === 'other') throw otherError(answer, label, callLog);
  if (answer.kind === 'blocked') throw blockedError(answer, { label, action: request.action, callLog });
  if (answer.kind === 'elsewhere') return placeAfterLoss(target, place);
  if (answer.kind !== 'ready') throw unresolvedError(answer, label, callLog);
  return place;
}

/** The document that was asked is not, or no longer, where the selector leads: it is followed from its beginning. */
function placeAfterLoss(target: ActionTarget, { guess }: Place): ActionTarget {
  if (guess) forgetLeads(guess);
  if (target.frame.isDetached) throw new DriverIframeError(`The frame that holds ${target.label} has left the page.`);
  return target;
}

interface Asked {
  readonly world: World;
  readonly answer: Prepared | Unexplored;
}

/** Asks the document; no answer when it went away meanwhile, so that the next one is asked. */
async function ask(progress: Progress, place: Place, request: PrepareRequest): Promise<Asked | undefined> {
  const asked = await unlessGone(progress, place, async () => {
    const world = place.world ?? (await place.frame.worlds.isolated);
    return { world, answer: await prepareIn(progress, { world, place, request }) };
  });
  return asked === 'gone' ? undefined : asked;
}

/** What comes of work in a document; `'gone'` when the document went away meanwhile, and another may have come. */
async function unlessGone<T>(progress: Progress, place: Place, work: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await progress.race(work());
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    if (place.world) throw unresolvedError({ kind: 'stale' }, place.label, progress.callLog);
    progress.log('the document was replaced while the element was looked for');
    return 'gone';
  }
}

async function prepareIn(
  progress: Progress,
  { world, place, request }: Pick<Step, 'world' | 'place' | 'request'>,
): Promise<Prepared | Unexplored> {
  const { frame, element, guess } = place;
  const waitId = nextWaitId();
  try {
    return await progress.race(
      world.call('prepare', element, { ...request, waitId, ...wayUp(frame, request), ledBy: guess && stepsOf(guess) }),
    );
  } finally {
    if (progress.hasEnded) world.call('cancel', waitId).catch(handledElsewhere);
  }
}

/** By whom the page can be asked about the documents around a frame, and whether the action needs that. */
function wayUp(frame: FrameNode, { action }: PrepareRequest): Pick<PrepareOptions, 'countersigns' | 'isCarriedUp'> {
  const countersigns = [...frame.lineage()].map(({ countersign = '' }) => countersign);
  return { countersigns, isCarriedUp: !POINTLESS.has(action) };
}

/** Goes on in the frame that the selector leads into; from the start again when that frame has just left. */
async function intoFrame(
  { progress, page, target, place, world }: Step,
  answer: Extract<Prepared, { kind: 'frame' }>,
): Promise<Place> {
  try {
    const frame = await progress.race(contentFrame(page, world, answer));
    const selector = answer.rest === '' ? 'html' : answer.rest;
    const element = { selector, ...('strict' in target.element && { strict: true }) };
    if (frame && 'selector' in place.element) rememberLead({ world, target: place.element, rest: answer.rest, frame });
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

/** Actions that need no place on the screen, so that nobody has to be asked where a frame is. */
const POINTLESS: ReadonlySet<PrepareAction> = new Set(['fill', 'type', 'press', 'select', 'focus', 'upload']);

async function ready(step: Step & { readonly answer: ReadyAnswer }): Promise<ReadyElement> {
  const { request, target, place, world, answer } = step;
  const { element, textEntry, checked, pageHeight = 0, trail, takesFiles = false, fingerprint } = answer;
  const { frame } = place;
  const points = POINTLESS.has(request.action) ? trail : await wholeTrail(step, trail);
  const [start = ORIGIN] = points;
  const inputDepth = [...frame.lineage()].indexOf(frame.localRoot);
  const point = points[inputDepth] ?? start;
  const pagePoint = points.at(-1) ?? start;
  const known = { element, textEntry, checked, pageHeight, takesFiles, fingerprint };
  return { target, frame, world, point, pagePoint, ...known };
}

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * Carries the point on to the top where the page itself could not, and makes sure that no frame on the way is
 * covered there.
 */
async function wholeTrail(
  { progress, target, place, request }: Step,
  start: readonly Point[],
): Promise<readonly Point[]> {
  const trail = [...start];
  const lineage = [...place.frame.lineage()];
  const mustReceive = !request.force && request.action !== 'scroll';
  for (;;) {
    const current = lineage[trail.length - 1];
    const point = trail.at(-1);
    if (!current?.parent || !point) return trail;
    const world = await progress.race(current.parent.worlds.isolated);
    await progress.race(current.adopted);
    const owner = await progress.race(world.call('throughOwner', current.id, point, mustReceive));
    if (owner.kind !== 'ready') throw frameBlocked(owner, target.label);
    trail.push(...owner.trail);
  }
}

function frameBlocked(owner: Exclude<OwnerPoint, { kind: 'ready' }>, label: string): Error {
  if (owner.kind === 'none') return new DriverIframeError(`The frame that holds ${label} is no longer in its page.`);
  const cover = owner.cover ? `${owner.cover} covers it` : `it is ${owner.reason}`;
  return new DriverClickError(`Cannot reach ${label}: of the frame that holds it, ${cover}.`, {
    selector: label,
    cover: owner.cover,
  });
}
