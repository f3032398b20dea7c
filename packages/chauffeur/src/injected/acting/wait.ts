import { nextAnimationFrame } from './animation-frame.ts';
import { watchMutations } from './mutation-watch.ts';

/** Rules added by script to a style sheet and roots attached by script raise no event; so this often, in ms, a wait looks anyway. */
const SILENT_CHANGE_INTERVAL = 250;
const WAKING_EVENTS = [
  'load', 'scroll', 'resize', 'focusin', 'input', 'change', 'toggle', 'transitionrun', 'transitionend', 'transitioncancel', 'animationstart',
  'animationend', 'fullscreenchange', 'visibilitychange', 'slotchange',
] as const;

const waitById = new Map<number, Wait>();

/** A wait in flight: its deadline, and the means to end it early. Every wait must be closed. */
export class Wait {
  readonly #id: number;
  readonly #deadline: number;
  #isCancelled = false;
  #wake: (() => void) | null = null;

  constructor(id: number, timeout: number) {
    this.#id = id;
    this.#deadline = performance.now() + timeout;
    waitById.set(id, this);
  }

  /** Whether the time is up or the wait was cancelled. */
  get isOver(): boolean {
    return this.#isCancelled || this.remaining <= 0;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
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

  /** Waits for an animation frame. */
  frame(): Promise<void> {
    return this.until(nextAnimationFrame(), this.remaining);
  }

  /** Waits for an event, at most this many milliseconds, and not beyond the end of the wait. */
  async until(event: Promise<unknown>, timeout: number): Promise<void> {
    if (this.isOver) return;
    const woken = Promise.withResolvers<void>();
    this.#wake = woken.resolve;
    const timer = setTimeout(woken.resolve, Math.min(timeout, this.remaining));
    await Promise.race([event, woken.promise]);
    this.#wake = null;
    clearTimeout(timer);
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#wake?.();
  }

  close(): void {
    waitById.delete(this.#id);
  }
}

/** Ends a wait early. */
export function cancelWait(waitId: number): void {
  waitById.get(waitId)?.cancel();
}
