/** Runs cleanup steps once, in reverse order. Replaces `DisposableStack`, which Node 22.18 does not have. */
export class CleanupStack implements Disposable {
  readonly #steps: (() => void)[] = [];

  defer(step: () => void): void {
    this.#steps.push(step);
  }

  /** Runs every step even if one throws, then throws the first error. */
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
