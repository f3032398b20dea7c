import type { CallId, MotionAwaited, SettleOptions, SettleReport } from '../../contract.ts';
import { type PendingAction, pendingAction, disarm, isWatched, rest, restingAction } from '../pending-action.ts';
import { latestFrame, nextAnimationFrame } from './animation-frame.ts';
import { endLoading, loadingTime, noteActedOn } from './loading.ts';
import { keysOver } from '../input/key-run.ts';
import { isMoving } from './motion.ts';
import { flushMutations } from '../effects/mutation-watch.ts';
import { localParent } from '../point/owner-frames.ts';
import { type ChangeTracker, EffectWatch } from '../effects/effect-watch.ts';
import { type Delivery, deliveryState, isPointerLost, onDeliveryProgress } from '../input/pointer-guard.ts';
import { PageTime, taskDone, timersDone } from '../timer.ts';
import { Wait } from '../wait.ts';
import { changeOver } from '../../values/change-gate.ts';
import { readyState } from '../../native-document.ts';

/** Default number of consecutive frames without a meaningful mutation. */
const QUIET_FRAMES = 2;
/** Duration of a frame at 60 Hz, in ms. */
const FRAME_TIME = 1000 / 60;
/** Minimum delay in ms of a timer set by another timer (HTML standard, "timer initialization steps"). */
const MIN_NESTED_TIMER = 4;
/** Maximum ms until removed content is replaced. React waits 300 ms after its last fallback. */
const GAP_TIME = 500;
/** Maximum ms until the first effect. Users do not attribute later changes to the action. */
const LATE_ANSWER = 150;

/**
 * Waits for the input event of an action, then until the page is quiet, and reports the effects. Without an `owner`,
 * waits for no input and reports the changes since the last action.
 */
export async function settle(options: SettleOptions, call?: CallId): Promise<SettleReport> {
  return options.owner ? settleAction(pendingAction(options.owner), options, call) : settleForRead(options, call);
}

/** Does nothing if the document is watched, because settling again would drop what the watch has learned. */
export async function watchPage(timeout: number): Promise<void> {
  if (!isWatched()) await settleForRead({ timeout, eventTimeout: 0 });
}

async function settleAction(action: PendingAction, options: SettleOptions, call?: CallId): Promise<SettleReport> {
  const quietDuration = action.watch.quietDuration(options.motion);
  action.watch.resume();
  if (action.watch.hasTarget) noteActedOn();
  const settling = { ...action, changes: action.watch.follow() };
  const wait = new Wait(options.timeout, call);
  let isOver = true;
  try {
    const change = changeOver(action.token);
    if (change) await wait.until(change, wait.remaining);
    const keys = keysOver(action.token);
    if (keys) await wait.until(keys, wait.remaining);
    const { delivery, drawn } = await inputArrived(settling, wait, options);
    if (action.entry?.awaitsKeys) {
      isOver = false;
      action.entry.selectAgain();
      return report(action, delivery, false);
    }
    const parentReport = action.reachesParents
      ? localParent()?.program.settle({ ...options, timeout: wait.remaining, eventTimeout: 0 }, call)
      : undefined;
    const wasQuiet =
      delivery?.kind !== 'misdirected' &&
      (hasRested(action.watch, quietDuration, options) || (await becameQuiet(settling, wait, { ...options, drawn })));
    const isLost = options.eventTimeout > 0 && isPointerLost(action.token);
    const ownReport: SettleReport = { ...report(action, delivery, wasQuiet), ...(isLost && { lost: true }) };
    return parentReport ? merge(ownReport, await parentReport) : ownReport;
  } finally {
    wait.close();
    settling.changes.close();
    if (options.keepsWatching && isOver) rest(action);
    else if (isOver) disarm(action.token);
  }
}

/**
 * Leaves the guard and the watch of a running action alone. If no action runs, the report covers the time since the
 * last one.
 */
async function settleForRead(options: SettleOptions, call?: CallId): Promise<SettleReport> {
  const resting = restingAction();
  const quietDuration = resting?.watch.quietDuration(options.motion) ?? 0;
  resting?.watch.resume();
  const watch = resting?.watch ?? new EffectWatch(null, { scope: 'changes' });
  const settling = { ...NO_INPUT, watch, changes: watch.follow() };
  const wait = new Wait(options.timeout, call);
  try {
    const wasQuiet = hasRested(watch, quietDuration, options) || (await becameQuiet(settling, wait, options));
    return report(settling, null, wasQuiet);
  } finally {
    wait.close();
    settling.changes.close();
    if (resting) rest(resting);
    else watch.stop();
  }
}

type Settling = Pick<PendingAction, 'token' | 'watch' | 'expectsAnswer'> & { readonly changes: ChangeTracker };

/** Settings for a wait without an action. */
const NO_INPUT = { token: 0, entry: undefined, expectsInput: false, expectsAnswer: false } as const;

