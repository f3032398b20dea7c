import type { MotionAwaited } from '../contract.ts';
import { flushMutations } from './mutation-watch.ts';

/** Changes that one caller of `EffectWatch.follow` has not read yet. */
export class ChangeTracker {
  readonly #close: (tracker: ChangeTracker) => void;
  #hasChanged = false;
  #hasGrown = false;

  constructor(close: (tracker: ChangeTracker) => void) {
    this.#close = close;
  }

  /** True if something changed since the last call. Growing elements count only if `motion` is `all`. */
  take(motion: MotionAwaited = 'all'): boolean {
    const hasChanged = this.#hasChanged || (motion === 'all' && this.#hasGrown);
    this.#forget();
    return hasChanged;
  }

  /** Discards all changes so far, including mutations that are not delivered yet. */
  forget(): void {
    flushMutations();
    this.#forget();
  }

  note(isGrowth: boolean): void {
    if (isGrowth) this.#hasGrown = true;
    else this.#hasChanged = true;
  }

  close(): void {
    this.#close(this);
  }

  #forget(): void {
    [this.#hasChanged, this.#hasGrown] = [false, false];
  }
}
