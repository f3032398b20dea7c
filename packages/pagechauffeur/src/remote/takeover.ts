import { type Deferred, deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';

/** Whether a person works in the browser, as the platform tells it. */
export class Takeover {
  #handedBack: Deferred<void> | undefined;
  readonly #onChange: (isTakenOver: boolean) => void;

  constructor(onChange: (isTakenOver: boolean) => void) {
    this.#onChange = onChange;
  }

  /** Takes what the platform said last. */
  set(isTakenOver: boolean): void {
    const was = this.#handedBack;
    if (isTakenOver === (was !== undefined)) return;
    this.#handedBack = isTakenOver ? deferred() : undefined;
    was?.resolve();
    this.#onChange(isTakenOver);
  }

  /** Waits while a person works in the browser. Whether there was anything to wait for. */
  async wait(progress: Progress): Promise<boolean> {
    if (!this.#handedBack) return false;
    progress.log('waiting for the person who has taken over the browser');
    while (this.#handedBack) await progress.race(this.#handedBack.promise);
    return true;
  }
}
