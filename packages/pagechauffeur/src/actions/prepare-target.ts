import { contentFrame } from '../cdp/content-frame.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { Turn } from '../cdp/page-lock.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverClickError, DriverIframeError } from '../errors.ts';
import type {
  BlockedReason,
  ElementCall,
  Fingerprint,
  Identification,
  KeyStroke,
  OwnerPoint,
  Point,
  PrepareAction,
  Prepared,
  PrepareOptions,
  Readiness,
  TextPart,
  Unexplored,
} from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { openClosedRoots } from '../snapshot/closed-roots.ts';
import { frameAnswer } from '../snapshot/frame-answer.ts';
import { lackingFrameError, silentFrameError, unreachableFrameError } from '../snapshot/frame-errors.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { forgetPaths, lookUpPath, type CachedPath, rememberPath, settledWorld, stepsOf } from './frame-path-cache.ts';
import { blockedError, otherError, refusedError, unresolvedError } from './blocked-error.ts';
import type { ActionTarget, FindFrame, ReadyElement } from './element-action.ts';

/** Which element is to be ready, and for what. */
export interface Preparation {
  readonly target: ActionTarget;
  readonly action: PrepareAction;
  /** Milliseconds that the element may take to become actionable; waiting for a turn does not count. */
  readonly timeout: number;
  readonly force: boolean;
  readonly isReported?: boolean | undefined;
  /** Where to look for an element that the document of its frame does not have. */
  readonly findFrame?: FindFrame | undefined;
  /** CSS pixels from the element's top left corner to act at. */
  readonly position?: Point | undefined;
  /** The action runs only on an element that matches this fingerprint. */
  readonly expected?: Fingerprint | undefined;
  /** The action runs only on an element with this role and name. */
  readonly calledAs?: ElementCall | undefined;
  /** A change of a part of what the element holds. */
  readonly part?: TextPart | undefined;
  /** The text that replaces what the element holds. */
  readonly text?: string | undefined;
  /** The keys that are to reach the element alone. */
  readonly strokes?: readonly KeyStroke[] | undefined;
  /** How to tell by what the element can be found again, if that is asked for. */
  readonly identification?: Identification | undefined;
  /** Whether it is to be told whose the document is. */
  readonly tellsOrigin?: boolean;
}

let lastWaitId = 0;

/** A fresh name for a wait inside a page. */
export function nextWaitId(): number {
  lastWaitId += 1;
  return lastWaitId;
}

/** So often all frames are asked for an element that the document of its frame does not have: a change in one wakes no wait in another. */
const SEARCH_INTERVAL_MS = 500;
/** Milliseconds beyond its time that a frame of another process may take to answer; one that hangs never does. */
const ANSWER_GRACE_MS = 2000;
/** Milliseconds before the end of a call at which a wait inside the page ends, but at most a quarter of what is left. */
const ANSWER_MARGIN_MS = 250;

/**
 * How long a wait inside the page may take, so that its answer, which says more than the clock does, comes first:
 * to the limit of a call that has a grace, else not quite.
 */
export function pageWaitTime({ remaining, grace }: Progress): number {
  return grace > 0 ? remaining : remaining - Math.min(ANSWER_MARGIN_MS, remaining / 4);
}

/**
 * Does `work` with an element in a turn of the page once the element can be acted on. While it cannot, the page is left to others and
 * nothing in it is changed.
 */
export async function withReadyElement<T>(
  progress: Progress,
  page: PageTarget,
  preparation: Preparation,
  work: (ready: ReadyElement) => Promise<T>,
): Promise<T> {
  const { action, target } = preparation;
  const search = new ElementSearch(progress, page, preparation);
  return search.inTurns(`${action} on ${target.label}`, async (turn) => {
    const ready = await search.makeReady(turn);
    if (!ready) return undefined;
    try {
      progress.throwIfEnded();
      return { value: await work(ready) };
    } finally {
      disarm(page, ready);
    }
  });
}

/**
 * Ends the guards of an action that has not settled, once the browser has acknowledged its input. Callers do not wait: the next command is
 * sent later anyway.
 */
export function disarm(page: PageTarget, { world, turn }: Pick<ReadyElement, 'world' | 'turn'>): void {
  const disarmed = page.inputTaken().then(() => world.call('disarm', turn.owner.token));
  disarmed.catch(ignoreRejection);
}

/** Makes another element ready within a turn that goes on meanwhile: what something is dropped on that is being dragged. */
export async function makeReadyWithin(
  turn: Turn,
  { progress, page, ...preparation }: Preparation & { readonly progress: Progress; readonly page: PageTarget },
): Promise<ReadyElement> {
  const search = new ElementSearch(progress, page, preparation);
  for (;;) {
    const ready = await search.makeReady(turn, preparation.timeout);
    if (ready) return ready;
    await search.untilReady();
  }
}

