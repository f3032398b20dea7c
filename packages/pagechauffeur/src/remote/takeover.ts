import { type Deferred, deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';

/** Tracks whether an operator controls the browser. */
export class Takeover {
  #handedBack: Deferred<void> | undefined;
  readonly #onChange: (isTakenOver: boolean) => void;

  constructor(onChange: (isTakenOver: boolean) => void) {
    this.#onChange = onChange;
  }

  /** Records the platform's latest report. */
  set(isTakenOver: boolean): void {
    const was = this.#handedBack;
    if (isTakenOver === (was !== undefined)) return;
    this.#handedBack = isTakenOver ? deferred() : undefined;
    was?.resolve();
    this.#onChange(isTakenOver);
  }

  /** Waits while an operator controls the browser. Returns true if it had to wait. */
  async wait(progress: Progress): Promise<boolean> {
    if (!this.#handedBack) return false;
    progress.log('waiting for the operator who has taken over the browser');
    while (this.#handedBack) await progress.race(this.#handedBack.promise);
    return true;
  }
}
