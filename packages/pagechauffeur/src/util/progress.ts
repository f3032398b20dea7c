import {
  DriverAbortError,
  DriverError,
  type DriverErrorOptions,
  DriverInvalidArgumentError,
  DriverTimeoutError,
} from '../errors.ts';
import { describeValue } from './check-argument.ts';
import { deferred, ignoreRejection } from './deferred.ts';
import { CleanupStack } from './cleanup-stack.ts';
import { onAbort, onSharedAbort } from './on-abort.ts';
import { LONGEST_TIMER_MS, startTimer } from './start-timer.ts';

/** Limits for one call. */
export interface CallOptions {
  /**
   * Milliseconds until the call fails with a {@link DriverTimeoutError}. `0` means no limit. Default: the driver's
   * `defaultTimeout` for pages, frames and locators, 120000 for `act`, `observe` and `extract`.
   */
  timeout?: number;
  /** Aborts the call, which then rejects with a `DriverAbortError`. */
  signal?: AbortSignal;
}

type TimeoutErrorClass = new (
  message: string,
  options: DriverErrorOptions & { operation: string; timeout: number },
) => DriverTimeoutError;

/** Settings for a {@link Progress}. `operation` starts every error message, `timeout` is in milliseconds. */
export interface ProgressSettings {
  readonly operation: string;
  readonly timeout: number;
  /** The call ends when any of these aborts. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** Like `signals`, for signals that many calls share, such as the signal of a page. */
  readonly sharedSignals?: readonly (AbortSignal | undefined)[];
  readonly timeoutError?: TimeoutErrorClass;
  /** Thrown if one of the signals aborts without a `DriverError` as its reason. */
  readonly abortError?: typeof DriverAbortError;
  /** Milliseconds after the timeout in which pending work may still report a more specific error. Default: 0. */
  readonly grace?: number;
  /** Describes what currently blocks the call, for the timeout error. */
  readonly obstacle?: (() => string | undefined) | undefined;
}

/** Milliseconds that a timeout or an abort waits for the current step of {@link Progress.finishStep}. */
const LONGEST_STEP_MS = 250;

/** The grace period is split over several timers. If the machine sleeps, only the current one expires early. */
const GRACE_STEPS = 4;

/** Throws if `timeout` or a signal is invalid. */
export function checkLimits({
  timeout,
  signals = [],
}: {
  timeout: number | undefined;
  signals?: readonly (AbortSignal | undefined)[] | undefined;
}): void {
  if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout >= 0))) {
    throw new DriverInvalidArgumentError(
      `timeout must be a number of milliseconds, 0 or more. Received ${describeValue(timeout)}.`,
      { argument: 'timeout' },
    );
  }
  const wrong = signals.find((signal) => signal !== undefined && !(signal instanceof AbortSignal));
  if (wrong !== undefined)
    throw new DriverInvalidArgumentError(`signal must be an AbortSignal. Received ${describeValue(wrong)}.`, {
      argument: 'signal',
    });
}

/**
 * One public call in flight: deadline, abort signal and call log. All work for the call takes it as the first argument,
 * races pending promises against it and stops when it ends.
 */
export class Progress implements Disposable {
  readonly operation: string;
  readonly #settings: ProgressSettings;
  readonly #ended = deferred<never>();
  /** Set if the call was aborted or timed out. Unset after success. */
  #end: { readonly reason: unknown } | undefined;
  /** Created on first use, because most calls never need a signal. */
  #controller: AbortController | undefined;
  readonly #callLog: string[] = [];
  readonly #cleanups = new CleanupStack();
  readonly #deadline: number;
  /** Says in timeout and abort errors how much of the work is done. */
  #status: (() => string) | undefined;
  #isInStep = false;
  /** Set if the call timed out or was aborted during a step. */
  #endOfStep: (() => void) | undefined;
  #stopClock: () => void = noClock;

  constructor(settings: ProgressSettings) {
    checkLimits(settings);
    this.operation = settings.operation;
    this.#settings = settings;
    this.#deadline = settings.timeout > 0 ? performance.now() + settings.timeout : Number.POSITIVE_INFINITY;
    this.#watchDeadline();
    for (const signal of settings.signals ?? []) if (signal) this.#watchSignal(signal, onAbort);
    for (const signal of settings.sharedSignals ?? []) if (signal) this.#watchSignal(signal, onSharedAbort);
  }

  get grace(): number {
    return this.#settings.grace ?? 0;
  }