/**
 * An element that is not quite ready is waited for this long, in ms, by an action that has its turn, since most motion is over by then; not at
 * all when others wait for theirs.
 */
const MOMENT_MS = 100;
/** What is found to be in the way only by scrolling to an element or giving it the focus. */
const SEEN_BY_TRYING: ReadonlySet<BlockedReason> = new Set(['covered', 'no-pointer', 'off-screen', 'read-only']);

/** Finds an element, following its selector through frames: makes it ready in a turn of the page, and waits for it between turns. */
export class ElementSearch {
  readonly #progress: Progress;
  readonly #page: PageTarget;
  readonly #target: ActionTarget;
  readonly #request: Omit<Preparation, 'target' | 'timeout'>;
  /** When waits inside the page end. */
  readonly #end: number;
  /** Milliseconds that the element may take yet. */
  #left: number;
  #place: Promise<Place>;
  /** How long the element may be absent before all frames are searched; the first time they are searched at once. */
  #searchInterval = 0;
  /** The turn in which the element is made ready now. */
  #turn: Turn | undefined;
  /** Why the element could not be made ready when that was tried last. */
  #failure: Failure | undefined;

  constructor(progress: Progress, page: PageTarget, { target, timeout, ...request }: Preparation) {
    this.#progress = progress;
    this.#page = page;
    this.#target = target;
    this.#request = request;
    this.#end = performance.now() + pageWaitTime(progress);
    this.#left = timeout;
    this.#place = guessedPlace(target);
  }

  /** Gives `attempt` turns of the page until it comes to something; between two of them the element is waited for. */
  async inTurns<T>(label: string, attempt: (turn: Turn) => Promise<{ readonly value: T } | undefined>): Promise<T> {
    for (;;) {
      const done = await this.#page.takeTurn(this.#progress, label, attempt);
      if (done) return done.value;
      await this.untilReady();
    }
  }

  /** Scrolls to the element, gives it the focus and arms the action's guards; undefined when it cannot be acted on now. */
  makeReady(turn: Turn, patience: number = turn.isWanted ? 0 : MOMENT_MS): Promise<ReadyElement | undefined> {
    this.#turn = turn;
    return this.#timed(() => this.#tryPlaces(turn, performance.now() + Math.min(patience, this.#remaining())));
  }

