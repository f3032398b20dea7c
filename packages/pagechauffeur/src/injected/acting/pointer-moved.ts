import { startTimer } from './timer.ts';

/** Resolves to true if the mouse moves over the document within this many milliseconds. */
export function pointerMoved(timeout: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stopTimer = startTimer(end, timeout);
  addEventListener('mousemove', end, true);
  function end(event?: Event): void {
    if (event && !event.isTrusted) return;
    removeEventListener('mousemove', end, true);
    stopTimer();
    resolve(event !== undefined);
  }
  return promise;
}