interface Arrival {
  readonly delivery: Delivery | null;
  /** Resolves at the first frame after the event. */
  readonly drawn?: Promise<void> | undefined;
}

async function inputArrived(
  { token, expectsInput, entry, changes }: Settling & Pick<PendingAction, 'expectsInput' | 'entry'>,
  wait: Wait,
  { eventTimeout, frames, awaitsListeners = false, entry: sent }: SettleOptions,
): Promise<Arrival> {
  const entryArrived = sent && entry?.arrival(sent, wait.remaining);
  if (!expectsInput || eventTimeout === 0) return { delivery: deliveryState(token) };
  const isComplete = frames === 0 && !awaitsListeners && !entryArrived && deliveryState(token)?.kind === 'complete';
  if (isComplete) return { delivery: deliveryState(token) };
  const input = followInput({ token, changes }, frames !== 0);
  const hasArrived = await wait.until(entryArrived ?? input.arrived, eventTimeout);
  // Events that have arrived by now are handled before any timer runs.
  if (!hasArrived) {
    entry?.revoke();
    await handlersDone();
  }
  // With `frames: 0`, the caller also waits for the acknowledgement of the browser, which comes after the last listener
  // and may overtake messages that listeners caused, such as a changed URL. This result must not overtake them, so it
  // waits for the end of the task. Text counts as arrived only after the listeners of the page ran.
  const isReceiptEnough = frames === 0 && !awaitsListeners && deliveryState(token)?.kind === 'complete';
  if (hasArrived && !isReceiptEnough) await handlersDone();
  else if (hasArrived && !entryArrived) await taskDone();
  input.handled();
  return { delivery: deliveryState(token), drawn: input.drawn() };
}

/** Tracks an input event up to the frame after it. */
interface InputCourse {
  readonly arrived: Promise<void>;
  /** Discards changes by the listeners of the event. Only the first call has an effect. */
  handled(): void;
  /** First frame after the event. Undefined before the event arrives, or if no frame is awaited. */
  drawn(): Promise<void> | undefined;
}

function followInput({ token, changes }: Pick<Settling, 'token' | 'changes'>, isDrawn: boolean): InputCourse {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  let drawn: Promise<void> | undefined;
  let isHandled = false;
  const handled = (): void => {
    if (!isHandled) changes.forget();
    isHandled = true;
  };
  const check = (): void => {
    if (!isInputOver(deliveryState(token))) return;
    // Requested before the listeners of the page run, so that it fires before frames that they request.
    if (isDrawn) drawn ??= nextAnimationFrame().then(handled);
    resolve();
  };
  check();
  // The event arrived in an earlier task, so its listeners have run.
  if (drawn) handled();
  onDeliveryProgress(token, check);
  return { arrived, handled, drawn: () => drawn };
}

function isInputOver(delivery: Delivery | null): boolean {
  return delivery?.kind === 'complete' || (delivery?.kind === 'misdirected' && delivery.isOver);
}

// This program receives `pointerup` before the listeners of the page do, and before the click in the same task.
function handlersDone(): Promise<void> {
  return timersDone(0);
}

// A busy browser renders frames before it runs timers, even those that the page set with a short delay.
function lateTimersDone(): Promise<void> {
  return timersDone(MIN_NESTED_TIMER);
}

/** Waits until the page is quiet, also after delayed effects. Returns false at the timeout. */
async function becameQuiet(
  action: Settling,
  wait: Wait,
  options: SettleOptions & Pick<Arrival, 'drawn'>,
): Promise<boolean> {
  const { frames = QUIET_FRAMES, eventTimeout, isLate = false, drawn, motion } = options;
  if (!(await hadQuietFrames(action, wait, { frames, drawn, motion }))) return false;
  if (frames === 0) return true;
  const expectsAnswer = isLate || (eventTimeout > 0 && action.expectsAnswer);
  const hasComeLater =
    (await filledGap(action, wait, options)) ||
    (expectsAnswer && !action.watch.hasSeenEffect() && (await answeredLate(action, wait, options)));
  if (hasComeLater && !(await hadQuietFrames(action, wait, { frames, motion }))) return false;
  return (await loaded(action, wait, options)) ? hadQuietFrames(action, wait, { frames, motion }) : true;
}

/** True if enough frames were quiet before this call. */
function hasRested(watch: EffectWatch, quietDuration: number, options: SettleOptions): boolean {
  const { frames = QUIET_FRAMES, eventTimeout, isLate = false, motion } = options;
  if (eventTimeout > 0 || isLate || frames === 0 || quietDuration <= frames * FRAME_TIME) return false;
  return isCalm(motion) && !awaitsMore(watch, options);
}

/**
 * True if the page is replacing content or loading. Not checked for `arrival`, where the caller waits for its next
 * element anyway.
 */
