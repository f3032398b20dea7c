import type { FrameNode } from '../../cdp/frame-node.ts';
import type { Turn } from '../../cdp/page-lock.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { ElementDescription, Point } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { focusedFrame } from '../focused-session.ts';
import { targetAtPoint } from '../point-target.ts';
import type { EffectNote } from './effect-note.ts';
import { effectOf, notesOf, type Observed } from './action-effect.ts';
import { ActionWatch } from './action-watch.ts';
import type { ActionEffect } from './element-action.ts';
import { OtherFrames } from './other-frames.ts';
import { settleAfterAction, settleDocument } from './settle-page.ts';

/** Input that is not meant for an element by its name, and where it goes. */
export interface WatchedInput {
  /** What it does, for those that wait for their turn. */
  readonly label: string;
  /** A point of the page's viewport; undefined for what has the focus. */
  readonly at: Point | undefined;
  readonly send: () => Promise<unknown>;
  /** It turns the wheel. */
  readonly isWheel?: boolean;
  /** Milliseconds at most until the page counts as settled. */
  readonly settleTimeout: number;
  /** Whether a person would expect to see something happen; then the page has a moment more for it. */
  readonly expectsAnswer: boolean;
}

/** What input did, as far as the page shows. */
export interface InputOutcome {
  readonly effect: ActionEffect;
  /** What else was seen, in sentences. */
  readonly notes: readonly EffectNote[];
}

/** Sends input to a point, or to what has the focus, waits until the page has come to rest, and says what changed. */
export function watchInput(progress: Progress, page: PageTarget, input: WatchedInput): Promise<InputOutcome> {
  return page.takeTurn(progress, input.label, (turn) => watchInTurn(turn, { progress, page, input }));
}

async function watchInTurn(
  turn: Turn,
  { progress, page, input }: { readonly progress: Progress; readonly page: PageTarget; readonly input: WatchedInput },
): Promise<InputOutcome> {
  const { at, send, isWheel = false, settleTimeout, expectsAnswer } = input;
  const { owner } = turn;
  const others = new OtherFrames(page, owner);
  const { frame, place } = await placeOf(progress, page, at);
  const world = await progress.race(frame.worlds.isolated);
  await progress.race(world.call('armAt', owner, place, isWheel));
  await others.begun(progress);
  using watch = new ActionWatch(page);
  await sentUnlessGone(progress.race(turn.inside(send)), watch);
  const first = settleDocument(progress, world, {
    owner,
    timeout: settleTimeout,
    eventTimeout: 0,
    keepsWatching: true,
    isLate: expectsAnswer,
  });
  const after = { page, frame, watch, owner, first, timeout: settleTimeout };
  const settled = await turn.yielding(() => settleAfterAction(progress, after));
  const seen = { watch, settled, elsewhere: [], element: NOTHING, frame, isFocusing: false };
  const observed: Observed =
    effectOf(seen) === 'none-observed' ? { ...seen, elsewhere: await others.reports(progress, frame) } : seen;
  return { effect: effectOf(observed), notes: notesOf(observed, true) };
}

async function placeOf(
  progress: Progress,
  page: PageTarget,
  at: Point | undefined,
): Promise<{ frame: FrameNode; place: Point | null }> {
  if (at === undefined) return { frame: await focusedFrame(progress, page), place: null };
  if (page.frames.frames.length === 1) return { frame: page.frames.main, place: at };
  return targetAtPoint(progress, page, at);
}

/** A page that navigates or closes under the input may never acknowledge it; that is an effect, not a fault. */
async function sentUnlessGone(sent: Promise<unknown>, watch: ActionWatch): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!watch.hasEndedDocument(error)) throw error;
  }
}

/** Nobody has named the element that the input went to. */
const NOTHING: ElementDescription = { ref: 0, role: '', name: '', xpath: '', tag: '', isPassword: false };
