import { isDocumentHidden } from '../../native-document.ts';
import { startTimer } from '../timer.ts';

/** A hidden document gets no animation frames. A timer of this many ms replaces each of them. */
const HIDDEN_FRAME = 50;
/**
 * The timer for a child frame outside the viewport, which gets no frames although it is not `hidden`. Longer, because
 * on a busy page a frame may only be late.
 */
const LATE_FRAME = 250;
/** Timeout in ms for a frame of a painted document. On a busy machine, frames are late. */
const LOST_FRAME = 1000;
/** After this many timeouts in a row (almost 3 s), no frame is expected: another window may cover this one. */
const MAX_LOST_FRAMES = 8;

/** A child frame may never have been in the viewport. The top-level page counts as painted from the start. */
let wasPainted = parent === window;
let lostFrames = 0;
/**
 * Id of a frame request that timed out. It stays active until the next request, because a late frame shows that the
 * document is painted.
 */
let overdue = 0;

/** Waits for the next animation frame. Falls back to a timer in documents that get no frames. */
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

/**
 * `came`: the last requested frame arrived; `overdue`: it timed out but may still arrive; `none`: this document gets no
 * frames.
 */
export function latestFrame(): 'came' | 'overdue' | 'none' {
  if (lostFrames === 0) return 'came';
  return isPainted() && lostFrames < MAX_LOST_FRAMES ? 'overdue' : 'none';
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
