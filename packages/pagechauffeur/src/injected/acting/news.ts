import type { MotionAwaited } from '../contract.ts';
import { flushMutations } from './mutation-watch.ts';

/** The changes that one wait has not read yet. Several waits can share an `EffectWatch`. */
export class News {
  readonly #close: (news: News) => void;
  #hasNews = false;
  #hasGrown = false;

  constructor(close: (news: News) => void) {
    this.#close = close;
  }

  /**
   * True if a meaningful mutation arrived since the last call. Growing elements count only if the caller waits for all
   * animations.
   */
  take(motion: MotionAwaited = 'all'): boolean {
    const hadNews = this.#hasNews || (motion === 'all' && this.#hasGrown);
    this.#forget();
    return hadNews;
  }

  /** Discards the changes so far. */
  forget(): void {
    flushMutations();
    this.#forget();
  }

  note(isGrowth: boolean): void {
    if (isGrowth) this.#hasGrown = true;
    else this.#hasNews = true;
  }

  close(): void {
    this.#close(this);
  }

  #forget(): void {
    [this.#hasNews, this.#hasGrown] = [false, false];
  }
}
