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
  AwaitOptions,
  BlockedReason,
  OwnerPoint,
  Point,
  PrepareAction,
  Prepared,
  PrepareOptions,
  Readiness,
  Unexplored,
} from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { blockedError, otherError, refusedError, unresolvedError } from './blocked-error.ts';
import type { ActionTarget, FindFrame, ReadyElement } from './element-action.ts';

/** How to find an element and prepare it for an action. */
export interface Preparation extends Pick<
  PrepareOptions,
  | 'action'
  | 'timeout'
  | 'isReported'
  | 'position'
  | 'expected'
  | 'requiredRoleAndName'
  | 'part'
  | 'text'
  | 'strokes'
  | 'endStroke'
  | 'identification'
  | 'needsOrigin'
> {
  readonly target: ActionTarget;
  readonly force: boolean;
  /** Called if the element's own frame has no match. */
  readonly findFrame?: FindFrame | undefined;
}

/**
 * Interval in ms between searches of all frames for a missing element. The wait in the element's own frame does not
 * notice changes elsewhere.
 */
const SEARCH_INTERVAL_MS = 500;
/** An out-of-process frame may respond up to this many ms after the timeout. After that, it counts as hanging. */
const ANSWER_GRACE_MS = 2000;
/**
 * A wait in the page ends this many ms before its call times out, or after 3/4 of the remaining time if that is later.
 */
const ANSWER_MARGIN_MS = 250;

/**
 * Timeout in ms for a wait in the page. It ends before the call does, because the page can say what is missing and a
 * timeout error cannot. With a grace period, the call itself leaves time for the response.
 */
export function pageWaitTime({ remaining, grace }: Progress): number {
  return grace > 0 ? remaining : remaining - Math.min(ANSWER_MARGIN_MS, remaining / 4);
}

/** Runs `work` with the page lock as soon as the element is actionable. Releases the lock between attempts. */
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

/** Removes the action's guards in the background, once the browser has acknowledged all input. */
export function disarm(page: PageTarget, { world, turn }: Pick<ReadyElement, 'world' | 'turn'>): void {
  const disarmed = page.inputTaken().then(() => world.call('disarm', turn.owner.token));
  disarmed.catch(ignoreRejection);
}

/** Prepares a further element in the same turn, such as the drop target of a drag. */
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
 * Maximum time in ms that an action keeps the page lock for an element that is not actionable yet. Most animations end
 * within this time. If other calls are waiting, the action releases the lock immediately.
 */
const LOCKED_WAIT_MS = 100;
/** To find out that one of these no longer applies, an attempt may have to scroll or focus, which needs the lock. */
const NEEDS_ATTEMPT: ReadonlySet<BlockedReason> = new Set([
  'covered',
  'no-pointer',
  'not-focusable',
  'off-screen',
  'read-only',
  'unfocused',
]);

/**
 * Finds an element, through frames if necessary, and prepares it. Holds the page lock while it changes the page, and
 * waits without it.
 */
export class ElementSearch {
  readonly #progress: Progress;
  readonly #page: PageTarget;
  readonly #target: ActionTarget;
  readonly #request: Omit<Preparation, 'target' | 'timeout'>;
  /** Deadline of all waits in the page, in `performance.now()` time. */
  readonly #end: number;
  /** Time in ms that the element has left to become actionable. */
  #left: number;
  readonly #resolver: Promise<FrameResolver>;
  /** Time in ms for an element to appear in its own frame before all frames are searched. 0 for the first search. */
  #searchInterval = 0;
  #turn: Turn | undefined;
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

  /** Calls `attempt` with the page lock until it returns a value. Waits for the element without the lock in between. */
  async inTurns<T>(label: string, attempt: (turn: Turn) => Promise<{ readonly value: T } | undefined>): Promise<T> {
    for (;;) {
      const done = await this.#page.takeTurn(this.#progress, label, attempt);
      if (done) return done.value;
      await this.untilReady();
    }
  }

  /**
   * Scrolls to the element, focuses it if the action needs that, and installs the action's guards. Returns `undefined`
   * if the element is not actionable yet.
   */
  makeReady(turn: Turn, timeout: number = turn.isWanted ? 0 : LOCKED_WAIT_MS): Promise<ReadyElement | undefined> {
    this.#turn = turn;
    return this.#timed(() => this.#tryDocuments(turn, performance.now() + Math.min(timeout, this.#remaining())));
  }

