import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type Candidate, type RunCounts } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

/** Few runs on the large pages, where a peer needs many seconds for one. */
const countsBySize: ReadonlyMap<number, RunCounts> = new Map([
  [100, { warmUps: 3, runs: 21 }],
  [1_000, { warmUps: 3, runs: 15 }],
  [10_000, { warmUps: 1, runs: 9 }],
  [40_000, { warmUps: 1, runs: 5 }],
]);

const goalsByPeer = { 'Stagehand 3': 10, Playwright: 5 };
const largestGrowth = 4.5;

/** Time of one snapshot of a shop table, by its size. A text on the page changes before each run. */
export async function benchmarkSnapshot(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const rows: Row[] = [];
  for (const [size, counts] of countsBySize) {
    await Promise.all(libraries.map((library) => library.goto(server.tableUrl(size))));
    const timings = await measureInterleaved(libraries.flatMap(candidatesOf), counts);
    rows.push(
      ...timings.map(({ name, ...timing }): Row => ({
        subject: subjectOf(size),
        library: name,
        unit: 'ms',
        ...timing,
      })),
    );
  }
  return { title: 'Snapshot of a shop table', rows, goals: [...speedGoals(rows), ...growthGoals(rows)] };
}

function candidatesOf(library: Library): Candidate[] {
  let round = 0;
  const prepare = () => library.evaluate(`document.querySelector('#note').textContent = 'Round ${round++}'`);
  const candidates: Candidate[] = [];
  if (library.snapshot) candidates.push({ name: library.name, prepare, run: library.snapshot });
  if (library.wholeSnapshot)
    candidates.push({ name: `${library.name}, unfolded`, prepare, run: library.wholeSnapshot });
  return candidates;
}

function subjectOf(size: number): string {
  return `${size.toLocaleString('en-US')} elements`;
}

function speedGoals(rows: readonly Row[]): Goal[] {
  const sizes = [...countsBySize.keys()].filter((size) => size >= 1_000);
  return sizes.map(subjectOf).flatMap((subject) =>
    Object.entries(goalsByPeer).flatMap(([peer, atLeast]) => {
      const ratio = ratioOf(medianOf(rows, subject, peer), medianOf(rows, subject, ownName));
      return ratio === undefined
        ? []
        : [goal(`${subject}: at least ${atLeast} × as fast as ${peer}`, ratio, { atLeast }, ' ×')];
    }),
  );
}

function growthGoals(rows: readonly Row[]): Goal[] {
  const growth = ratioOf(medianOf(rows, subjectOf(40_000), ownName), medianOf(rows, subjectOf(10_000), ownName));
  if (growth === undefined) return [];
  return [
    goal(`10,000 to 40,000 elements: at most ${largestGrowth} × the time`, growth, { atMost: largestGrowth }, ' ×'),
  ];
}
