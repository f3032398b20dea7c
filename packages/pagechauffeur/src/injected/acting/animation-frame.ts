import { isDocumentHidden } from '../native-document.ts';
import { startTimer } from './timer.ts';

/** Timeout in ms that replaces each animation frame of a hidden document, which gets none. */
const HIDDEN_FRAME = 50;
/**
 * The same for a child frame outside the viewport, which gets no animation frames although it is not `hidden`. Longer,
 * because a busy page may render late.
 */
const LATE_FRAME = 250;
/** Maximum ms until the next frame of a painted document, which may be late on a busy machine. */
const LOST_FRAME = 1000;
/** After this many missing frames in a row (almost 3 s), no frame is expected: another window may cover this one. */
const MOST_LOST_FRAMES = 8;

/**
 * True if the document was painted. The top-level page counts as painted; a child frame may never have been in the
 * viewport.
 */
let wasPainted = parent === window;
/** Number of consecutive frames that were requested and did not arrive. */
let lostFrames = 0;
/** Request id of a frame that timed out. If it arrives later, the document is painted. */
let overdue = 0;

/** Waits for the next animation frame, or for a timeout if the document is not painted. */
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

/** State of the last requested frame. `overdue`: a painted document did not get it in time, but it may still arrive. */
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
