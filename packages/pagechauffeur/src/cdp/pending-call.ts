import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A call that can wait in the page, for example until an element appears. Created by `World.start`. */
export class PendingCall<T> {
  readonly result: Promise<T>;
  readonly #cancel: () => Promise<void>;

  constructor(result: Promise<T>, cancel: () => Promise<void>) {
    this.result = result;
    this.#cancel = cancel;
    result.catch(ignoreRejection);
  }

  /** Ends the wait in the page. Resolves once the page has confirmed it. */
  cancel(): Promise<void> {
    const cancelled = this.#cancel();
    cancelled.catch(ignoreRejection);
    return cancelled;
  }

  /**
   * Waits for the result until `timeout` ms have passed, `until` resolves or `progress` ends. Then cancels the wait in
   * the page, so that it does not continue during the next action. Returns `undefined` if `timeout` or `until` came
   * first, and throws if `progress` ended first.
   */
  async within(
    progress: Progress,
    { timeout = Number.POSITIVE_INFINITY, until }: { timeout?: number; until?: Promise<undefined> | undefined } = {},
  ): Promise<T | undefined> {
    let isPending = true;
    const result = this.result.finally(() => {
      isPending = false;
    });
    result.catch(ignoreRejection);
    try {
      return await progress.race(withTimeout(timeout, until ? Promise.race([result, until]) : result));
    } finally {
      if (isPending) void this.cancel();
    }
  }
}
