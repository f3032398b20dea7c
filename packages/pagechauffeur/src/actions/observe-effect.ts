import type { FrameNode } from '../cdp/frame-node.ts';
import type { Turn } from '../cdp/page-lock.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { ActionToken, ElementDescription, Point, SettleReport } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { focusedFrame } from './focused-session.ts';
import { targetAtPoint } from './point-target.ts';
import { effectOf, notesOf, type Observed } from './action-effect.ts';
import { ActionTrace } from './action-trace.ts';
import type { EffectNote } from './effect-note.ts';
import type { ActionEffect, RequiredSettle } from './element-action.ts';
import { FrameObserver } from './frame-observer.ts';
import { settleAfterAction, settleCurrentDocument, type SettleOutcome } from './settle-page.ts';

export interface ObservedEffect {
  readonly effect: ActionEffect;
  readonly notes: readonly EffectNote[];
  readonly settled: SettleOutcome;
}

/** Whose effect {@link observeEffect} reports, and how long it waits. */
export interface EffectScope {
  /** Has recorded the page since the action began. The caller disposes it. */
  readonly trace: ActionTrace;
  readonly frame: FrameNode;
  readonly owner?: ActionToken;
  /** `undefined` if the other frames are not observed. */
  readonly otherFrames: FrameObserver | undefined;
  /** The action's element. Omitted for calls without one. */
  readonly element?: ElementDescription;
  /** True for `focus`. Then focus on the element itself counts as a change, too. */
  readonly isFocusing?: boolean;
  /** Time in ms for the page to settle. 0 does not wait. */
  readonly timeout: number;
  readonly requiredSettle?: RequiredSettle | undefined;
  /** If set, event handlers may act on the page while it settles. */
  readonly turn?: Turn;
}

export interface SentInput {
  /** The page's first report. Its settle request has already been sent. */
  readonly first: Promise<SettleReport | undefined>;
  /** True if the first report arrived before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean;
  /** Overrides the timeout of the scope, part of which may already have passed while the input was sent. */
  readonly timeout?: number;
  /** Waits longer after the page has settled, for example for suggestions. */
  readonly settleMore?: (settled: SettleOutcome) => Promise<SettleOutcome>;
}

/**
 * Calls `run`, waits until the page settles, and reports the effect. `run` resolves once the input is sent, without
 * waiting for the page to settle.
 */
export async function observeEffect<Sent extends SentInput>(
  progress: Progress,
  page: PageTarget,
  scope: EffectScope,
  run: () => Promise<Sent>,
): Promise<ObservedEffect & { readonly sent: Sent }> {
  const { trace, frame, owner, otherFrames, requiredSettle, element = NO_ELEMENT, isFocusing = false } = scope;
  const sent = await run();
  const { first, isFirstEarly, timeout = scope.timeout, settleMore } = sent;
  const settle = async (): Promise<SettleOutcome> => {
    const after = { page, frame, trace, owner, first, isFirstEarly, timeout, requiredSettle };
    const settled = await settleAfterAction(progress, after);
    return settleMore ? settleMore(settled) : settled;
  };
  const settled = await (scope.turn ? scope.turn.yielding(settle) : settle());
  page.throwIfLost();
  const seen: Observed = { trace, settled, elsewhere: [], element, frame, isFocusing };
  const isSeen = !otherFrames || effectOf(seen) !== 'none-observed';
  // Querying all frames takes another round trip, so it is done only if no effect has been observed yet.
  const observed = isSeen ? seen : { ...seen, elsewhere: await otherFrames.reports(progress, frame, settled.reports) };
  return { effect: effectOf(observed), notes: notesOf(observed, timeout > 0), settled, sent };
}

/** Calls without a target element, such as `page.mouse.click()`, that are observed as one action. */
export interface PageCalls {
  /** Names these calls in the log lines of other calls that wait for the page lock. */
  readonly label: string;
  readonly at: Point | 'focus' | 'page';
  /** True for wheel input, whose target is the scroll container at that point. */
  readonly isWheel?: boolean;
  readonly settleTimeout: number;
  /** True if the input should have a visible effect. The page then gets more time to show it. */
  readonly expectsAnswer?: boolean;
  readonly send: () => Promise<unknown>;
}

/** Share of the remaining time for settling after calls on the whole page. The rest is for reading the page. */
const SETTLING_SHARE = 0.4;

/** Time in ms for the main document to start observing. After that, the calls run anyway. */
const WATCH_TIMEOUT_MS = 1000;

interface CallsOnPage {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly calls: PageCalls;
}

/** Runs the calls as one action, and reports its effect. */
export function observeCalls(progress: Progress, page: PageTarget, calls: PageCalls): Promise<ObservedEffect> {
  return page.takeTurn(progress, calls.label, (turn) => observeInTurn(turn, { progress, page, calls }));
}

async function observeInTurn(turn: Turn, { progress, page, calls }: CallsOnPage): Promise<ObservedEffect> {
  const { owner } = turn;
  const isWholePage = calls.at === 'page';
  const otherFrames = new FrameObserver(page, owner);
  const frame = await watchTarget({ progress, page, calls }, owner);
  await otherFrames.started(progress);
  using trace = new ActionTrace(page, { countsInFlight: isWholePage });
  const share = isWholePage ? SETTLING_SHARE : 1;
  const run = async (): Promise<SentInput> => {
    const send = (): Promise<unknown> => progress.race(turn.inside(calls.send));
    // Navigations and similar calls wait for the page, so handlers may act on it meanwhile.
    await (isWholePage ? turn.yielding(send) : trace.ignoreIfNavigated(send()));
    const timeout = Math.min(calls.settleTimeout, progress.remaining * share);
    const isLate = calls.expectsAnswer ?? false;
    return { timeout, first: settleCurrentDocument(progress, { page, frame, owner, timeout, isLate }) };
  };
  const scope = { trace, frame, owner, otherFrames, turn, timeout: calls.settleTimeout };
  const { sent: _, ...observed } = await observeEffect(progress, page, scope, run);
  return observed;
}

/** Starts observing in the frame that receives the input, and returns the frame. */
async function watchTarget({ progress, page, calls }: CallsOnPage, owner: ActionToken): Promise<FrameNode> {
  const { at, isWheel = false } = calls;
  if (at === 'page') {
    const { main } = page.frames;
    const watching = main.worlds.isolated.then((world) => world.call('watchDocument', owner, false, 'effects'));
    // The page may hang, or may not have a document yet.
    await progress.race(withTimeout(WATCH_TIMEOUT_MS, watching.catch(ignored)));
    return main;
  }
  const { frame, framePoint } = await inputPosition(progress, page, at);
  const world = await progress.race(frame.worlds.isolated);
  await progress.race(world.call('armAt', owner, framePoint, isWheel));
  return frame;
}

async function inputPosition(
  progress: Progress,
  page: PageTarget,
  at: Point | 'focus',
): Promise<{ readonly frame: FrameNode; readonly framePoint: Point | null }> {
  if (at === 'focus') return { frame: await focusedFrame(progress, page), framePoint: null };
  if (page.frames.frames.length === 1) return { frame: page.frames.main, framePoint: at };
  return targetAtPoint(progress, page, at);
}

function ignored(): undefined {
  return undefined;
}

const NO_ELEMENT: ElementDescription = { ref: 0, role: '', name: '', xpath: '', tag: '', isPassword: false };
