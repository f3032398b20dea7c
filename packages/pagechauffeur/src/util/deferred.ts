/** A promise together with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

/** Makes a {@link Deferred}. A rejection nobody waits for is not reported as unhandled. */
export function deferred<T>(): Deferred<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(ignoreRejection);
  return { promise, resolve, reject };
}

/** Marks a promise whose outcome somebody else reports, so that Node does not call it unhandled. */
export function ignoreRejection(): void {
  return undefined;
}
