/** Synchronous event emitter with typed payloads. A listener that throws stops the emit. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>();

  /** Returns a function that removes the listener. */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Calls the listeners in the order they were added. */
  emit<E extends keyof Events>(event: E, payload: Events[E]): void {
    const listeners = this.#listeners.get(event);
    if (!listeners) return;
    for (const listener of [...listeners] as ((payload: Events[E]) => void)[]) listener(payload);
  }

  /** Number of listeners, for all events together. */
  get size(): number {
    let count = 0;
    for (const listeners of this.#listeners.values()) count += listeners.size;
    return count;
  }

  clear(): void {
    this.#listeners.clear();
  }
}
