import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type Candidate, type RunCounts } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

/**
 * A page with its number of runs, which is small for large pages: another library needs several seconds for one
 * snapshot.
 */
interface Subject {
  readonly name: string;
  readonly counts: RunCounts;
  urlAt(server: PageServer): string;
}

const subjects: readonly Subject[] = [
  table(100, { warmUps: 3, runs: 21 }),
  table(1_000, { warmUps: 3, runs: 15 }),
  table(10_000, { warmUps: 1, runs: 9 }),
  {
    ...table(10_000, { warmUps: 1, runs: 5 }),
    name: '10,000 elements, styled',
    urlAt: (server) => server.styledTableUrl(10_000),
  },
  table(40_000, { warmUps: 1, runs: 5 }),
];

/** Goals apply from 1,000 elements on. */
const goalSubjects = subjects.slice(1);
const goalsByPeer = { 'Stagehand 3': 10, Playwright: 5 };
const largestGrowth = 4.5;

/** Times one snapshot of a shop table, by table size. Text on the page changes before each run. */
export async function benchmarkSnapshot(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const rows: Row[] = [];
  for (const subject of subjects) {
    await Promise.all(libraries.map((library) => library.goto(subject.urlAt(server))));
    const timings = await measureInterleaved(libraries.flatMap(candidatesOf), subject.counts);
    rows.push(
      ...timings.map(({ name, ...timing }): Row => ({ subject: subject.name, library: name, unit: 'ms', ...timing })),
    );
  }
  return {
    title: 'Snapshot of a shop table, by number of elements',
    rows,
    goals: [...speedGoals(rows), ...growthGoals(rows)],
  };
}

function table(size: number, counts: RunCounts): Subject {
  return { name: sizeName(size), counts, urlAt: (server) => server.tableUrl(size) };
}

function sizeName(size: number): string {
  return `${size.toLocaleString('en-US')} elements`;
}

function candidatesOf(library: Library): Candidate[] {
  let round = 0;
  const prepare = (): Promise<unknown> =>
    library.evaluate(`document.querySelector('#note').textContent = 'Round ${round++}'`);
  const candidates: Candidate[] = [];
  if (library.snapshot) candidates.push({ name: library.name, prepare, run: library.snapshot });
  if (library.wholeSnapshot)
    candidates.push({ name: `${library.name}, unfolded`, prepare, run: library.wholeSnapshot });
  return candidates;
}

function speedGoals(rows: readonly Row[]): Goal[] {
  return goalSubjects.flatMap(({ name }) =>
    Object.entries(goalsByPeer).flatMap(([peer, atLeast]) => {
      const ratio = ratioOf(medianOf(rows, name, peer), medianOf(rows, name, ownName));
      return ratio === undefined
        ? []
        : [goal(`${name}: at least ${atLeast} × as fast as ${peer}`, ratio, { atLeast, unit: ' ×' })];
    }),
  );
}

function growthGoals(rows: readonly Row[]): Goal[] {
  const growth = ratioOf(medianOf(rows, sizeName(40_000), ownName), medianOf(rows, sizeName(10_000), ownName));
  if (growth === undefined) return [];
  return [
    goal(`40,000 elements: at most ${largestGrowth} × the time for 10,000`, growth, {
      atMost: largestGrowth,
      unit: ' ×',
    }),
  ];
}