function awaitsMore(watch: EffectWatch, { motion }: SettleOptions): boolean {
  return motion !== 'arrival' && (watch.hasGap() || loadingTime(watch.loadingIndicators) > 0);
}

/** Returns true if it had to wait for a blank or loading page. */
async function loaded({ watch }: Settling, wait: Wait, { motion }: SettleOptions): Promise<boolean> {
  if (motion === 'arrival' || loadingTime(watch.loadingIndicators) <= 0) return false;
  const start = wait.elapsed;
  while (wait.elapsed - start < loadingTime(watch.loadingIndicators)) {
    if (wait.isOver || !(await wait.frame())) break;
    flushMutations();
  }
  if (!wait.isCancelled && loadingTime(watch.loadingIndicators) > 0) endLoading(watch.loadingIndicators);
  return true;
}

/** Waits for a replacement of removed content. Returns true if anything changed. */
async function filledGap({ watch, changes }: Settling, wait: Wait, options: SettleOptions): Promise<boolean> {
  if (options.motion === 'arrival' || !watch.hasGap()) return false;
  const time = new PageTime(GAP_TIME);
  let hasChanged = false;
  while (!time.isUp && watch.hasGap() && (await wait.frame())) {
    flushMutations();
    hasChanged = changes.take(options.motion) || hasChanged;
  }
  return hasChanged;
}

/** Returns true if the first effect came within `lateTime` ms. */
async function answeredLate(
  { watch }: Settling,
  wait: Wait,
  { lateTime = LATE_ANSWER }: SettleOptions,
): Promise<boolean> {
  // On a busy machine, wall-clock time alone could end before the timers of the page have run.
  const time = new PageTime(lateTime);
  while (!time.isUp && (await wait.frame())) {
    flushMutations();
    if (watch.hasSeenEffect()) return true;
  }
  return false;
}

interface QuietFrames extends Pick<Arrival, 'drawn'> {
  readonly frames: number;
  readonly motion: MotionAwaited | undefined;
}

/** Waits for quiet frames and the end of animations. Returns false at the timeout. */
async function hadQuietFrames(
  { token, changes }: Settling,
  wait: Wait,
  { frames, drawn, motion }: QuietFrames,
): Promise<boolean> {
  let wasTouched = false;
  onDeliveryProgress(token, () => {
    wasTouched = true;
  });
  if (!drawn) changes.forget();
  let frame: Promise<unknown> | undefined = drawn;
  let quietFrames = 0;
  const isOver = (): boolean => frames === 0 || (quietFrames >= frames && isCalm(motion));
  while (!isOver()) {
    const passed = Promise.all([frame ?? nextAnimationFrame(), lateTimersDone()]);
    if (!(await wait.until(passed, wait.remaining))) return false;
    frame = undefined;
    flushMutations();
    quietFrames = changes.take(motion) || wasTouched || awaitsFrame() ? 0 : quietFrames + 1;
    wasTouched = false;
  }
  return true;
}

// A script that changes the page in each frame does nothing while a frame is overdue. Child frames are exempt, because
// the action may have hidden them.
function awaitsFrame(): boolean {
  return parent === window && latestFrame() === 'overdue';
}

function isCalm(motion: MotionAwaited | undefined): boolean {
  return readyState() !== 'loading' && !isMoving(motion);
}

function report(
  { watch, entry, expectsInput }: Pick<PendingAction, 'watch' | 'entry' | 'expectsInput'>,
  delivery: Delivery | null,
  wasQuiet: boolean,
): SettleReport {
  const isDelivered = delivery?.kind === 'begun' || delivery?.kind === 'complete';
  const fate = entry?.fate();
  return {
    delivered: !expectsInput || isDelivered,
    ...misdirection(delivery),
    quiet: wasQuiet,
    ...watch.effects(),
    ...(fate && { entry: fate }),
    ...(entry?.awaitsKeys && { awaitsKeys: true }),
    readyState: readyState(),
  };
}

function misdirection(delivery: Delivery | null): { misdirected?: string } {
  if (delivery?.kind === 'misdirected') return { misdirected: delivery.hit };
  return delivery?.kind === 'awaited' && delivery.elsewhere !== undefined ? { misdirected: delivery.elsewhere } : {};
}

function merge(ownReport: SettleReport, parentReport: SettleReport): SettleReport {
  const misdirected = ownReport.misdirected ?? parentReport.misdirected;
  const opened = ownReport.opened ?? parentReport.opened;
  return {
    ...ownReport,
    ...(misdirected !== undefined && { misdirected }),
    ...(opened !== undefined && { opened }),
    quiet: ownReport.quiet && parentReport.quiet,
    mutations: ownReport.mutations + parentReport.mutations,
    announced: [...new Set([...ownReport.announced, ...parentReport.announced])],
    includedParents: 1 + (parentReport.includedParents ?? 0),
  };
}
