import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError } from '../errors.ts';
import type { ActionToken, SentEntry, SettleReport } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { ActionTrace } from './action-trace.ts';
import type { NeededRest } from './element-action.ts';
import { restFrames } from './frame-observer.ts';
import { decide } from './settle-rules.ts';

/**
 * Extra time in ms for the page's report, which is the only source for the effect of an action. On a busy machine it
 * can be more than 1 s late. A blocked page never reports.
 */
const ANSWER_GRACE_MS = 2000;

/**
 * Share of the remaining time for settling before the page is read. The page is then read even if it has not settled.
 */
const SETTLING_SHARE = 0.4;

/**
 * The result of settling: one report per wait. The first one is from the action's document. Later reports include
 * everything in the earlier ones.
 */
export interface SettleOutcome {
  readonly reports: readonly SettleReport[];
  readonly isQuiet: boolean;
}

/** Options of a wait in one document. */
export interface DocumentSettling extends NeededRest {
  /** The action to wait for. `undefined` if the page is only read. */
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

/**
 * Waits once until a document settles. Returns `undefined` if the document was replaced, or if its page has closed or
 * hangs.
 */
export async function settleDocument(
  progress: Progress,
  world: World,
  { until, ...settings }: DocumentSettling,
): Promise<SettleReport | undefined> {
  const timeout = Math.min(settings.timeout, progress.remaining);
  try {
    const call = world.start('settle', { ...settings, timeout });
    return await call.within(progress, { timeout: timeout + ANSWER_GRACE_MS, until });
  } catch (error) {
    if (error instanceof DocumentGoneError || error instanceof DriverClosedError) return undefined;
    throw error;
  }
}

interface AfterAction {
  readonly page: PageTarget;
  readonly frame: FrameNode;
  readonly trace: ActionTrace;
  readonly owner?: ActionToken | undefined;
  /** The report of the action's document. Its wait started together with the input. */
  readonly first: Promise<SettleReport | undefined>;
  /** True if that wait ended before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean | undefined;
  readonly timeout: number;
  readonly rest?: NeededRest | undefined;
}

/** Waits until the page settles after the browser acknowledged the input. `settle-rules.ts` decides when that is. */
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
  // The start of the first wait is unknown, so every request that has ended since the start of the action counts as
  // new.
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

/**
 * Waits once until the frame's current document settles. If the frame was removed, waits for the main frame's document
 * instead.
 */
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
  // A new document must be quiet for the default number of frames.
  const motion = rest?.motion && { motion: rest.motion };
  const settling = { owner, timeout: left, eventTimeout: 0, keepsWatching: true, isLate, ...motion };
  return settleDocument(progress, world, settling);
}

function frameIsGone(): undefined {
  return undefined;
}

/**
 * Waits until a page settles before it is read: until two frames have no change, and settling waits for no pending
 * request.
 */
export async function settlePage(progress: Progress, page: PageTarget, settleTimeout: number): Promise<void> {
  const timeout = Math.min(settleTimeout, progress.remaining * SETTLING_SHARE);
  using trace = new ActionTrace(page, { countsInFlight: true });
  const frame = page.frames.main;
  const world = await progress.race(frame.worlds.isolated);
  // Changes between this wait and the next action are not effects of an action.
  const first = settleDocument(progress, world, { timeout, eventTimeout: 0, keepsWatching: true });
  await settleAfterAction(progress, { page, frame, trace, first, timeout });
  restFrames(page);
}
