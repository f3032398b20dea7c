/** The longest delay that the browser's timers take, in milliseconds. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Calls back after this many milliseconds, unless the answer is called before. Tasks with a delay, because timers
 * never run in a document that may run no script, such as a mail shown in a sandboxed frame.
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

/** Done when what runs now is over: the listeners of an event, and what the browser does by default after them. */
export async function taskDone(): Promise<void> {
  await scheduler.postTask(() => undefined, { priority: 'user-blocking' });
}

/** Timers that have not run by this many milliseconds beyond their time do not run in this document. */
const LATE_TIMER = 250;
let hasTimers = true;

/** Done when the timers that the page set for this moment have run; at once in a document without timers. */
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

/** A time that is up after so many milliseconds, and not before the timers that the page set for it have run. */
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
