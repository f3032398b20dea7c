import { startTimer } from './start-timer.ts';

/** Resolves with `undefined` if the promise is still pending after `ms` milliseconds. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let stopClock: (() => void) | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    stopClock = startTimer(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    stopClock?.();
  }
}
