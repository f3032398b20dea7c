import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type Candidate, type RunCounts } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

const pageSize = 300;
const counts = { warmUps: 3, runs: 15 };
/**
 * Navigations vary by a factor of 2. The ratio of two libraries varied by 15 % with 15 runs, and by 7 % with 60 runs.
 */
const navigationCounts = { ...counts, runs: 60 };
/** Goal: at most 5 % slower. Smaller differences are noise of the machine. */
const noSlower = 1.05;

/** A call other than an action. Libraries without it are left out. */
interface Subject {
  readonly name: string;
  readonly counts: RunCounts;
  candidateOf(library: Library, server: PageServer): Omit<Candidate, 'name'> | undefined;
}

const subjects: readonly Subject[] = [
  { name: 'evaluate', counts, candidateOf: (library) => ({ run: () => library.evaluate('document.title') }) },
  {
    name: 'goto, until the load event',
    counts: navigationCounts,
    candidateOf: (library, server) => ({ run: () => library.load(server.tableUrl(pageSize)) }),
  },
  { name: 'screenshot of the viewport', counts, candidateOf: ({ screenshot }) => screenshot && { run: screenshot } },
  { name: 'new page', counts, candidateOf: ({ newPage }) => newPage && newPageCandidate(newPage) },
];

/** Times calls that other libraries have optimized for years, on a page of 300 elements. */
export async function benchmarkCalls(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const rows: Row[] = [];
  await Promise.all(libraries.map((library) => library.goto(server.tableUrl(pageSize))));
  for (const subject of subjects) {
    const candidates = libraries.flatMap((library): Candidate[] => {
      const candidate = subject.candidateOf(library, server);
      return candidate ? [{ name: library.name, ...candidate }] : [];
    });
    const timings = await measureInterleaved(candidates, subject.counts);
    rows.push(
      ...timings.map(({ name, ...timing }): Row => ({ subject: subject.name, library: name, unit: 'ms', ...timing })),
    );
    for (const candidate of candidates) await candidate.prepare?.();
  }
  return { title: `Other calls on a page of ${pageSize} elements`, rows, goals: subjects.flatMap(goalFor(rows)) };
}

/** Closes the page of the previous run outside the timed part. */
function newPageCandidate(newPage: NonNullable<Library['newPage']>): Omit<Candidate, 'name'> {
  let close: (() => Promise<unknown>) | undefined;
  return {
    prepare: async () => {
      await close?.();
      close = undefined;
    },
    run: async () => {
      close = await newPage();
    },
  };
}

function goalFor(rows: readonly Row[]): (subject: Subject) => Goal[] {
  return ({ name }) => {
    const share = ratioOf(medianOf(rows, name, ownName), medianOf(rows, name, 'Playwright'));
    return share === undefined
      ? []
      : [goal(`${name}: at most ${noSlower} × Playwright's time`, share, { atMost: noSlower, unit: ' ×' })];
  };
}
