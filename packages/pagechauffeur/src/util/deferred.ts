export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

/** Returns a promise with its resolvers. Node does not report an unhandled rejection of it. */
export function deferred<T>(): Deferred<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(ignoreRejection);
  return { promise, resolve, reject };
}

/** Prevents `unhandledRejection` for a promise whose error is reported elsewhere. */
export function ignoreRejection(): void {
  return undefined;
}
