import { type Deferred, deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';

/** Tracks whether an operator controls the browser. */
export class Takeover {
  #takeoverEnded: Deferred<void> | undefined;
  readonly #onChange: (isTakenOver: boolean) => void;

  constructor(onChange: (isTakenOver: boolean) => void) {
    this.#onChange = onChange;
  }

  set(isTakenOver: boolean): void {
    const was = this.#takeoverEnded;
    if (isTakenOver === (was !== undefined)) return;
    this.#takeoverEnded = isTakenOver ? deferred() : undefined;
    was?.resolve();
    this.#onChange(isTakenOver);
  }

  /** Waits while an operator controls the browser. Returns true if it had to wait. */
  async wait(progress: Progress): Promise<boolean> {
    if (!this.#takeoverEnded) return false;
    progress.log('waiting for the operator who has taken over the browser');
    while (this.#takeoverEnded) await progress.race(this.#takeoverEnded.promise);
    return true;
  }
}
