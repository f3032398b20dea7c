/** Timers of Node and of pages take 32 bits; a longer one would end at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when so many milliseconds have gone by and what had come by then has been read; returns what prevents that.
 * Node runs timers that are due before it reads from sockets again, so that in a process that was busy with something else a
 * bare timer comes before answers that were there in time
 * (https://nodejs.org/learn/asynchronous-work/event-loop-timers-and-nexttick).
 */
export function startTimer(ms: number, callback: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(
    () => {
      reading = setImmediate(callback);
    },
    Math.min(ms, LONGEST_TIMER_MS),
  );
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}
