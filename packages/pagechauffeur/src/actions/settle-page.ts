import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError } from '../errors.ts';
import type { ActionToken, SettleOptions, SettleReport } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { ActionTrace } from './action-trace.ts';
import type { RequiredSettle } from './element-action.ts';
import { restFrames } from './frame-observer.ts';
import { decide } from './settle-rules.ts';

/**
 * Extra time in ms for the page's report, which can be over 1 s late on a busy machine. Without the report, the effect
 * is unknown.
 */
const ANSWER_GRACE_MS = 2000;

/** Share of the remaining time for settling before the page is read. The rest is for reading it, settled or not. */
const SETTLING_SHARE = 0.4;

export interface SettleOutcome {
  /** One per `settle` call that got a response, oldest first. */
  readonly reports: readonly SettleReport[];
  readonly isQuiet: boolean;
}

/** Options for one `settle` call. `until` ends the wait early. */
export type DocumentSettling = SettleOptions & { readonly until?: Promise<undefined> };

/**
 * Waits once until a document settles. Returns `undefined` if the document was replaced, the page closed, or the page
 * does not respond.
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
  /** The first report. The caller has already sent its `settle` call. */
  readonly first: Promise<SettleReport | undefined>;
  /** True if the first report arrived before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean | undefined;
  readonly timeout: number;
  readonly requiredSettle?: RequiredSettle | undefined;
}

/** Waits until the page settles after acknowledged input, by the rules in `settle-rules.ts`. */
export async function settleAfterAction(
  progress: Progress,
  { page, frame, trace, owner, first, isFirstEarly = false, timeout, requiredSettle }: AfterAction,
): Promise<SettleOutcome> {
  const deadline = performance.now() + timeout;
  const reports: SettleReport[] = [];
  let last = await first;
  if (last) reports.push(last);
  let waits = 1;
  let isStale = false;
  // The start of the first wait is unknown, so every request that has ended during the action counts.
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
    last = await settleCurrentDocument(progress, {
      page,
      frame,
      owner,
      requiredSettle,
      isLate: isFirstEarly,
      timeout: left,
    });
    if (last) reports.push(last);
    waits += 1;
    isStale = false;
  }
}

/** Waits once until the frame's current document settles, or the main frame's if the frame was removed. */
export async function settleCurrentDocument(
  progress: Progress,
  {
    page,
    frame,
    owner,
    timeout,
    requiredSettle,
    isLate,
  }: Pick<AfterAction, 'page' | 'frame' | 'owner' | 'timeout' | 'requiredSettle'> & {
    readonly isLate: boolean;
  },
): Promise<SettleReport | undefined> {
  if (page.isClosed) return undefined;
  const { worlds } = frame.isDetached ? page.frames.main : frame;
  const deadline = performance.now() + timeout;
  const world = await progress.race(withTimeout(Math.max(0, timeout), worlds.isolated.catch(frameIsGone)));
  const left = Math.max(0, deadline - performance.now());
  if (!world) return undefined;
  // `requiredSettle.frames` applies only to the first `settle` call. Later ones use the default number of quiet frames.
  const motion = requiredSettle?.motion && { motion: requiredSettle.motion };
  const action = owner && { owner, keepsWatching: true };
  return settleDocument(progress, world, { timeout: left, eventTimeout: 0, isLate, ...motion, ...action });
}

function frameIsGone(): undefined {
  return undefined;
}

/** Waits at most `settleTimeout` ms until the page is quiet, so that it can be read. */
export async function settlePage(progress: Progress, page: PageTarget, settleTimeout: number): Promise<void> {
  const timeout = Math.min(settleTimeout, progress.remaining * SETTLING_SHARE);
  using trace = new ActionTrace(page, { countsInFlight: true });
  const frame = page.frames.main;
  const world = await progress.race(frame.worlds.isolated);
  // Afterwards, the injected script records which changes recur, such as those of a clock. The next action does not
  // report them as its effect.
  const first = settleDocument(progress, world, { timeout, eventTimeout: 0 });
  await settleAfterAction(progress, { page, frame, trace, first, timeout });
  restFrames(page);
}
