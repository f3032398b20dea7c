import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;
/** Positions after the process name in `/proc/<pid>/stat`: own CPU time, and that of ended child processes. */
const TIME_FIELDS = [11, 12, 13, 14];

/** CPU time of these processes and all their descendants, in ms. */
export function processorTime(pids: readonly number[]): number {
  const ticks = pids.flatMap(familyOf).flatMap((pid) => {
    // The process name, in parentheses, may contain spaces.
    const fields = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
    return TIME_FIELDS.map((field) => Number(fields[field] ?? 0));
  });
  return TICK_MS * ticks.reduce((sum, each) => sum + each, 0);
}

/** Proportional memory (PSS) of these processes, in MB. Shared pages count in part for each process. */
export function memoryOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return sizes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** Returns the process and all its descendants. */
export function familyOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(
    all.map((each) => [each, Number(/^PPid:\s+(\d+)/m.exec(textOf(`/proc/${each}/status`))?.[1])]),
  );
  const family = [pid];
  for (const member of family) family.push(...all.filter((each) => parents.get(each) === member));
  return family;
}

/** Returns `''` if the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