  /** Aborts when the call times out or is aborted. Pass it to everything that can be cancelled. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#end) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Milliseconds until the timeout, at least 0. Without a timeout, the longest delay that Node's timers support. */
  get remaining(): number {
    return Math.min(Math.max(0, this.#deadline - performance.now()), LONGEST_TIMER_MS);
  }

  /**
   * Returns the timeout for a part of this call that may take `timeout` ms. Returns 0 (no limit) if the whole call
   * times out first, so that the error names the whole call.
   */
  childTimeout(timeout: number): number {
    return timeout < this.remaining ? timeout : 0;
  }

  get callLog(): readonly string[] {
    return this.#callLog;
  }

  /** Adds a line to the call log. Skips a repetition of the last line. */
  log(sentence: string): void {
    if (this.#callLog.at(-1) !== sentence) this.#callLog.push(sentence);
  }

  throwIfEnded(): void {
    if (this.#end) throw this.#end.reason;
  }

  /** Rejects as soon as the call ends. Does not stop `work`, which must observe {@link signal}. */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(ignoreRejection);
    if (this.#end) return Promise.reject(this.#end.reason);
    return Promise.race([work, this.#ended.promise]);
  }

  /** Runs `work`. If the call times out or is aborted meanwhile, its error contains the sentence from `status`. */
  async withStatus<T>(status: () => string, work: () => Promise<T>): Promise<T> {
    this.#status = status;
    try {
      return await work();
    } finally {
      this.#status = undefined;
    }
  }

  /**
   * Like {@link race}, but a timeout or an abort waits for `step`, at most 250 ms, so that the status in its error
   * includes the step.
   */
  async finishStep<T>(step: Promise<T>): Promise<T> {
    this.#isInStep = true;
    try {
      return await this.race(step);
    } finally {
      this.#isInStep = false;
      this.#endOfStep?.();
    }
  }

  /** Ends the call with this error. Only the first error counts. */
  fail(reason: unknown): void {
    if (this.#end) return;
    this.#end = { reason };
    this.#controller?.abort(reason);
    this.#ended.reject(reason);
  }

  /** Ends the call with its timeout error, without a grace period. */
  timeOut(): void {
    this.fail(this.#timeoutError());
  }

  [Symbol.dispose](): void {
    this.#cleanups.dispose();
  }

  #watchDeadline(): void {
    if (this.#deadline === Number.POSITIVE_INFINITY) return;
    this.#cleanups.defer(() => this.#stopClock());
    this.#stopClock = startTimer(this.#settings.timeout, () => this.#passDeadline());
  }

  // A status is more specific than what a grace period could bring.
  #passDeadline(): void {
    this.#passGrace(this.grace > 0 && !this.#status ? GRACE_STEPS : 0);
  }

  #passGrace(steps: number): void {
    if (steps === 0) return this.#endAfterStep(() => this.#timeoutError());
    this.#stopClock = startTimer(this.grace / GRACE_STEPS, () => this.#passGrace(steps - 1));
  }

  #watchSignal(signal: AbortSignal, watch: typeof onAbort): void {
    const abort = (): void => this.#abort(signal.reason);
    if (signal.aborted) return abort();
    this.#cleanups.defer(watch(signal, abort));
  }

  #abort(reason: unknown): void {
    // A driver error, such as a lost browser connection, is more specific than the abort.
    if (reason instanceof DriverError) this.fail(reason);
    else this.#endAfterStep(() => this.#abortError(reason));
  }

  #endAfterStep(createError: () => unknown): void {
    if (!this.#isInStep) return this.fail(createError());
    if (this.#endOfStep) return;
    this.#endOfStep = () => this.fail(createError());
    this.#cleanups.defer(startTimer(LONGEST_STEP_MS, this.#endOfStep));
  }

  #timeoutError(): DriverTimeoutError {
    const { operation, timeout, timeoutError: TimeoutError = DriverTimeoutError, obstacle } = this.#settings;
    const facts = [this.#status?.(), obstacle?.()];
    const message = [`${operation}: Timeout ${timeout} ms exceeded.`, ...facts].filter(Boolean).join(' ');
    return new TimeoutError(message, { operation, timeout, callLog: this.#callLog });
  }

  #abortError(reason: unknown): DriverAbortError {
    const { abortError: AbortError = DriverAbortError } = this.#settings;
    const message = [`${this.operation}: aborted by the caller's signal.`, this.#status?.()].filter(Boolean).join(' ');
    return new AbortError(message, {
      cause: reason,
      callLog: this.#callLog,
    });
  }
}

function noClock(): void {
  return undefined;
}
