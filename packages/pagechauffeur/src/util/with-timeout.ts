import { startTimer } from './start-timer.ts';

/** Resolves with the promise's value, or with `undefined` after `ms` milliseconds. */
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
