import { ownName, type Library } from '../library.ts';
import { collectGarbage } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { productName } from '../pages.ts';
import { goal, type Report, type Row } from '../report.ts';

const pageSize = 300;
const warmUps = 200;
const acts = 1000;
/** Goal: the heap grows by at most 5 %. This includes the history, which keeps every call. */
const mostGrowth = 1.05;

/** Compares the heap before and after 1,000 acts of one driver, each time after garbage collection. */
export async function benchmarkMemory(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const library = libraries.find(({ name }) => name === ownName);
  if (!library?.actOnCheckbox) throw new Error('The benchmark needs a library with actOnCheckbox.');
  await library.load(server.tableUrl(pageSize));
  await actRepeatedly(library.actOnCheckbox, warmUps);
  const before = heapInUse();
  await actRepeatedly(library.actOnCheckbox, acts);
  const after = heapInUse();
  return {
    title: `Heap growth over ${acts.toLocaleString('en-US')} act calls`,
    rows: [rowOf(`after ${warmUps} calls`, before), rowOf(`after ${acts.toLocaleString('en-US')} more`, after)],
    goals: [
      goal(`after ${acts.toLocaleString('en-US')} more: at most ${mostGrowth} × the heap before`, after / before, {
        atMost: mostGrowth,
        unit: ' ×',
      }),
    ],
  };
}

async function actRepeatedly(act: (instruction: string) => Promise<unknown>, times: number): Promise<void> {
  for (let round = 0; round < times; round++) await act(`Pick ${productName((round % 10) + 1)}`);
}

function rowOf(subject: string, kilobytes: number): Row {
  return { subject, library: ownName, unit: 'kB', median: kilobytes, min: kilobytes, max: kilobytes, runs: 1 };
}

/** In kB (1,000 bytes). */
function heapInUse(): number {
  // The second collection frees what the finalizers of the first one release.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed / 1000;
}
