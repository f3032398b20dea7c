import { frameAnswer } from '../cdp/frame-answer.ts';
import { lackingFrameError, silentFrameError, unreachableFrameError } from '../cdp/frame-errors.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import { currentWorld, type FrameQuery, FrameResolver } from '../cdp/frame-resolver.ts';
import type { Turn } from '../cdp/page-lock.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { PendingCall } from '../cdp/pending-call.ts';
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
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { blockedError, otherError, refusedError, unresolvedError } from './blocked-error.ts';
import type { ActionTarget, FindFrame, ReadyElement } from './element-action.ts';

/** The element to prepare, and the action that it is prepared for. */
export interface Preparation {
  readonly target: ActionTarget;
  readonly action: PrepareAction;
  /**
   * Time in ms for the element to become actionable. Does not include the time that the action waits for the page lock.
   */
  readonly timeout: number;
  readonly force: boolean;
  readonly isReported?: boolean | undefined;
  /** Finds the element in another frame if its own frame does not have it. */
  readonly findFrame?: FindFrame | undefined;
  /** The point for the action, in CSS pixels from the element's top left corner. */
  readonly position?: Point | undefined;
  /** The action runs only on an element that matches this fingerprint. */
  readonly expected?: Fingerprint | undefined;
  /** The action runs only on an element with this role and name. */
  readonly calledAs?: ElementCall | undefined;
  /** The part of the element's text to edit. */
  readonly part?: TextPart | undefined;
  /** The text that replaces the element's content. */
  readonly text?: string | undefined;
  /** The keys that only this element can receive. */
  readonly strokes?: readonly KeyStroke[] | undefined;
  /** The kind of fingerprint to return. If `undefined`, none is returned. */
  readonly identification?: Identification | undefined;
  /** True to return the document's origin. */
  readonly tellsOrigin?: boolean;
}

/**
 * Interval in ms between searches of all frames for a missing element. A wait in one frame does not notice changes in
 * another.
 */
const SEARCH_INTERVAL_MS = 500;
/** Extra time in ms for a response from an out-of-process frame. A frame that hangs never responds. */
const ANSWER_GRACE_MS = 2000;
/** A wait in the page ends this many ms before its call, or after 3/4 of the remaining time if that is later. */
const ANSWER_MARGIN_MS = 250;

/**
 * Timeout in ms for a wait in the page. The wait ends before its call does, because the page's response says more than
 * a timeout error. A call with a grace period has extra time for the response, so the wait can use all of the remaining
 * time.
 */
export function pageWaitTime({ remaining, grace }: Progress): number {
  return grace > 0 ? remaining : remaining - Math.min(ANSWER_MARGIN_MS, remaining / 4);
}

/**
 * Runs `work` while holding the page lock, once the element is actionable. Between attempts, releases the lock for
 * other calls and changes nothing in the page.
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
 * Removes the guards of an action that does not settle, once the browser has acknowledged its input. Callers need not
 * wait for this, because the page receives their next command later in any case.
 */
export function disarm(page: PageTarget, { world, turn }: Pick<ReadyElement, 'world' | 'turn'>): void {
  const disarmed = page.inputTaken().then(() => world.call('disarm', turn.owner.token));
  disarmed.catch(ignoreRejection);
}

/** Prepares a second element while holding the same lock: the drop target of a drag. */
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
 * Time in ms that an action keeps the page lock while it waits for an element that is not actionable. Most animations
 * end within this time. If other calls are waiting for the lock, the action does not wait at all.
 */
const MOMENT_MS = 100;
/** Reasons that can only be detected by scrolling to the element or focusing it. */
const SEEN_BY_TRYING: ReadonlySet<BlockedReason> = new Set(['covered', 'no-pointer', 'off-screen', 'read-only']);

/**
 * Finds an element, through frames if necessary. Prepares it while holding the page lock, and waits for it without the
 * lock.
 */
export class ElementSearch {
  readonly #progress: Progress;
  readonly #page: PageTarget;
  readonly #target: ActionTarget;
  readonly #request: Omit<Preparation, 'target' | 'timeout'>;
  /** Deadline of all waits in the page, on the clock of `performance.now()`. */
  readonly #end: number;
  /** Remaining time in ms for the element to become actionable. */
  #left: number;
  readonly #resolver: Promise<FrameResolver>;
  /** Time in ms for a missing element to appear before all frames are searched. The first search starts immediately. */
  #searchInterval = 0;
  /** The turn of the page lock. `undefined` while other calls can hold it. */
  #turn: Turn | undefined;
  /** The failure of the last attempt to prepare the element. */
  #failure: Failure | undefined;

  constructor(progress: Progress, page: PageTarget, { target, timeout, ...request }: Preparation) {
    this.#progress = progress;
    this.#page = page;
    this.#target = target;
    this.#request = request;
    this.#end = performance.now() + pageWaitTime(progress);
    this.#left = timeout;
    this.#resolver = new FrameResolver(page, target, target.label).guess();
  }

