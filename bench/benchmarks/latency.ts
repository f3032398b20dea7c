import { openLibraries } from '../libraries/all.ts';
import { ownName, type Library } from '../library.ts';
import { measureInterleaved } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { goal, medianOf, type Report, type Row } from '../report.ts';

const pageSize = 300;
const roundTripMs = 40;
const counts = { warmUps: 1, runs: 5 };
const clickLimit = 110;

type RunOf = (library: Library) => (() => Promise<unknown>) | undefined;

const runBySubject: ReadonlyMap<string, RunOf> = new Map<string, RunOf>([
  ['click', ({ click }) => click && (() => click('#add-5'))],
  ['fill', ({ fill }) => fill && (() => fill('#search', 'blue mug'))],
  ['snapshot', ({ snapshot }) => snapshot],
]);

/** Time of single calls when the browser is 40 ms away; it shows how many answers a call waits for, one after another. */
export async function benchmarkLatency(server: PageServer): Promise<Report> {
  await using libraries = await openLibraries({ oneWayMs: roundTripMs / 2 });
  await Promise.all(libraries.opened.map((library) => library.goto(server.tableUrl(pageSize))));
  const rows: Row[] = [];
  for (const [subject, runOf] of runBySubject) {
    const candidates = libraries.opened.flatMap((library) => {
      const run = runOf(library);
      return run ? [{ name: library.name, run }] : [];
    });
    const timings = await measureInterleaved(candidates, counts);
    rows.push(...timings.map(({ name, ...timing }): Row => ({ subject, library: name, unit: 'ms', ...timing })));
  }
  const click = medianOf(rows, 'click', ownName);
  const goals =
    click === undefined ? [] : [goal(`click: at most ${clickLimit} ms`, click, { atMost: clickLimit }, ' ms')];
  return { title: `With ${roundTripMs} ms to the browser and back, ${pageSize} elements`, rows, goals };
}
