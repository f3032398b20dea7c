/** Calls back when a signal that is not aborted yet is, until the answer is called. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/** Who is to be told of the end of each lasting signal; the signal itself tells one listener of ours. */
const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * The same for a signal that many calls are given one after another, such as a page's: to add and remove a listener takes
 * longer than most else of what a call begins with.
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
