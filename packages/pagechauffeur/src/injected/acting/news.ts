import type { MotionAwaited } from '../contract.ts';
import { flushMutations } from './mutation-watch.ts';

/** Changes that one caller of `EffectWatch.follow` has not read yet. */
export class News {
  readonly #close: (news: News) => void;
  #hasNews = false;
  #hasGrown = false;

  constructor(close: (news: News) => void) {
    this.#close = close;
  }

  /** True if something changed since the last call. Growing elements count only if `motion` is `all`. */
  take(motion: MotionAwaited = 'all'): boolean {
    const hadNews = this.#hasNews || (motion === 'all' && this.#hasGrown);
    this.#forget();
    return hadNews;
  }

  /** Discards all changes so far, including mutations that are not delivered yet. */
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
