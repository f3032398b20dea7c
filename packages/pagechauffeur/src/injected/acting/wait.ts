import { nextAnimationFrame } from './animation-frame.ts';
import { watchMutations } from './mutation-watch.ts';
import { startTimer } from './timer.ts';

/** Rules added by script to a style sheet and roots attached by script raise no event; so this often, in ms, a wait looks anyway. */
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

const waitById = new Map<number, Wait>();

/** A wait in flight: its deadline, and the means to end it early. Every wait must be closed. */
export class Wait {
  readonly #id: number;
  readonly #start: number = performance.now();
  readonly #deadline: number;
  #isCancelled = false;
  #stop: (() => void) | null = null;

  constructor(id: number, timeout: number) {
    this.#id = id;
    this.#deadline = this.#start + timeout;
    waitById.set(id, this);
  }

  /** Whether the time is up or the wait was cancelled. */
  get isOver(): boolean {
    return this.#isCancelled || this.remaining <= 0;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Milliseconds so far. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** Milliseconds left. */
  get remaining(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Waits until something in the page may have changed, and then for the frame that shows it. */
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

  /** Waits for an animation frame; false when the wait ended first. */
  frame(): Promise<boolean> {
    return this.until(nextAnimationFrame(), this.remaining);
  }

  /** Waits for an event, at most this many milliseconds and not beyond the end of the wait; false when it did not come. */
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
    waitById.delete(this.#id);
  }
}

/** Ends a wait early. */
export function cancelWait(waitId: number): void {
  waitById.get(waitId)?.cancel();
}
