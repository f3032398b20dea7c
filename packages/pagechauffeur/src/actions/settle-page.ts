import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError } from '../errors.ts';
import type { ActionToken, SentEntry, SettleReport } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { ActionTrace } from './action-trace.ts';
import type { NeededRest } from './element-action.ts';
import { restFrames } from './frame-observer.ts';
import { decide } from './settle-rules.ts';
import { nextWaitId } from './prepare-target.ts';

/**
 * How long the page may take to answer beyond the time it was given. What an action did is known from nothing else, and on
 * a busy machine an answer may be late by more than a second; a blocked page answers never.
 */
const ANSWER_GRACE_MS = 2000;

/** Settling takes at most this share of the remaining time before a page is read; a page that has not settled by then is read as it is. */
const SETTLING_SHARE = 0.4;

/** What came of waiting: one report per wait, the first from the document that was acted in. Later ones count from there on. */
export interface SettleOutcome {
  readonly reports: readonly SettleReport[];
  readonly isQuiet: boolean;
}

/** How to wait in one document. */
export interface DocumentSettling extends NeededRest {
  /** The action that is waited for; none for who only reads the page. */
  readonly owner?: ActionToken | undefined;
  readonly timeout: number;
  readonly eventTimeout: number;
  readonly keepsWatching?: boolean;
  readonly isLate?: boolean;
  readonly lateTime?: number;
  readonly awaitsListeners?: boolean;
  readonly entry?: SentEntry;
  /** Ends the wait early. */
  readonly until?: Promise<undefined>;
}

/** One wait for quiet in one document; undefined when the document went away or its page closed or hangs. */
export async function settleDocument(
  progress: Progress,
  world: World,
  { until, ...settings }: DocumentSettling,
): Promise<SettleReport | undefined> {
  const timeout = Math.min(settings.timeout, progress.remaining);
  const waitId = nextWaitId();
  // Nobody looks at what it finds later, and it must not go on beside what is done next.
  const giveUp = (): void => void world.call('cancel', waitId).catch(ignoreRejection);
  try {
    const answer = world.call('settle', { ...settings, timeout, waitId });
    answer.catch(ignoreRejection);
    const end = until ? Promise.race([answer, until]) : answer;
    const report = await progress.race(withTimeout(timeout + ANSWER_GRACE_MS, end));
    if (!report) giveUp();
    return report;
  } catch (error) {
    if (progress.hasEnded) giveUp();
    if (error instanceof DocumentGoneError || error instanceof DriverClosedError) return undefined;
    throw error;
  }
}

interface AfterAction {
  readonly page: PageTarget;
  readonly frame: FrameNode;
  readonly trace: ActionTrace;
  readonly owner?: ActionToken | undefined;
  /** The wait in the document that was acted in, begun together with the input. */
  readonly first: Promise<SettleReport | undefined>;
  /** True if that wait ended before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean | undefined;
  readonly timeout: number;
  readonly rest?: NeededRest | undefined;
}

/** Waits until a page settles whose input was acknowledged. Which state it is in is decided by `settle-rules.ts`. */
export async function settleAfterAction(
  progress: Progress,
  { page, frame, trace, owner, first, isFirstEarly = false, timeout, rest }: AfterAction,
): Promise<SettleOutcome> {
  const deadline = performance.now() + timeout;
  const reports: SettleReport[] = [];
  let last = await first;
  if (last) reports.push(last);
  let waits = 1;
  let isStale = false;
  // Of the first wait it is not known when it began, so an answer that came since counts.
  let endings = 0;
  for (;;) {
    const state = decide(
      {
        input: 'acknowledged',
        reports,
        waits,
        isAnswered: last !== undefined,
        isFirstEarly,
        isStale,
        hasRequestEnded: trace.endings > endings,
        requests: trace.requests,
        navigations: trace.navigations,
        isPageClosed: page.isClosed,
        isFrameGone: frame.isDetached && frame.parent !== null,
        isCallOver: progress.remaining === 0,
        deadline,
      },
      performance.now(),
    );
    if (state.kind === 'settled') return { reports, isQuiet: state.isQuiet };
    const left = deadline - performance.now();
    if (state.kind === 'busy') {
      await progress.race(trace.nextChange(left));
      isStale = true;
      continue;
    }
    endings = trace.endings;
    last = await settleCurrentDocument(progress, { page, frame, owner, rest, isLate: isFirstEarly, timeout: left });
    if (last) reports.push(last);
    waits += 1;
    isStale = false;
  }
}

/** Waits for quiet in the document that the frame has by now, or in the page's when the frame is gone. */
export async function settleCurrentDocument(
  progress: Progress,
  {
    page,
    frame,
    owner,
    timeout,
    rest,
    isLate,
  }: Pick<AfterAction, 'page' | 'frame' | 'owner' | 'timeout' | 'rest'> & {
    readonly isLate: boolean;
  },
): Promise<SettleReport | undefined> {
  if (page.isClosed) return undefined;
  const { worlds } = frame.isDetached ? page.frames.main : frame;
  const deadline = performance.now() + timeout;
  const world = await progress.race(withTimeout(Math.max(0, timeout), worlds.isolated.catch(frameIsGone)));
  const left = Math.max(0, deadline - performance.now());
  if (!world) return undefined;
  // A document that has come since is given the usual frames.
  const motion = rest?.motion && { motion: rest.motion };
  const settling = { owner, timeout: left, eventTimeout: 0, keepsWatching: true, isLate, ...motion };
  return settleDocument(progress, world, settling);
}

function frameIsGone(): undefined {
  return undefined;
}

/** Waits until a page is quiet before it is read: no requests that count, two frames without a change. */
export async function settlePage(progress: Progress, page: PageTarget, settleTimeout: number): Promise<void> {
  const timeout = Math.min(settleTimeout, progress.remaining * SETTLING_SHARE);
  using trace = new ActionTrace(page, { countsInFlight: true });
  const frame = page.frames.main;
  const world = await progress.race(frame.worlds.isolated);
  // What changes from then on, until something is done, the page does by itself.
  const first = settleDocument(progress, world, { timeout, eventTimeout: 0, keepsWatching: true });
  await settleAfterAction(progress, { page, frame, trace, first, timeout });
  restFrames(page);
}
