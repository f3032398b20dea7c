import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** Its own, and that of those that it started and that have ended. */
const TIME_FIELDS = [11, 12, 13, 14];

/** Processor time that these processes, and all that they started, have taken so far, in milliseconds. */
export function processorTime(pids: readonly number[]): number {
  const ticks = pids.flatMap(familyOf).flatMap((pid) => {
    // What stands before the bracket is the name, which may hold spaces.
    const fields = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
    return TIME_FIELDS.map((field) => Number(fields[field] ?? 0));
  });
  return TICK_MS * ticks.reduce((sum, each) => sum + each, 0);
}

/** Memory of these processes in MB; what several share counts for each in part. */
export function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return sizes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** A process with all that it started, and what those started. */
export function familyOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(
    all.map((each) => [each, Number(/^PPid:\s+(\d+)/m.exec(textOf(`/proc/${each}/status`))?.[1])]),
  );
  const family = [pid];
  for (const member of family) family.push(...all.filter((each) => parents.get(each) === member));
  return family;
}

/** Empty for a process that has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
