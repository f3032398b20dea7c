import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '../../packages/pagechauffeur/src/index.ts';

/** What was broken, what the user saw, and after how many milliseconds. */
export type Outcome = readonly [fault: string, seen: string, ms: number];

const LOOK_AGAIN_MS = 100;
/** Maximum start time of a part on a busy machine. */
const LONGEST_MS = 180_000;

/** Returns the outcome of a pending call, and how long after the fault it came. */
export async function lossOf(
  page: Page,
  fault: () => Promise<unknown>,
): Promise<{ readonly seen: string; readonly ms: number }> {
  const call = page.evaluate('new Promise(() => undefined)').then(() => 'it ended', sayingOf);
  const start = performance.now();
  await fault();
  return { seen: await call, ms: performance.now() - start };
}

/** Formats an error in one line. */
export function sayingOf(error: unknown): string {
  return error instanceof Error ? `\`${error.name}\`: ${error.message.split('\n', 1)[0]}` : String(error);
}

/** Returns the first line of the error, or `success`. */
export async function saying(work: Promise<unknown>, success: string): Promise<string> {
  return work.then(() => success, sayingOf);
}

/** Measures how long work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Measures how long it takes until work succeeds. */
export async function timeUntil(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await work();
      return performance.now() - start;
    } catch (error) {
      if (performance.now() - start > LONGEST_MS) throw error;
      // No event reports that a part is back.
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/** Throws if an expectation fails, because the table would be wrong. */
export function insist(holds: boolean, what: string): void {
  if (!holds) throw new TypeError(`expected: ${what}`);
}
