import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type RunCounts } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { productName } from '../pages.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

const peer = 'Stagehand 3';
const mostOfPeer = 0.25;

interface Size {
  readonly elements: number;
  readonly counts: RunCounts;
}

const sizes: readonly Size[] = [
  { elements: 1_000, counts: { warmUps: 2, runs: 9 } },
  { elements: 10_000, counts: { warmUps: 1, runs: 5 } },
];

const subjects: ReadonlyMap<string, (library: Library) => (() => Promise<unknown>) | undefined> = new Map([
  ['extract with an instruction', ({ extractText }: Library) => extractText],
  [
    'observe one element',
    ({ observeCheckbox }: Library) => observeCheckbox && (() => observeCheckbox(`Pick ${productName(3)}`)),
  ],
]);

/** Times `observe` and `extract` by page size. The model responds immediately. */
export async function benchmarkReading(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const rows: Row[] = [];
  for (const { elements, counts } of sizes) {
    await Promise.all(libraries.map((library) => library.goto(server.tableUrl(elements))));
    for (const [name, runOf] of subjects) {
      const candidates = libraries.flatMap((library) => {
        const run = runOf(library);
        return run ? [{ name: library.name, run }] : [];
      });
      const timings = await measureInterleaved(candidates, counts);
      const subject = subjectName(name, elements);
      rows.push(...timings.map(({ name: library, ...timing }): Row => ({ subject, library, unit: 'ms', ...timing })));
    }
  }
  return { title: 'extract and observe with a model that takes 0 ms', rows, goals: goals(rows) };
}

function goals(rows: readonly Row[]): Goal[] {
  return sizes.flatMap(({ elements }) =>
    [...subjects.keys()].flatMap((name) => {
      const subject = subjectName(name, elements);
      const share = ratioOf(medianOf(rows, subject, ownName), medianOf(rows, subject, peer));
      return share === undefined
        ? []
        : [goal(`${subject}: at most ${mostOfPeer} × ${peer}'s time`, share, { atMost: mostOfPeer, unit: ' ×' })];
    }),
  );
}

function subjectName(name: string, elements: number): string {
  return `${name}, ${elements.toLocaleString('en-US')} elements`;
}
