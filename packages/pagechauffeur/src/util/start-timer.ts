/** Node stores delays as 32-bit integers. A longer one would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back after `ms` milliseconds, once pending input was read. Returns a function that cancels the timer.
 * Node runs due timers before it polls sockets, so in a busy process a plain timer fires before responses that arrived
 * in time (https://nodejs.org/learn/asynchronous-work/event-loop-timers-and-nexttick).
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
