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

/** Options that limit a call. */
export interface CallOptions {
  /**
   * Milliseconds until the call fails with a {@link DriverTimeoutError}. `0` means no limit. Default: the driver's
   * `defaultTimeout` for pages, frames and locators, 120000 for `act`, `observe` and `extract`.
   */
  timeout?: number;
  /** Aborts the call: it rejects with a `DriverAbortError`. */
  signal?: AbortSignal;
}

type TimeoutErrorClass = new (
  message: string,
  options: DriverErrorOptions & { operation: string; timeout: number },
) => DriverTimeoutError;

/** Settings of a {@link Progress}: the call's name, its limits and the errors it throws. */
export interface ProgressSettings {
  readonly operation: string;
  readonly timeout: number;
  /** The call ends when any of these aborts. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** Like `signals`, for signals that many calls share, such as a page's. */
  readonly sharedSignals?: readonly (AbortSignal | undefined)[];
  readonly timeoutError?: TimeoutErrorClass;
  /** The error class for an abort by the caller's signal. */
  readonly abortError?: typeof DriverAbortError;
  /** Milliseconds after the limit in which pending work may still report a more specific error. Default: 0. */
  readonly grace?: number;
  /** Returns what currently blocks the call, for the timeout error. */
  readonly obstacle?: (() => string | undefined) | undefined;
}

/** The grace period runs in this many timers. If the machine sleeps, at most one of them is lost. */
const GRACE_STEPS = 4;

/** Throws if `timeout` or `signal` of a call is invalid. */
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
 * One public call in flight: its deadline, abort signal and call log. All work for the call takes it as the first
 * argument,
 * races its waits against it and stops when it ends.
 */
export class Progress implements Disposable {
  readonly operation: string;
  readonly #settings: ProgressSettings;
  readonly #ended = deferred<never>();
  /** Set when the call ended early. */
  #end: { readonly reason: unknown } | undefined;
  /** Created on first use: most calls never need a signal. */
  #controller: AbortController | undefined;
  readonly #callLog: string[] = [];
  readonly #cleanups = new CleanupStack();
  readonly #deadline: number;
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

  /** Milliseconds that the call may run past its limit. */
  get grace(): number {
    return this.#settings.grace ?? 0;
  }

  /** Aborts when the call ends early. Pass it to everything that can be cancelled. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#end) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  /** True if the call ended early. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Milliseconds left, at least 0. Without a limit, the longest timer that Node supports. */
  get remaining(): number {
    return Math.min(Math.max(0, this.#deadline - performance.now()), LONGEST_TIMER_MS);
  }

  /**
   * Returns the timeout for a part of this call that may take `timeout` ms (0: no limit). Returns 0 if the whole call
   * ends first,
   * so that its timeout is not reported as the part's.
   */
  childTimeout(timeout: number): number {
    return timeout < this.remaining ? timeout : 0;
  }

  /** The call log so far. */
  get callLog(): readonly string[] {
    return this.#callLog;
  }

  /** Adds a line to the call log. Repeated lines are added once. */
  log(sentence: string): void {
    if (this.#callLog.at(-1) !== sentence) this.#callLog.push(sentence);
  }

  /** Throws if the call has ended. */
  throwIfEnded(): void {
    if (this.#end) throw this.#end.reason;
  }

  /** Waits for `work`. Rejects as soon as the call ends; `work` must observe {@link signal} to stop. */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(ignoreRejection);
    if (this.#end) return Promise.reject(this.#end.reason);
    return Promise.race([work, this.#ended.promise]);
  }

  /** Ends the call with this error. Later calls have no effect. */
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
    this.#stopClock = startTimer(this.#settings.timeout, () => this.#passGrace(this.grace > 0 ? GRACE_STEPS : 0));
  }

  #passGrace(steps: number): void {
    if (steps === 0) return this.fail(this.#timeoutError());
    this.#stopClock = startTimer(this.grace / GRACE_STEPS, () => this.#passGrace(steps - 1));
  }

  #watchSignal(signal: AbortSignal, watch: typeof onAbort): void {
    const abort = (): void => this.fail(this.#abortError(signal.reason));
    if (signal.aborted) return abort();
    this.#cleanups.defer(watch(signal, abort));
  }

  #timeoutError(): DriverTimeoutError {
    const { operation, timeout, timeoutError: TimeoutError = DriverTimeoutError, obstacle } = this.#settings;
    const message = [`${operation}: Timeout ${timeout} ms exceeded.`, obstacle?.()].filter(Boolean).join(' ');
    return new TimeoutError(message, { operation, timeout, callLog: this.#callLog });
  }

  #abortError(reason: unknown): unknown {
    // An error of the driver, such as a lost browser, is more specific than the abort.
    if (reason instanceof DriverError) return reason;
    const { abortError: AbortError = DriverAbortError } = this.#settings;
    return new AbortError(`${this.operation}: aborted by the caller's signal.`, {
      cause: reason,
      callLog: this.#callLog,
    });
  }
}

function noClock(): void {
  return undefined;
}
