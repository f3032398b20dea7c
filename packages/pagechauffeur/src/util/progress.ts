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

/** What a public call may say about its end. */
export interface CallOptions {
  /**
   * Milliseconds until the call fails with a {@link DriverTimeoutError}; `0` means no limit. Default: the driver's
   * `defaultTimeout` for pages, frames and locators, 120000 for `act`, `observe` and `extract`.
   */
  timeout?: number;
  /** Ends the call with a `DriverAbortError` when aborted. */
  signal?: AbortSignal;
}

type TimeoutErrorClass = new (
  message: string,
  options: DriverErrorOptions & { operation: string; timeout: number },
) => DriverTimeoutError;

/** How a {@link Progress} is set up: the call's name, its limits, and the class its time-out throws. */
export interface ProgressSettings {
  readonly operation: string;
  readonly timeout: number;
  /** Any of these ends the call when aborted. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** So do these, which many calls are given one after another, such as a page's. */
  readonly sharedSignals?: readonly (AbortSignal | undefined)[];
  readonly timeoutError?: TimeoutErrorClass;
  /** The class of what it throws when a signal of the caller's is aborted. */
  readonly abortError?: typeof DriverAbortError;
  /**
   * Milliseconds beyond the limit that whoever works for the call has to tell why it did not succeed, which says
   * more than that the time is up; default 0.
   */
  readonly grace?: number;
  /** What is known to stand in the way of the call, in words, when the time is up. */
  readonly obstacle?: (() => string | undefined) | undefined;
}

/** A grace passes in so many steps: while a machine stands still all clocks go on, and that takes no more than one of them. */
const GRACE_STEPS = 4;

/** Throws when a call's time limit, if it has one, or what may end it is wrong. */
export function checkLimits({
  timeout,
  signals = [],
}: {
  timeout: number | undefined;
  signals?: readonly (AbortSignal | undefined)[] | undefined;
}): void {
  if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout >= 0))) {
    throw new DriverInvalidArgumentError(
      `timeout must be a number of milliseconds, 0 or more; it is ${describeValue(timeout)}.`,
      { argument: 'timeout' },
    );
  }
  const wrong = signals.find((signal) => signal !== undefined && !(signal instanceof AbortSignal));
  if (wrong !== undefined)
    throw new DriverInvalidArgumentError(`signal must be an AbortSignal; it is ${describeValue(wrong)}.`, {
      argument: 'signal',
    });
}

/**
 * One public call in flight: its deadline, its abort signal and its call log. Everything that works
 * for the call takes it first, races its waits against it and stops when it has ended.
 */
export class Progress implements Disposable {
  readonly operation: string;
  readonly #settings: ProgressSettings;
  readonly #ended = deferred<never>();
  /** Why the call has ended early. */
  #end: { readonly reason: unknown } | undefined;
  /** Made when somebody asks for the signal: most calls come to their end without. */
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

  /** Milliseconds that the call lives beyond its limit when nobody ends it. */
  get grace(): number {
    return this.#settings.grace ?? 0;
  }

  /** Aborted when the call ends early; hand it to everything that can be stopped. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#end) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  /** Whether the call has ended early. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Milliseconds left, never negative; without a limit the longest that a timer takes. */
  get remaining(): number {
    return Math.min(Math.max(0, this.#deadline - performance.now()), LONGEST_TIMER_MS);
  }

  /**
   * The limit of a part of this call that may take so many milliseconds, 0 for any: none of its own where the call ends before,
   * so that its end is never told as that of the part.
   */
  childTimeout(timeout: number): number {
    return timeout < this.remaining ? timeout : 0;
  }

  /** What was tried and seen so far. */
  get callLog(): readonly string[] {
    return this.#callLog;
  }

  /** Notes a sentence for the error message; a repeated sentence is noted once. */
  log(sentence: string): void {
    if (this.#callLog.at(-1) !== sentence) this.#callLog.push(sentence);
  }

  /** Throws when the call has ended. */
  throwIfEnded(): void {
    if (this.#end) throw this.#end.reason;
  }

  /** Waits for `work`, or throws as soon as the call ends. `work` itself is to stop by {@link signal}. */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(ignoreRejection);
    if (this.#end) return Promise.reject(this.#end.reason);
    return Promise.race([work, this.#ended.promise]);
  }

  /** Ends the call with an error of the caller's choice; later ends change nothing. */
  fail(reason: unknown): void {
    if (this.#end) return;
    this.#end = { reason };
    this.#controller?.abort(reason);
    this.#ended.reject(reason);
  }

  /** Ends the call as timed out: its limit has come, and nobody can tell more in a grace. */
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
    // A reason of our own, such as that the browser is gone, says more than that the call was aborted.
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
