/** Typed event emitter. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>();

  /** Calls `listener` on every such event until the returned function is called. */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Calls the listeners of an event, in the order they were added. */
  emit<E extends keyof Events>(event: E, payload: Events[E]): void {
    const listeners = this.#listeners.get(event);
    if (!listeners) return;
    for (const listener of [...listeners] as ((payload: Events[E]) => void)[]) listener(payload);
  }

  /** Number of listeners. Used by leak tests. */
  get size(): number {
    let count = 0;
    for (const listeners of this.#listeners.values()) count += listeners.size;
    return count;
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }
}
