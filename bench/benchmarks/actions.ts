import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type Candidate } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { productName } from '../pages.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

const pageSize = 300;
const counts = { warmUps: 3, runs: 15 };
const allRuns = counts.warmUps + counts.runs;

type Run = () => Promise<unknown>;

/** A kind of action, and how to see afterwards that every run of it has taken effect. */
interface Subject {
  readonly name: string;
  /** How a library does it; undefined when it cannot. */
  runOf(library: Library): Run | undefined;
  /** An expression in the page that is true when all runs have taken effect. */
  readonly proof: string;
}

const clickSubject: Subject = {
  name: 'click a button',
  runOf: ({ click }) => click && (() => click('#add-5')),
  proof: `cart.textContent === 'Cart (${allRuns})'`,
};

const fillSubject: Subject = {
  name: 'fill a field',
  runOf: ({ fill }) => fill && repeatedFill(fill),
  proof: `search.value === 'blue mug ${allRuns}'`,
};

const replaySubject: Subject = {
  name: 'act, step known',
  runOf: ({ actOnAction }) => actOnAction && (() => actOnAction('xpath=//*[@id="pick-3"]')),
  proof: `ticks === ${allRuns}`,
};

const sentenceSubject: Subject = {
  name: 'act by a sentence, model takes 0 ms',
  runOf: ({ actOnCheckbox }) => actOnCheckbox && (() => actOnCheckbox(`Pick ${productName(4)}`)),
  proof: `ticks === ${allRuns}`,
};

/** Time of single actions on a static page of 300 elements. */
export async function benchmarkActions(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const rows: Row[] = [];
  for (const subject of [clickSubject, fillSubject, replaySubject, sentenceSubject]) {
    const able = libraries.filter((library) => subject.runOf(library));
    await Promise.all(able.map((library) => library.goto(server.tableUrl(pageSize))));
    const timings = await measureInterleaved(
      able.flatMap((library) => candidateOf(library, subject)),
      counts,
    );
    await Promise.all(able.map((library) => proveEffect(library, subject)));
    rows.push(
      ...timings.map(({ name, ...timing }): Row => ({ subject: subject.name, library: name, unit: 'ms', ...timing })),
    );
  }
  return { title: `Actions on a page of ${pageSize} elements`, rows, goals: goalsFor(rows) };
}

function candidateOf(library: Library, subject: Subject): Candidate[] {
  const run = subject.runOf(library);
  return run ? [{ name: library.name, run }] : [];
}

async function proveEffect(library: Library, { name, proof }: Subject): Promise<void> {
  if ((await library.evaluate(proof)) !== true)
    throw new Error(`${library.name}, ${name}: not every run took effect (${proof}).`);
}

function repeatedFill(fill: NonNullable<Library['fill']>): Run {
  let round = 0;
  return () => fill('#search', `blue mug ${++round}`);
}

function goalsFor(rows: readonly Row[]): Goal[] {
  const sentence = medianOf(rows, sentenceSubject.name, ownName);
  return [
    ...shareGoal(rows, clickSubject.name, { peer: 'Stagehand 3', atMost: 0.6 }),
    ...shareGoal(rows, fillSubject.name, { peer: 'Playwright', atMost: 0.7 }),
    ...(sentence === undefined
      ? []
      : [goal(`${sentenceSubject.name}: at most 60 ms`, sentence, { atMost: 60 }, ' ms')]),
  ];
}

function shareGoal(rows: readonly Row[], subject: string, { peer, atMost }: { peer: string; atMost: number }): Goal[] {
  const share = ratioOf(medianOf(rows, subject, ownName), medianOf(rows, subject, peer));
  return share === undefined ? [] : [goal(`${subject}: at most ${atMost} × ${peer}'s time`, share, { atMost }, ' ×')];
}
