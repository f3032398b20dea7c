import { openLibraries } from '../libraries/all.ts';
import { ownName, type Library } from '../library.ts';
import { measureInterleaved } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { goal, medianOf, type Goal, type Report, type Row } from '../report.ts';

const pageSize = 300;
const roundTripMs = 40;
const counts = { warmUps: 1, runs: 5 };
const limitBySubject: ReadonlyMap<string, number> = new Map([
  ['click', 110],
  ['fill', 120],
  ['click in a cross-site frame', 120],
  ['fill in a cross-site frame', 120],
]);

type RunOf = (library: Library) => (() => Promise<unknown>) | undefined;

const runBySubject: ReadonlyMap<string, RunOf> = new Map<string, RunOf>([
  ['click', ({ click }) => click && (() => click('#add-5'))],
  ['fill', ({ fill }) => fill && (() => fill('#search', 'blue mug'))],
  ['snapshot', ({ snapshot }) => snapshot],
  ['read text', ({ readText }) => readText && (() => readText('#add-5'))],
  ['count', ({ count }) => count && (() => count('button.add'))],
  ['wait for an existing element', ({ waitFor }) => waitFor && (() => waitFor('#add-5'))],
]);

const framedRunBySubject: ReadonlyMap<string, RunOf> = new Map<string, RunOf>([
  ['click in a cross-site frame', ({ clickInFrame }) => clickInFrame && (() => clickInFrame('#shop', '#add-5'))],
  [
    'fill in a cross-site frame',
    ({ fillInFrame }) => fillInFrame && (() => fillInFrame('#shop', '#search', 'blue mug')),
  ],
]);

/** Times single calls with a round trip of 40 ms to the browser. Shows how many sequential round trips a call needs. */
export async function benchmarkLatency(server: PageServer, baseline?: string): Promise<Report> {
  await using libraries = await openLibraries({ oneWayMs: roundTripMs / 2, baseline });
  const rows = [
    ...(await measureOn(server.tableUrl(pageSize), libraries.opened, runBySubject)),
    ...(await measureOn(server.framedTableUrl(pageSize), libraries.opened, framedRunBySubject)),
  ];
  return {
    rows: [...rows, ...rows.filter(isWholeRoundTrips).map(inRoundTrips)],
    title: `Calls with a ${roundTripMs} ms round trip, on a page of ${pageSize} elements`,
    goals: [...limitBySubject].flatMap(([subject, limit]) => limitGoal(rows, subject, limit)),
  };
}

async function measureOn(
  url: string,
  libraries: readonly Library[],
  subjects: ReadonlyMap<string, RunOf>,
): Promise<Row[]> {
  await Promise.all(libraries.map((library) => library.load(url)));
  const rows: Row[] = [];
  for (const [subject, runOf] of subjects) {
    const candidates = libraries.flatMap((library) => {
      const run = runOf(library);
      return run ? [{ name: library.name, run }] : [];
    });
    const timings = await measureInterleaved(candidates, counts);
    rows.push(...timings.map(({ name, ...timing }): Row => ({ subject, library: name, unit: 'ms', ...timing })));
  }
  return rows;
}

// Stagehand 4 runs next to the browser, so its times do not consist of round trips.
function isWholeRoundTrips({ library }: Row): boolean {
  return library !== 'Stagehand 4';
}

/** Converts times to sequential round trips. */
function inRoundTrips(row: Row): Row {
  const { subject, median, min, max } = row;
  return {
    ...row,
    subject: `${subject}, round trips`,
    unit: 'round trips',
    median: trips(median),
    min: trips(min),
    max: trips(max),
  };
}

function trips(milliseconds: number): number {
  return Math.floor(milliseconds / roundTripMs);
}

function limitGoal(rows: readonly Row[], subject: string, limit: number): Goal[] {
  const time = medianOf(rows, subject, ownName);
  return time === undefined ? [] : [goal(`${subject}: at most ${limit} ms`, time, { atMost: limit, unit: ' ms' })];
}
