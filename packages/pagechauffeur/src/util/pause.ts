import type { Progress } from './progress.ts';

/** Waits for the given time. Rejects if the call ends first. */
export async function pause(progress: Progress, milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await progress.race(promise);
  } finally {
    clearTimeout(timer);
  }
}
