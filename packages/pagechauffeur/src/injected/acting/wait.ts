import type { CallId } from '../contract.ts';
import { nextAnimationFrame } from './settling/animation-frame.ts';
import { watchMutations } from './effects/mutation-watch.ts';
import { startTimer } from './timer.ts';

/** Interval in ms of checks for changes that fire no event, such as style rules or shadow roots added by a script. */
const SILENT_CHANGE_INTERVAL = 250;
const WAKING_EVENTS = [
  'load',
  'scroll',
  'resize',
  'focusin',
  'input',
  'change',
  'toggle',
  'transitionrun',
  'transitionend',
  'transitioncancel',
  'animationstart',
  'animationend',
  'fullscreenchange',
  'visibilitychange',
  'slotchange',
] as const;

const waitByCall = new Map<CallId, Wait>();

/** Waits with a deadline. `cancelWait` can end it early. Must be closed. */
export class Wait {
  readonly #call: CallId | undefined;
  readonly #start: number = performance.now();
  readonly #deadline: number;
  #isCancelled = false;
  #stop: (() => void) | null = null;

  constructor(timeout: number, call: CallId | undefined) {
    this.#call = call;
    this.#deadline = this.#start + timeout;
    if (call !== undefined) waitByCall.set(call, this);
  }

  get isOver(): boolean {
    return this.#isCancelled || this.remaining <= 0;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get elapsed(): number {
    return performance.now() - this.#start;
  }

  get remaining(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Waits until something in the page may have changed, and then for the frame that renders the change. */
  async change(): Promise<void> {
    const changed = Promise.withResolvers<void>();
    const wake = (): void => changed.resolve();
    const stopWatching = watchMutations(wake);
    for (const type of WAKING_EVENTS) addEventListener(type, wake, true);
    await this.until(changed.promise, SILENT_CHANGE_INTERVAL);
    stopWatching();
    for (const type of WAKING_EVENTS) removeEventListener(type, wake, true);
    await this.frame();
  }

  /** Waits for an animation frame; false if the wait ended first. */
  frame(): Promise<boolean> {
    return this.until(nextAnimationFrame(), this.remaining);
  }

  /** Waits for `event`, at most `timeout` milliseconds and not beyond the deadline; false if it did not occur. */
  async until(event: Promise<unknown>, timeout: number): Promise<boolean> {
    if (this.isOver) return false;
    const stopped = Promise.withResolvers<false>();
    const stop = (): void => stopped.resolve(false);
    this.#stop = stop;
    const stopTimer = startTimer(stop, Math.min(timeout, this.remaining));
    const hasCome = await Promise.race([event.then(() => true), stopped.promise]);
    this.#stop = null;
    stopTimer();
    return hasCome;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#stop?.();
  }

  close(): void {
    if (this.#call !== undefined) waitByCall.delete(this.#call);
  }
}

export function cancelWait(call: CallId): void {
  waitByCall.get(call)?.cancel();
}

/** Maximum ms for a list to grow to the requested index. */
const GROWTH_TIMEOUT_MS = 1000;

/** True if the selector still has too few matches for its index after 1 s. */
export function isPastTheEnd(answer: { readonly kind: string; readonly isPastTheEnd?: true }, wait: Wait): boolean {
  return answer.isPastTheEnd === true && wait.elapsed >= GROWTH_TIMEOUT_MS;
}
