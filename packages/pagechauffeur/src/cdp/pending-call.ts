import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';

/** A call into a document that can wait there, for example until an element appears. `World.start` creates it. */
export class PendingCall<T> {
  readonly result: Promise<T>;
  readonly #cancel: () => Promise<void>;

  constructor(result: Promise<T>, cancel: () => Promise<void>) {
    this.result = result;
    this.#cancel = cancel;
    result.catch(ignoreRejection);
  }

  /** Ends the wait in the document. Resolves once the document has confirmed it. */
  cancel(): Promise<void> {
    const cancelled = this.#cancel();
    cancelled.catch(ignoreRejection);
    return cancelled;
  }

  /**
   * Waits for the result until `progress` or `timeout` (ms) ends, or `until` resolves. Then cancels the wait in the
   * document, because it must not continue during the next action. Returns `undefined` unless the progress has ended.
   * @throws DriverTimeoutError if the progress ends first.
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
