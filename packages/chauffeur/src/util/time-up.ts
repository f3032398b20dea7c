/**
 * Calls back when so many milliseconds have gone by and what had come by then has been read; returns what prevents that.
 * Node runs timers that are due before it reads from sockets again, so that in a process that was busy with something else a
 * bare timer comes before answers that were there in time
 * (https://nodejs.org/learn/asynchronous-work/event-loop-timers-and-nexttick).
 */
export function whenTimeIsUp(ms: number, callback: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(callback);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}