  /** Waits until it is worth trying again; changes nothing. Throws when the element has had its time. */
  untilReady(): Promise<void> {
    this.#turn = undefined;
    return this.#timed(() => this.#wait());
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.#left -= performance.now() - began;
    }
  }

  #remaining(): number {
    return Math.min(this.#left, this.#end - performance.now());
  }

  /** Waits for the document that the element is looked for in. A frame may never have one. */
  async #documentThere(): Promise<World> {
    const { world, frame, label } = await this.#place;
    if (world) return world;
    if (!frame.parent) return this.#progress.race(frame.worlds.isolated);
    const there = withTimeout(Math.max(0, this.#remaining()) + ANSWER_GRACE_MS, frame.worlds.isolated);
    const found = await this.#progress.race(there);
    if (!found) throw lackingFrameError('document', label, this.#progress.callLog);
    return found;
  }

  async #tryPlaces(turn: Turn, deadline: number): Promise<ReadyElement | undefined> {
    for (;;) {
      this.#progress.throwIfEnded();
      const place = await this.#place;
      const world = place.world ?? (await settledWorld(place.frame));
      if (!world) return undefined;
      const step = { progress: this.#progress, page: this.#page, target: this.#target, place, world };
      const timeout = Math.max(0, deadline - performance.now());
      const limits = { timeout, ...(this.#isSoughtInFrames(place) && { absentTimeout: 0 }) };
      const { owner } = turn;
      const answer = await this.#ask(step, { ...this.#request, ...limits }, (options) =>
        world.call('prepare', place.element, { ...options, owner }),
      );
      if (answer?.kind === 'ready') return readyElement({ ...step, request: this.#request, turn, answer });
      // The element is ready, and its text is not the one that was meant; waiting does not change that.
      if (answer?.kind === 'refused') throw this.#error(answer);
      if (!(await this.#follows(step, answer))) return undefined;
    }
  }

  async #wait(): Promise<void> {
    const failure = this.#failure;
    const timeout = this.#remaining();
    if (failure && timeout <= 0) throw this.#error(failure);
    const world = await this.#documentThere();
    if (!failure) return;
    const mustChange = failure.kind === 'blocked' && SEEN_BY_TRYING.has(failure.reason);
    const place = await this.#place;
    const step = { progress: this.#progress, page: this.#page, target: this.#target, place, world };
    const absentTimeout = this.#isSoughtInFrames(place) ? Math.min(timeout, this.#absentTimeout(failure)) : timeout;
    this.#searchInterval = SEARCH_INTERVAL_MS;
    // Who only waits puts nothing in.
    const request = { ...this.#request, text: undefined, strokes: undefined };
    const answer = await this.#ask(step, { ...request, timeout, absentTimeout }, (options) =>
      world.call('awaitReady', step.place.element, { ...options, mustChange }),
    );
    if (answer?.kind === 'maybe-ready' || (await this.#follows(step, answer))) return;
    // Where all frames are searched, the next turn asks them again.
    if (this.#failure && (absentTimeout === timeout || this.#failure.kind !== 'none')) throw this.#error(this.#failure);
  }

  /** A list that is too short has its time to grow once frames were searched; the page knows how much. */
  #absentTimeout(failure: Failure): number {
    const isShortList = failure.kind === 'none' && failure.isPastTheEnd === true;
    return isShortList && this.#searchInterval > 0 ? Number.POSITIVE_INFINITY : this.#searchInterval;
  }

  /** Asks the document; no answer when it went away meanwhile, so that the next one is asked. */
  async #ask(
    step: Step,
    { findFrame: _findFrame, ...request }: QuestionLimits,
    ask: (options: Question) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const waitId = nextWaitId();
    const { place, world } = step;
    const { action } = this.#request;
    const { callLog } = this.#progress;
    const options = {
      ...request,
      action,
      waitId,
      ...wayUp(place.frame, action),
      framePath: place.guess && stepsOf(place.guess),
    };
    try {
      const limit = request.timeout + ANSWER_GRACE_MS;
      const answered = await unlessGone(step, () => frameAnswer(place.frame, world, () => ask(options), limit));
      if (answered === undefined) throw silentFrameError(place.frame, place.label, callLog);
      return answered === 'gone' ? undefined : answered.answer;
    } catch (error) {
      if (this.#progress.hasEnded) this.#giveUp(world, waitId);
      throw error;
    }
  }

  /** Ends a wait in the page; when that is done, it touches nothing there any more. */
  #giveUp(world: World, waitId: number): void {
    const ended = world.call('cancel', waitId);
    ended.catch(ignoreRejection);
    this.#turn?.leave(ended);
  }

  /** Goes on where an answer leads, if it leads anywhere; else it is the reason why the element cannot be acted on now. */
  async #follows(step: Step, answer: Answer | undefined): Promise<boolean> {
    if (answer && isFailure(answer)) {
      const found = await this.#findInFrames(step, answer);
      this.#failure = found ? undefined : answer;
      if (found) this.#place = Promise.resolve(found);
      return found !== undefined;
    }
    this.#failure = undefined;
    const next = answer ? await nextPlace(step, answer) : placeAfterLoss(step);
    this.#place = Promise.resolve(next);
    return answer !== undefined;
  }

  #isSoughtInFrames(place: Place): boolean {
    return this.#request.findFrame !== undefined && place === this.#target && this.#page.frames.frames.length > 1;
  }

  /** A selector that goes on in a frame names that frame itself. */
  async #findInFrames({ place }: Step, failure: Failure): Promise<ActionTarget | undefined> {
    if (failure.kind !== 'none' || failure.lacks || !this.#isSoughtInFrames(place)) return undefined;
    // Searching waits for a page that still loads, so it is not done in a turn.
    if (this.#turn) return undefined;
    return this.#request.findFrame?.(this.#progress, this.#target.label);
  }

  #error(failure: Failure): Error {
    const { label } = this.#target;
    const { callLog } = this.#progress;
    if (failure.kind === 'other') return otherError(failure, label, callLog);
    if (failure.kind === 'refused') return refusedError(failure, label, callLog);
    if (failure.kind !== 'blocked') return unresolvedError(failure, label, callLog);
    return blockedError(failure, { label, action: this.#request.action, callLog });
  }
}

/** What a question to a document adds to what is asked of the element. */
interface QuestionLimits
  extends Partial<Omit<Preparation, 'target' | 'timeout'>>, Pick<PrepareOptions, 'absentTimeout'> {
  readonly timeout: number;
}

/** The options of every request to a document. */
type Question = Omit<PrepareOptions, 'owner'>;

type Answer = Prepared | Readiness | Unexplored;
/** Answers that lead on. */
type Lead = Extract<Answer, { kind: 'ready' | 'maybe-ready' | 'frame' | 'unexplored' | 'elsewhere' }>;
type Failure = Exclude<Answer, Lead>;

const LEADS: ReadonlySet<Answer['kind']> = new Set<Lead['kind']>([
  'ready',
  'maybe-ready',
  'frame',
  'unexplored',
  'elsewhere',
]);

function isFailure(answer: Answer): answer is Failure {
  return !LEADS.has(answer.kind);
}

/** Where an element is looked for on the way to it. */
interface Place extends ActionTarget {
  /** The way is a guess, which the page has to confirm. */
  readonly guess?: CachedPath;
}

/** Where a selector goes on in a frame, if others led there that began alike; else where it begins. */
async function guessedPlace(target: ActionTarget): Promise<Place> {
  const { frame, element, world, label } = target;
  if (world || !('selector' in element)) return target;
  const guess = await lookUpPath(frame, element);
  return guess ? { frame: guess.frame, element: { ...element, selector: guess.selector }, label, guess } : target;
}

/** One question to one document. */
interface Step {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly target: ActionTarget;
  readonly place: Place;
  readonly world: World;
}

/** Where to ask next. */
async function nextPlace(step: Step, answer: Lead): Promise<Place> {
  if (answer.kind === 'frame') return intoFrame(step, answer);
  if (answer.kind === 'elsewhere') return placeAfterLoss(step);
  if (answer.kind !== 'unexplored') return step.place;
  const opened = await unlessGone(step, () => openClosedRoots(step.world));
  return opened === 'gone' ? placeAfterLoss(step) : step.place;
}

/** The document that was asked is not, or no longer, where the selector leads: it is followed from its beginning. */
function placeAfterLoss({ target, place }: Pick<Step, 'target' | 'place'>): ActionTarget {
  if (place.guess) forgetPaths(place.guess);
  if (target.frame.isDetached) throw new DriverIframeError(`The frame that holds ${target.label} has left the page.`);
  return target;
}

/** What comes of work in a document; `'gone'` when the document went away meanwhile, and another may have come. */
async function unlessGone<T>({ progress, place }: Step, work: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await progress.race(work());
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    if (place.world) throw unresolvedError({ kind: 'stale' }, place.label, progress.callLog);
    progress.log('the document was replaced while the element was looked for');
    return 'gone';
  }
}

/** By whom the page can be asked about the documents around a frame, and whether the action needs that. */
function wayUp(frame: FrameNode, action: PrepareAction): Pick<PrepareOptions, 'nonces' | 'isCarriedUp'> {
  const nonces = [...frame.lineage()].map(({ nonce = '' }) => nonce);
  return { nonces, isCarriedUp: !POINTLESS.has(action) };
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
    if (frame && 'selector' in place.element) rememberPath({ world, target: place.element, rest: answer.rest, frame });
    if (frame?.isUnreachable) throw unreachableFrameError(frame, target.label, progress.callLog);
    if (frame) return { frame, element, label: target.label };
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    progress.log('the frame left while the element was looked for');
    return target;
  }
  throw lackingFrameError('document', target.label, progress.callLog);
}

/** Actions that need no place on the screen, so that nobody has to be asked where a frame is. */
const POINTLESS: ReadonlySet<PrepareAction> = new Set(['fill', 'edit', 'type', 'press', 'select', 'focus', 'upload']);

interface ReadyStep extends Step {
  readonly request: Pick<Preparation, 'action' | 'force'>;
  readonly turn: Turn;
  readonly answer: Extract<Prepared, { kind: 'ready' }>;
}

async function readyElement(step: ReadyStep): Promise<ReadyElement> {
  const { request, target, place, world, turn, answer } = step;
  const {
    element,
    textEntry,
    insertion,
    checked,
    pageHeight = 0,
    trail,
    takesFiles = 'none',
    hasPopup = false,
    isInShadow = false,
    fingerprint,
    document,
  } = answer;
  const { frame } = place;
  const points = POINTLESS.has(request.action) ? trail : await wholeTrail(step, trail);
  const [start = ORIGIN] = points;
  const inputDepth = [...frame.lineage()].indexOf(frame.localRoot);
  const point = points[inputDepth] ?? start;
  const pagePoint = points.at(-1) ?? start;
  const known = { element, textEntry, insertion, checked, pageHeight, takesFiles, hasPopup, isInShadow, fingerprint };
  return { target, frame, world, turn, point, pagePoint, document, ...known };
}

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * Carries the point on to the top where the page itself could not, and makes sure that no frame on the way is
 * covered there.
 */
async function wholeTrail(
  { progress, target, place, request }: ReadyStep,
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
    const owner = await progress.race(world.call('mapToParent', current.id, point, mustReceive));
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
