import type { Progress } from './progress.ts';

/** Waits for the given time or until the call ends. Returns at once for 0. */
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
