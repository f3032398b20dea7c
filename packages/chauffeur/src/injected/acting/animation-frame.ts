import { isDocumentHidden } from '../native-document.ts';
import { startTimer } from './timer.ts';

/** A document in the background gets no animation frames; this many milliseconds stand for one there. */
const HIDDEN_FRAME = 50;
/** So does a frame out of sight, which does not know it; longer, because a busy page may be late with a frame. */
const LATE_FRAME = 250;

/** Waits for the next animation frame, or for the time of one in a document that is not painted. */
export function nextAnimationFrame(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = requestAnimationFrame(done);
  const stopTimer = startTimer(done, isDocumentHidden() ? HIDDEN_FRAME : LATE_FRAME);
  function done(): void {
    cancelAnimationFrame(request);
    stopTimer();
    resolve();
  }
  return promise;
}
