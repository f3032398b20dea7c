import { isDocumentHidden } from '../native-document.ts';
import { startTimer } from './timer.ts';

/** A document in the background gets no animation frames; this many milliseconds stand for one there. */
const HIDDEN_FRAME = 50;
/** So does a frame out of sight, which does not know it; longer, because a busy page may be late with a frame. */
const LATE_FRAME = 250;
/** A document that is painted may have its next frame as late as this on a busy machine. */
const LOST_FRAME = 1000;

/** A page is painted as long as it is not hidden; a frame in it may never have been in sight. */
let wasPainted = parent === window;
/** The frame that was asked for last did not come. */
let isLost = false;
/** A frame that was not waited for any longer: when it does come, the document is painted after all. */
let overdue = 0;

/** Waits for the next animation frame, or for the time of one in a document that is not painted. */
export function nextAnimationFrame(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  cancelAnimationFrame(overdue);
  const stopTimer = startTimer(() => {
    isLost = true;
    overdue = request;
    resolve();
  }, longestWait());
  const request = requestAnimationFrame(() => {
    wasPainted = true;
    isLost = false;
    stopTimer();
    resolve();
  });
  return promise;
}

function longestWait(): number {
  if (isDocumentHidden()) return HIDDEN_FRAME;
  wasPainted ||= performance.getEntriesByType('paint').length > 0;
  return wasPainted && !isLost ? LOST_FRAME : LATE_FRAME;
}
