import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Called before each run. Otherwise a library would pay for garbage of the previous one, because they share a process.
 */
export const collectGarbage: () => void = exposedCollector();
/** Time for the garbage collector's threads, and for the page to render the changes from `prepare`, in ms. */
const QUIET_MS = 100;

/** `prepare` is called before each run and is not timed. */
export interface Candidate {
  readonly name: string;
  prepare?(): Promise<unknown>;
  run(): Promise<unknown>;
}

/** Runs of each candidate. Warm-ups are not counted. */
export interface RunCounts {
  readonly warmUps: number;
  readonly runs: number;
}

/** In ms. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

/**
 * Times the candidates in turns (A B C, A B C, …), so that other load on the machine affects all of them. Warm-ups use
 * the same turns.
 */
export async function measureInterleaved(candidates: readonly Candidate[], counts: RunCounts): Promise<Timing[]> {
  const timesByName = new Map<string, number[]>(candidates.map(({ name }) => [name, []]));
  for (let round = -counts.warmUps; round < counts.runs; round++) {
    for (const candidate of candidates) {
      const time = await timeOneRun(candidate);
      if (round >= 0) timesByName.get(candidate.name)?.push(time);
    }
  }
  return [...timesByName].map(([name, times]) => summarize(name, times));
}

/** For an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

async function timeOneRun(candidate: Candidate): Promise<number> {
  await candidate.prepare?.();
  collectGarbage();
  await setTimeout(QUIET_MS);
  const start = performance.now();
  await candidate.run();
  return performance.now() - start;
}

function summarize(name: string, times: readonly number[]): Timing {
  return { name, median: median(times), min: Math.min(...times), max: Math.max(...times), runs: times.length };
}

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
