/** A promise together with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

/** Creates a {@link Deferred}. An unhandled rejection of its promise is not reported. */
export function deferred<T>(): Deferred<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(ignoreRejection);
  return { promise, resolve, reject };
}

/** Rejection handler for a promise whose error is reported somewhere else. Prevents `unhandledRejection`. */
export function ignoreRejection(): void {
  return undefined;
}
