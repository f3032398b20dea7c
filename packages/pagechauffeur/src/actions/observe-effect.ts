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
import type { ActionEffect, NeededRest } from './element-action.ts';
import { FrameObserver } from './frame-observer.ts';
import { settleAfterAction, settleCurrentDocument, type SettleOutcome } from './settle-page.ts';

/** The observed effect of an action. */
export interface ObservedEffect {
  readonly effect: ActionEffect;
  /** Other observations. */
  readonly notes: readonly EffectNote[];
  readonly settled: SettleOutcome;
}

/** The frame and element of an action, and the time for its effect. */
export interface EffectScope {
  /** Records the page since the action began. The caller disposes it. */
  readonly trace: ActionTrace;
  /** The action's frame. Its injected script is already observing effects. */
  readonly frame: FrameNode;
  readonly owner?: ActionToken;
  /** Observes the other frames. `undefined` if the caller does not read the effect. */
  readonly others: FrameObserver | undefined;
  /** The action's element, if the caller passed one. */
  readonly element?: ElementDescription;
  /** True if the action only focuses its element. */
  readonly isFocusing?: boolean;
  /** Maximum time in ms for the page to settle; 0 not to wait. */
  readonly timeout: number;
  readonly rest?: NeededRest | undefined;
  /** The turn of the page lock. Handlers can act on the page while it settles. */
  readonly turn?: Turn;
}

/** Sent input, and the settle request of its document. */
export interface SentInput {
  /** The report of the first settle request. */
  readonly first: Promise<SettleReport | undefined>;
  /** True if the first report came before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean;
  /** Time in ms left to settle, if sending the input used up part of it. */
  readonly timeout?: number;
  /** Continues to wait after the page has settled, for example for suggestions. */
  readonly settleMore?: (settled: SettleOutcome) => Promise<SettleOutcome>;
}

/**
 * Calls `run`, waits until the page settles, and reports the effect. `run` sends the input and resolves once it is
 * sent; it does not wait for the page to settle.
 */
export async function observeEffect<Sent extends SentInput>(
  progress: Progress,
  page: PageTarget,
  scope: EffectScope,
  run: () => Promise<Sent>,
): Promise<ObservedEffect & { readonly sent: Sent }> {
  const { trace, frame, owner, others, rest, element = NO_ELEMENT, isFocusing = false } = scope;
  const sent = await run();
  const { first, isFirstEarly, timeout = scope.timeout, settleMore } = sent;
  const settle = async (): Promise<SettleOutcome> => {
    const after = { page, frame, trace, owner, first, isFirstEarly, timeout, rest };
    const settled = await settleAfterAction(progress, after);
    return settleMore ? settleMore(settled) : settled;
  };
  const settled = await (scope.turn ? scope.turn.yielding(settle) : settle());
  page.throwIfLost();
  const seen: Observed = { trace, settled, elsewhere: [], element, frame, isFocusing };
  const isSeen = !others || effectOf(seen) !== 'none-observed';
  // Queries the other frames only if the action's own frame reports no effect.
  const observed = isSeen ? seen : { ...seen, elsewhere: await others.reports(progress, frame) };
  return { effect: effectOf(observed), notes: notesOf(observed, timeout > 0), settled, sent };
}

/** Input calls that form one action. */
export interface PageCalls {
  /** Name of the action, for log lines while other calls wait for the page lock. */
  readonly label: string;
  /** Target of the calls: a viewport point, the focused element, or the whole page. */
  readonly at: Point | 'focus' | 'page';
  /** True if the calls turn the wheel. The target is then the element that scrolls at that point. */
  readonly isWheel?: boolean;
  /** Maximum time in ms for the page to settle. */
  readonly settleTimeout: number;
  /** True if the calls should have a visible effect. The page then gets extra time to show it. */
  readonly expectsAnswer?: boolean;
  readonly send: () => Promise<unknown>;
}

/** Share of the remaining time for settling after calls on the whole page. The rest is for reading the page. */
const SETTLING_SHARE = 0.4;

/** Time in ms for a document to start observing. A document that takes longer is not observed. */
const WATCH_TIMEOUT_MS = 1000;

interface CallsOnPage {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly calls: PageCalls;
}

/** Runs the calls while holding the page lock, and reports their effect. */
export function observeCalls(progress: Progress, page: PageTarget, calls: PageCalls): Promise<ObservedEffect> {
  return page.takeTurn(progress, calls.label, (turn) => observeInTurn(turn, { progress, page, calls }));
}

async function observeInTurn(turn: Turn, { progress, page, calls }: CallsOnPage): Promise<ObservedEffect> {
  const { owner } = turn;
  const isWholePage = calls.at === 'page';
  const others = new FrameObserver(page, owner);
  const frame = await watchPlace({ progress, page, calls }, owner);
  await others.started(progress);
  using trace = new ActionTrace(page, { countsInFlight: isWholePage });
  const share = isWholePage ? SETTLING_SHARE : 1;
  const run = async (): Promise<SentInput> => {
    const send = (): Promise<unknown> => progress.race(turn.inside(calls.send));
    // Calls on the whole page, such as navigations, wait for the page. They release the lock for handlers that act on
    // the page.
    await (isWholePage ? turn.yielding(send) : trace.ignoreIfNavigated(send()));
    const timeout = Math.min(calls.settleTimeout, progress.remaining * share);
    const isLate = calls.expectsAnswer ?? false;
    return { timeout, first: settleCurrentDocument(progress, { page, frame, owner, timeout, isLate }) };
  };
  const scope = { trace, frame, owner, others, turn, timeout: calls.settleTimeout };
  const { sent: _, ...observed } = await observeEffect(progress, page, scope, run);
  return observed;
}

/** Tells the injected script of the target's frame to start observing. Returns the frame. */
async function watchPlace({ progress, page, calls }: CallsOnPage, owner: ActionToken): Promise<FrameNode> {
  const { at, isWheel = false } = calls;
  if (at === 'page') {
    const { main } = page.frames;
    const watching = main.worlds.isolated.then((world) => world.call('watchDocument', owner, false, 'effects'));
    // A page that hangs or has no document yet does not delay the calls any longer.
    await progress.race(withTimeout(WATCH_TIMEOUT_MS, watching.catch(ignored)));
    return main;
  }
  const { frame, place } = await placeOf(progress, page, at);
  const world = await progress.race(frame.worlds.isolated);
  await progress.race(world.call('armAt', owner, place, isWheel));
  return frame;
}

async function placeOf(
  progress: Progress,
  page: PageTarget,
  at: Point | 'focus',
): Promise<{ readonly frame: FrameNode; readonly place: Point | null }> {
  if (at === 'focus') return { frame: await focusedFrame(progress, page), place: null };
  if (page.frames.frames.length === 1) return { frame: page.frames.main, place: at };
  return targetAtPoint(progress, page, at);
}

function ignored(): undefined {
  return undefined;
}

const NO_ELEMENT: ElementDescription = { ref: 0, role: '', name: '', xpath: '', tag: '', isPassword: false };
