/**
 * Calls `callback` when the signal aborts. The signal must not be aborted yet. Returns a function that removes the
 * listener.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/** Each shared signal has one event listener, which calls all callbacks. */
const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Like {@link onAbort}, for a signal that many calls share, such as the signal of a page. Adding and removing an event
 * listener for each call takes longer than most other work at the start of a call.
 */
export function onSharedAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = callbacksBySignal.get(signal) ?? watched(signal);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

function watched(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksBySignal.set(signal, callbacks);
  onAbort(signal, () => callbacks.forEach((callback) => callback()));
  return callbacks;
}
