import type { MotionAwaited } from '../contract.ts';
import { flushMutations } from './mutation-watch.ts';

/** What one wait has not looked at yet of what a watch saw. Several waits may follow one watch. */
export class News {
  readonly #close: (news: News) => void;
  #hasNews = false;
  #hasGrown = false;

  constructor(close: (news: News) => void) {
    this.#close = close;
  }

  /** Whether a meaningful mutation came since this was asked last; that a part goes on growing is one for who waits for all motion. */
  take(motion: MotionAwaited = 'all'): boolean {
    const hadNews = this.#hasNews || (motion === 'all' && this.#hasGrown);
    this.#forget();
    return hadNews;
  }

  /** What has changed so far is no news any more. */
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