  /**
   * Calls `attempt` while holding the page lock, until it returns a value. Between attempts, waits for the element
   * without the lock.
   */
  async inTurns<T>(label: string, attempt: (turn: Turn) => Promise<{ readonly value: T } | undefined>): Promise<T> {
    for (;;) {
      const done = await this.#page.takeTurn(this.#progress, label, attempt);
      if (done) return done.value;
      await this.untilReady();
    }
  }

  /**
   * Scrolls to the element, focuses it and installs the action's guards. Returns `undefined` if the element is not
   * actionable yet.
   */
  makeReady(turn: Turn, timeout: number = turn.isWanted ? 0 : MOMENT_MS): Promise<ReadyElement | undefined> {
    this.#turn = turn;
    return this.#timed(() => this.#tryPlaces(turn, performance.now() + Math.min(timeout, this.#remaining())));
  }

  /** Waits until another attempt can succeed. Changes nothing in the page. Throws if the element's timeout is over. */
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

  /**
   * Waits for the document to search. Waits for a child frame only for a limited time, because it may never get a
   * document.
   */
  async #documentThere(): Promise<World> {
    const { world, frame } = (await this.#resolver).current;
    if (world) return world;
    if (!frame.parent) return this.#progress.race(frame.worlds.isolated);
    const there = withTimeout(Math.max(0, this.#remaining()) + ANSWER_GRACE_MS, frame.worlds.isolated);
    const found = await this.#progress.race(there);
    if (!found) throw lackingFrameError('document', this.#target.label, this.#progress.callLog);
    return found;
  }

  async #tryPlaces(turn: Turn, deadline: number): Promise<ReadyElement | undefined> {
    for (;;) {
      this.#progress.throwIfEnded();
      const resolver = await this.#resolver;
      const { current } = resolver;
      const world = current.world ?? (await currentWorld(current.frame));
      if (!world) return undefined;
      const step = { progress: this.#progress, target: this.#target, resolver, asked: current, world };
      const timeout = Math.max(0, deadline - performance.now());
      const limits = { timeout, ...(this.#isSoughtInFrames(resolver) && { absentTimeout: 0 }) };
      const { owner } = turn;
      const answer = await this.#ask(step, { ...this.#request, ...limits }, (options) =>
        world.start('prepare', current.element, { ...options, owner }),
      );
      if (answer?.kind === 'ready') return readyElement({ ...step, request: this.#request, turn, answer });
      // The element is actionable, but its text does not allow the edit. Waiting does not change that.
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
    const resolver = await this.#resolver;
    const step = { progress: this.#progress, target: this.#target, resolver, asked: resolver.current, world };
    const absentTimeout = this.#isSoughtInFrames(resolver) ? Math.min(timeout, this.#absentTimeout(failure)) : timeout;
    this.#searchInterval = SEARCH_INTERVAL_MS;
    // Waiting must not enter text or send keys.
    const request = { ...this.#request, text: undefined, strokes: undefined };
    const answer = await this.#ask(step, { ...request, timeout, absentTimeout }, (options) =>
      world.start('awaitReady', step.asked.element, { ...options, mustChange }),
    );
    if (answer?.kind === 'maybe-ready' || (await this.#follows(step, answer))) return;
    // A missing element is not an error yet if the other frames can be searched: the next attempt searches them.
    if (this.#failure && (absentTimeout === timeout || this.#failure.kind !== 'none')) throw this.#error(this.#failure);
  }

  /**
   * Time in ms before the next search of all frames; 0 before the first one. If the selector asks for the n-th match
   * and the list is too short, the page decides after the first search how long to wait for the list to grow.
   */
  #absentTimeout(failure: Failure): number {
    const isShortList = failure.kind === 'none' && failure.isPastTheEnd === true;
    return isShortList && this.#searchInterval > 0 ? Number.POSITIVE_INFINITY : this.#searchInterval;
  }

  /**
   * Calls the document. Returns `undefined` if it was replaced during the call, so that the caller asks the new one.
   */
  async #ask(
    step: Step,
    { findFrame: _findFrame, ...request }: QuestionLimits,
    ask: (options: Question) => PendingCall<Answer>,
  ): Promise<Answer | undefined> {
    const { asked, resolver, world } = step;
    const { action } = this.#request;
    const { callLog } = this.#progress;
    const options = {
      ...request,
      action,
      ...wayUp(asked.frame, action),
      framePath: resolver.guessedSteps,
    };
    let call: PendingCall<Answer> | undefined;
    const send = (): Promise<Answer> => {
      call = ask(options);
      return call.result;
    };
    try {
      const limit = request.timeout + ANSWER_GRACE_MS;
      const answered = await unlessGone(step, () => frameAnswer(asked.frame, world, send, limit));
      if (answered === undefined) throw silentFrameError(asked.frame, this.#target.label, callLog);
      return answered === 'gone' ? undefined : answered.answer;
    } catch (error) {
      // The next action starts only after the page has ended this wait, so that the wait cannot disturb it.
      if (call && this.#progress.hasEnded) this.#turn?.leave(call.cancel());
      throw error;
    }
  }

  /** Continues in the document that the answer points to. Returns false if there is none. */
  async #follows(step: Step, answer: Answer | undefined): Promise<boolean> {
    const { resolver, world } = step;
    if (answer && isFailure(answer)) {
      const found = await this.#findInFrames(step, answer);
      this.#failure = found ? undefined : answer;
      if (found) resolver.continueAt(found);
      return found !== undefined;
    }
    this.#failure = undefined;
    const isLost = !answer || answer.kind === 'elsewhere';
    if (isLost || (await unlessGone(step, () => resolver.follow(world, answer))) === 'gone') resolver.restart();
    const { frame } = resolver.current;
    if (answer?.kind === 'frame' && frame.isUnreachable)
      throw unreachableFrameError(frame, this.#target.label, this.#progress.callLog);
    return answer !== undefined;
  }

  #isSoughtInFrames({ isAtStart }: FrameResolver): boolean {
    return this.#request.findFrame !== undefined && isAtStart && this.#page.frames.frames.length > 1;
  }

  /**
   * Searches all frames for the element. Skips a selector that has already led into a frame, because such a selector
   * says which frame it means.
   */
  async #findInFrames({ resolver }: Step, failure: Failure): Promise<ActionTarget | undefined> {
    if (failure.kind !== 'none' || failure.lacks || !this.#isSoughtInFrames(resolver)) return undefined;
    // The search waits until the page settles. With the page lock, this would block other calls.
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

/** A call to a document, with its timeouts. */
interface QuestionLimits
  extends Partial<Omit<Preparation, 'target' | 'timeout'>>, Pick<PrepareOptions, 'absentTimeout'> {
  readonly timeout: number;
}

/** The options of every call to a document. */
type Question = Omit<PrepareOptions, 'owner'>;

type Answer = Prepared | Readiness | Unexplored;
/** Answers that lead to another attempt, or to another document. */
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

/** One call to one document. */
interface Step {
  readonly progress: Progress;
  readonly target: ActionTarget;
  readonly resolver: FrameResolver;
  /** The element and frame that the call asks for. */
  readonly asked: FrameQuery;
  readonly world: World;
}

/**
 * Returns the result of `work` in a document, or `'gone'` if the document was replaced during the work. Throws for a
 * ref, whose element is gone with its document.
 */
async function unlessGone<T>({ progress, target, asked }: Step, work: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await progress.race(work());
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    if (asked.world) throw unresolvedError({ kind: 'stale' }, target.label, progress.callLog);
    progress.log('the document was replaced during the search for the element');
    return 'gone';
  }
}

/**
 * Nonces that authenticate messages between the frame and its ancestors. Also says whether the action needs its point
 * in their viewports.
 */
function wayUp(frame: FrameNode, action: PrepareAction): Pick<PrepareOptions, 'nonces' | 'isCarriedUp'> {
  const nonces = [...frame.lineage()].map(({ nonce = '' }) => nonce);
  return { nonces, isCarriedUp: !POINTLESS.has(action) };
}

/** Actions without a point, so ancestors need not locate the frame. */
const POINTLESS: ReadonlySet<PrepareAction> = new Set(['fill', 'edit', 'type', 'press', 'select', 'focus', 'upload']);

interface ReadyStep extends Step {
  readonly request: Pick<Preparation, 'action' | 'force'>;
  readonly turn: Turn;
  readonly answer: Extract<Prepared, { kind: 'ready' }>;
}

async function readyElement(step: ReadyStep): Promise<ReadyElement> {
  const { request, target, asked, world, turn, answer } = step;
  const {
    element,
    textEntry,
    insertion,
    takesPress = false,
    checked,
    pageHeight = 0,
    trail,
    takesFiles = 'none',
    hasPopup = false,
    isInShadow = false,
    fingerprint,
    document,
  } = answer;
  const { frame } = asked;
  const points = POINTLESS.has(request.action) ? trail : await wholeTrail(step, trail);
  const [start = ORIGIN] = points;
  const inputDepth = [...frame.lineage()].indexOf(frame.localRoot);
  const point = points[inputDepth] ?? start;
  const pagePoint = points.at(-1) ?? start;
  const known = { element, textEntry, takesPress, insertion, checked, pageHeight };
  const ofField = { takesFiles, hasPopup, isInShadow };
  return { target, frame, world, turn, point, pagePoint, document, fingerprint, ...known, ...ofField };
}

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * Completes the list of points up to the main frame if the page could not compute all of them. Throws if an ancestor
 * covers the frame at its point.
 */
async function wholeTrail(
  { progress, target, asked, request }: ReadyStep,
  start: readonly Point[],
): Promise<readonly Point[]> {
  const trail = [...start];
  const lineage = [...asked.frame.lineage()];
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
  if (owner.kind === 'none') return new DriverIframeError(`The frame that contains ${label} is no longer on its page.`);
  const cover = owner.cover ? `${owner.cover} covers its frame` : `its frame is ${owner.reason}`;
  return new DriverClickError(`Cannot reach ${label}: ${cover}.`, {
    selector: label,
    cover: owner.cover,
  });
}
