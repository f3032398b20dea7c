import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '../../packages/pagechauffeur/src/index.ts';

/** What was broken, what whoever used the platform saw of it, and how many milliseconds after. */
export type Outcome = readonly [fault: string, seen: string, ms: number];

const LOOK_AGAIN_MS = 100;
/** On a machine that has other things to do, a part takes this long to begin at most. */
const LONGEST_MS = 180_000;

/** What a call in flight comes to, and how long after the fault. */
export async function lossOf(
  page: Page,
  fault: () => Promise<unknown>,
): Promise<{ readonly seen: string; readonly ms: number }> {
  const call = page.evaluate('new Promise(() => undefined)').then(() => 'it came to an end', sayingOf);
  const start = performance.now();
  await fault();
  return { seen: await call, ms: performance.now() - start };
}

/** An error in one line. */
export function sayingOf(error: unknown): string {
  return error instanceof Error ? `\`${error.name}\`: ${error.message.split('\n', 1)[0]}` : String(error);
}

/** What some work comes to: the first line of its error, or these words when it succeeds. */
export async function saying(work: Promise<unknown>, success: string): Promise<string> {
  return work.then(() => success, sayingOf);
}

/** How long some work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How long it takes until something can be done. */
export async function timeUntil(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await work();
      return performance.now() - start;
    } catch (error) {
      if (performance.now() - start > LONGEST_MS) throw error;
      // Nothing tells that a part is back.
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/** Fails when what should hold does not: then the table would tell what is not so. */
export function insist(holds: boolean, what: string): void {
  if (!holds) throw new TypeError(`it is not so that ${what}`);
}
