/** Runs the tasks of each key one at a time. */
export class TaskSequence<K extends object> {
  readonly #last = new WeakMap<K, Promise<boolean>>();

  /** Returns true if the task, or one that it waited for, returns true. */
  run(key: K, task: () => Promise<boolean>): Promise<boolean> {
    const earlier = this.#last.get(key);
    const result = earlier ? earlier.then(async (wasTrue) => (await task()) || wasTrue) : task();
    const ended = result.catch(() => false);
    this.#last.set(key, ended);
    void ended.then(() => this.#last.get(key) === ended && this.#last.delete(key));
    return result;
  }

  /** Resolves when all tasks so far have ended. `undefined` if none is running. */
  pending(key: K): Promise<unknown> | undefined {
    return this.#last.get(key);
  }
}
