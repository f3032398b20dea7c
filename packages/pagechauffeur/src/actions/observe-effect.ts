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

/** What an action did, as far as the page shows. */
export interface ObservedEffect {
  readonly effect: ActionEffect;
  /** What else was seen, in sentences. */
  readonly notes: readonly EffectNote[];
  readonly settled: SettleOutcome;
}

/** Where an action happens, and how long its effect may take. */
export interface EffectScope {
  /** What the page did since the action began; the caller disposes it. */
  readonly trace: ActionTrace;
  /** The frame that is acted in. Its program was told to watch for effects. */
  readonly frame: FrameNode;
  readonly owner?: ActionToken;
  /** Observes the other frames; undefined when nobody asks for the effect. */
  readonly others: FrameObserver | undefined;
  /** The element that is acted on, if the caller named one. */
  readonly element?: ElementDescription;
  /** True if the action only gives its element the focus. */
  readonly isFocusing?: boolean;
  /** Milliseconds at most until the page counts as settled; 0 if nobody waits for that. */
  readonly timeout: number;
  readonly rest?: NeededRest | undefined;
  /** The turn of the action. Handlers may act on the page while it settles. */
  readonly turn?: Turn;
}

/** Input that was sent, and the wait for the document that it was sent to. */
export interface SentInput {
  /** The first wait for quiet. */
  readonly first: Promise<SettleReport | undefined>;
  /** True if that wait ended before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean;
  /** Milliseconds left to settle, if sending took some of the time. */
  readonly timeout?: number;
  /** Waits for more than quiet. */
  readonly settleMore?: (settled: SettleOutcome) => Promise<SettleOutcome>;
}

/**
 * Runs what acts on a page, waits until the page settles, and reports the effect. `run` resolves when the input was sent; it need not
 * wait until the page has settled.
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
  // Other frames are asked only when nothing was seen where the action was done.
  const observed = isSeen ? seen : { ...seen, elsewhere: await others.reports(progress, frame) };
  return { effect: effectOf(observed), notes: notesOf(observed, timeout > 0), settled, sent };
}

/** Calls that act on a page as one action. */
export interface PageCalls {
  /** Names the action to others that wait for their turn. */
  readonly label: string;
  /** What the calls act on: a point of the viewport, whatever has the focus, or the page as a whole. */
  readonly at: Point | 'focus' | 'page';
  /** True if the calls turn the wheel, so that what is scrolled at the point is acted on. */
  readonly isWheel?: boolean;
  /** Milliseconds at most until the page counts as settled. */
  readonly settleTimeout: number;
  /** True if a person would expect to see something happen; then the page has a moment more to show it. */
  readonly expectsAnswer?: boolean;
  readonly send: () => Promise<unknown>;
}

/** Settling takes at most this share of the remaining time after calls that act on the page as a whole: the page is read afterwards. */
const SETTLING_SHARE = 0.4;

/** A document that does not answer within this many milliseconds is not watched. */
const WATCH_TIMEOUT_MS = 1000;

interface CallsOnPage {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly calls: PageCalls;
}

/** Runs calls that act on a page in one turn, and reports their effect. */
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
    // Calls on the whole page mostly wait for it, so handlers may act on it meanwhile.
    await (isWholePage ? turn.yielding(send) : trace.ignoreIfNavigated(send()));
    const timeout = Math.min(calls.settleTimeout, progress.remaining * share);
    const isLate = calls.expectsAnswer ?? false;
    return { timeout, first: settleCurrentDocument(progress, { page, frame, owner, timeout, isLate }) };
  };
  const scope = { trace, frame, owner, others, turn, timeout: calls.settleTimeout };
  const { sent: _, ...observed } = await observeEffect(progress, page, scope, run);
  return observed;
}

/** Has the program of the frame that the calls act in watch for their effect, and returns that frame. */
async function watchPlace({ progress, page, calls }: CallsOnPage, owner: ActionToken): Promise<FrameNode> {
  const { at, isWheel = false } = calls;
  if (at === 'page') {
    const { main } = page.frames;
    const watching = main.worlds.isolated.then((world) => world.call('watchDocument', owner, false, 'effects'));
    // A page that hangs or has no document yet can be navigated all the same.
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