  /**
   * Waits until another attempt can succeed, without changing the page.
   * @throws DriverElementNotFoundError, DriverClickError or another error with the reason when the element's timeout
   * expires.
   */
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

  /** Limits the wait for a child frame, which may never get a document. */
  async #documentThere(): Promise<World> {
    const { world, frame } = (await this.#resolver).current;
    if (world) return world;
    if (!frame.parent) return this.#progress.race(frame.worlds.isolated);
    const pendingWorld = withTimeout(Math.max(0, this.#remaining()) + ANSWER_GRACE_MS, frame.worlds.isolated);
    const found = await this.#progress.race(pendingWorld);
    if (!found) throw lackingFrameError('document', this.#target.label, this.#progress.callLog);
    return found;
  }

  async #tryDocuments(turn: Turn, deadline: number): Promise<ReadyElement | undefined> {
    for (;;) {
      this.#progress.throwIfEnded();
      const resolver = await this.#resolver;
      const { current } = resolver;
      const world = current.world ?? (await currentWorld(current.frame));
      if (!world) return undefined;
      const step = { progress: this.#progress, target: this.#target, resolver, requested: current, world };
      const timeout = Math.max(0, deadline - performance.now());
      const limits = { timeout, ...(this.#searchesAllFrames(resolver) && { absentTimeout: 0 }) };
      const { owner } = turn;
      const answer = await this.#ask(step, { ...this.#request, ...limits }, (options) =>
        world.start('prepare', current.element, { ...options, owner }),
      );
      if (answer?.kind === 'ready') return readyElement({ ...step, request: this.#request, turn, answer });
      // The element is actionable, but its text does not fit the edit. Waiting would not help.
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
    const mustChange = failure.kind === 'blocked' && NEEDS_ATTEMPT.has(failure.reason);
    const resolver = await this.#resolver;
    const step = { progress: this.#progress, target: this.#target, resolver, requested: resolver.current, world };
    const absentTimeout = this.#searchesAllFrames(resolver) ? Math.min(timeout, this.#absentTimeout(failure)) : timeout;
    this.#searchInterval = SEARCH_INTERVAL_MS;
    // The wait does not read the text, which can be long, so it is not sent again.
    const request = { ...this.#request, part: undefined, text: undefined, strokes: undefined, endStroke: undefined };
    const answer = await this.#ask(step, { ...request, timeout, absentTimeout }, (options) =>
      world.start('awaitReady', step.requested.element, { ...forWaiting(options), mustChange }),
    );
    if (answer?.kind === 'maybe-ready' || (await this.#follows(step, answer))) return;
    // Until the timeout, a missing element may still appear, in its own frame or in another one.
    if (this.#failure && (absentTimeout === timeout || this.#failure.kind !== 'none')) throw this.#error(this.#failure);
  }

  /**
   * Time in ms until the next search of all frames. If a selector such as `nth=5` matches too few elements, only the
   * first search covers all frames. After that, the page waits for more matches.
   */
  #absentTimeout(failure: Failure): number {
    const isShortList = failure.kind === 'none' && failure.isPastTheEnd === true;
    return isShortList && this.#searchInterval > 0 ? Number.POSITIVE_INFINITY : this.#searchInterval;
  }

  /**
   * Sends the request. Returns `undefined` if the document was replaced meanwhile, so that the caller queries the new
   * one.
   */
  async #ask(
    step: Step,
    { findFrame: _findFrame, ...request }: QuestionLimits,
    ask: (options: Question) => PendingCall<Answer>,
  ): Promise<Answer | undefined> {
    const { requested, resolver, world } = step;
    const { action } = this.#request;
    const { callLog } = this.#progress;
    const options = {
      ...request,
      action,
      ...ancestorOptions(requested.frame, action),
      framePath: resolver.guessedSteps,
    };
    let call: PendingCall<Answer> | undefined;
    const send = (): Promise<Answer> => {
      call = ask(options);
      return call.result;
    };
    try {
      const limit = request.timeout + ANSWER_GRACE_MS;
      const answered = await unlessGone(step, () => frameAnswer(requested.frame, world, send, limit));
      if (answered === undefined) throw silentFrameError(requested.frame, this.#target.label, callLog);
      return answered === 'gone' ? undefined : answered.answer;
    } catch (error) {
      // The page must cancel this call before the next action starts, because the call could disturb that action.
      if (call && this.#progress.hasEnded) this.#turn?.leave(call.cancel());
      throw error;
    }
  }

  /**
   * Continues in the frame or shadow root that the response points to. Returns false if the document is gone, or if the
   * response is a failure and no other frame has the element.
   */
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

  #searchesAllFrames({ isAtStart }: FrameResolver): boolean {
    return this.#request.findFrame !== undefined && isAtStart && this.#page.frames.frames.length > 1;
  }

  /**
   * Searches all frames for the element. A selector that has entered a frame already says which frame it means, so it
   * is not searched elsewhere.
   */
  async #findInFrames({ resolver }: Step, failure: Failure): Promise<ActionTarget | undefined> {
    if (failure.kind !== 'none' || failure.lacks || !this.#searchesAllFrames(resolver)) return undefined;
    // The search waits until the page settles. With the page lock, it would block other calls.
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

interface QuestionLimits
  extends Partial<Omit<Preparation, 'target' | 'timeout'>>, Pick<PrepareOptions, 'absentTimeout'> {
  readonly timeout: number;
}

type Question = Omit<PrepareOptions, 'owner'>;

/** Leaves out what only `prepare` uses. */
function forWaiting({
  identification: _identification,
  isReported: _isReported,
  mapsToAncestors: _mapsToAncestors,
  needsOrigin: _needsOrigin,
  ...options
}: Question): Omit<AwaitOptions, 'mustChange'> {
  return options;
}

type Answer = Prepared | Readiness | Unexplored;
/** The search goes on after these responses. The others say why the element is not actionable. */
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

interface Step {
  readonly progress: Progress;
  readonly target: ActionTarget;
  readonly resolver: FrameResolver;
  readonly requested: FrameQuery;
  readonly world: World;
}

/**
 * Returns `'gone'` if the document was replaced during the work. Throws if that document had assigned the target's ref,
 * because the element is gone too.
 */
async function unlessGone<T>({ progress, target, requested }: Step, work: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await progress.race(work());
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
    if (requested.world) throw unresolvedError({ kind: 'stale' }, target.label, progress.callLog);
    progress.log('the document was replaced during the search for the element');
    return 'gone';
  }
}

/**
 * Returns the nonces that authenticate messages between the frame and its ancestors, and whether the action needs its
 * point in the viewports of the ancestors.
 */
function ancestorOptions(frame: FrameNode, action: PrepareAction): Pick<PrepareOptions, 'nonces' | 'mapsToAncestors'> {
  const nonces = [...frame.lineage()].map(({ nonce = '' }) => nonce);
  return { nonces, mapsToAncestors: !POINTLESS.has(action) };
}

/** Actions that need no point, so the ancestors need not locate the frame. */
const POINTLESS: ReadonlySet<PrepareAction> = new Set(['fill', 'edit', 'type', 'press', 'select', 'focus', 'upload']);

interface ReadyStep extends Step {
  readonly request: Pick<Preparation, 'action' | 'force'>;
  readonly turn: Turn;
  readonly answer: Extract<Prepared, { kind: 'ready' }>;
}

async function readyElement(step: ReadyStep): Promise<ReadyElement> {
  const { request, target, requested, world, turn, answer } = step;
  const {
    element,
    textEntry,
    editor,
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
  const { frame } = requested;
  const points = POINTLESS.has(request.action) ? trail : await wholeTrail(step, trail);
  const [start = ORIGIN] = points;
  const inputDepth = [...frame.lineage()].indexOf(frame.localRoot);
  const point = points[inputDepth] ?? start;
  const pagePoint = points.at(-1) ?? start;
  const known = { element, textEntry, editor, takesPress, insertion, checked, pageHeight };
  const ofField = { takesFiles, hasPopup, isInShadow };
  return { target, frame, world, turn, point, pagePoint, document, fingerprint, ...known, ...ofField };
}

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * Completes the list of points up to the main frame, one per ancestor viewport. Throws if the frame is covered, off
 * screen or removed.
 */
async function wholeTrail(
  { progress, target, requested, request }: ReadyStep,
  start: readonly Point[],
): Promise<readonly Point[]> {
  const trail = [...start];
  const lineage = [...requested.frame.lineage()];
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
  if (owner.kind === 'none')
    return new DriverIframeError(`The frame that contains ${label} was removed from the page. Find the element again.`);
  const reason =
    owner.reason === 'off-screen'
      ? 'the frame that contains it cannot be scrolled into the viewport'
      : `${owner.cover ?? 'another element'} covers the frame that contains it. Close the covering element or scroll it away first`;
  return new DriverClickError(`Cannot reach ${label}: ${reason}.`, {
    selector: label,
    cover: owner.cover,
  });
}
