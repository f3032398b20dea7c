import { isDocumentHidden } from '../native-document.ts';
import { startTimer } from './timer.ts';

/** A document in the background gets no animation frames; this many milliseconds stand for one there. */
const HIDDEN_FRAME = 50;
/** So does a frame out of sight, which does not know it; longer, because a busy page may be late with a frame. */
const LATE_FRAME = 250;
/** A document that is painted may have its next frame as late as this on a busy machine. */
const LOST_FRAME = 1000;
/** Where so many in a row did not come, which takes almost 3 s, none is to be expected: other windows may cover this one. */
const MOST_LOST_FRAMES = 8;

/** A page is painted as long as it is not hidden; a frame in it may never have been in sight. */
let wasPainted = parent === window;
/** How many frames in a row were asked for and did not come. */
let lostFrames = 0;
/** A frame that was not waited for any longer: when it does come, the document is painted after all. */
let overdue = 0;

/** Waits for the next animation frame, or for the time of one in a document that is not painted. */
export function nextAnimationFrame(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  cancelAnimationFrame(overdue);
  const stopTimer = startTimer(() => {
    lostFrames += 1;
    overdue = request;
    resolve();
  }, longestWait());
  const request = requestAnimationFrame(() => {
    wasPainted = true;
    lostFrames = 0;
    stopTimer();
    resolve();
  });
  return promise;
}

/** What became of the frame that was waited for last: it is still to come where a painted document got none in time. */
export function latestFrame(): 'came' | 'overdue' | 'none' {
  if (lostFrames === 0) return 'came';
  return isPainted() && lostFrames < MOST_LOST_FRAMES ? 'overdue' : 'none';
}

function longestWait(): number {
  if (isDocumentHidden()) return HIDDEN_FRAME;
  return isPainted() && lostFrames === 0 ? LOST_FRAME : LATE_FRAME;
}

function isPainted(): boolean {
  if (isDocumentHidden()) return false;
  wasPainted ||= performance.getEntriesByType('paint').length > 0;
  return wasPainted;
}
