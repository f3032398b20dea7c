/** Maximum delay of a browser timer, in ms. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Returns a function that cancels the timer. Uses `scheduler.postTask`, because `setTimeout` never fires in a document
 * without scripts, such as a mail in a sandboxed frame.
 */
export function startTimer(callback: () => void, delay: number): () => void {
  const stopped = new AbortController();
  scheduler
    .postTask(callback, { delay: Math.min(delay, LONGEST_DELAY), signal: stopped.signal })
    .catch((reason: unknown) => {
      if (!stopped.signal.aborted) throw reason;
    });
  return () => stopped.abort();
}

/** Resolves after the current task, which includes the remaining listeners of an event and its default action. */
export async function taskDone(): Promise<void> {
  await scheduler.postTask(() => undefined, { priority: 'user-blocking' });
}

/** If a timer is late by this many ms, timers count as disabled in this document. */
const LATE_TIMER = 250;
let hasTimers = true;

/**
 * Resolves after the page's timers with at most this delay. Resolves immediately if timers are disabled in the
 * document.
 */
export function timersDone(delay: number): Promise<void> {
  if (!hasTimers) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = startTimer(() => {
    hasTimers = false;
    resolve();
  }, delay + LATE_TIMER);
  setTimeout(() => {
    hasTimers = true;
    stop();
    resolve();
  }, delay);
  return promise;
}

/** A timeout that does not end before the page's timers with the same delay have run. */
export class PageTime {
  isUp = false;

  constructor(delay: number) {
    void this.#pass(delay);
  }

  async #pass(delay: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    startTimer(resolve, delay);
    await Promise.all([promise, timersDone(delay)]);
    this.isUp = true;
  }
}
