/**
 * Clean-up steps, run once in reverse order. A small stand-in for `DisposableStack`, which the oldest
 * supported Node (22.18) does not have.
 */
export class CleanupStack implements Disposable {
  readonly #steps: (() => void)[] = [];

  /** Adds a step; it runs before those added earlier. */
  defer(step: () => void): void {
    this.#steps.push(step);
  }

  /** Runs every step, also when one throws; the first error is thrown at the end. */
  dispose(): void {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
