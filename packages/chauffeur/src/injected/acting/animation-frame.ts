/** A document that is not painted gets no animation frames; then this many milliseconds stand for one. */
const UNPAINTED_FRAME = 100;

/** Waits for the next animation frame, or for the time of one in a document that is not painted. */
export function nextAnimationFrame(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = requestAnimationFrame(done);
  const timer = setTimeout(done, UNPAINTED_FRAME);
  function done(): void {
    cancelAnimationFrame(request);
    clearTimeout(timer);
    resolve();
  }
  return promise;
}
