/** Listeners by event name, typed by a map from name to payload. */
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

  /** How many listeners are there, for tests of what stays behind. */
  get size(): number {
    let count = 0;
    for (const listeners of this.#listeners.values()) count += listeners.size;
    return count;
  }

  /** Forgets every listener. */
  clear(): void {
    this.#listeners.clear();
  }
}
