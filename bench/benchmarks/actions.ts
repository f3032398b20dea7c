import { setTimeout } from 'node:timers/promises';
import { ownName, type Library } from '../library.ts';
import { measureInterleaved, type Candidate } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { productName } from '../pages.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

const pageSize = 300;
// A click may just miss the next frame. Many runs average this out.
const counts = { warmUps: 5, runs: 41 };
const PROOF_LOOKS = 50;
const PROOF_PAUSE_MS = 20;
const allRuns = counts.warmUps + counts.runs;

type Run = () => Promise<unknown>;

/** A kind of action, with a check that every run has taken effect. */
interface Subject {
  readonly name: string;
  /** Default: the plain table. */
  readonly urlAt?: (server: PageServer) => string;
  /** Undefined if the library does not support the action. */
  runOf(library: Library): Run | undefined;
  /** A JavaScript expression that is true in the page when all runs have taken effect. */
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

const clickInFrameSubject: Subject = {
  name: 'click a button in a cross-site frame',
  urlAt: (server) => server.framedTableUrl(pageSize),
  runOf: ({ clickInFrame }) => clickInFrame && (() => clickInFrame('#shop', '#add-5')),
  proof: `told.cart === 'Cart (${allRuns})'`,
};

const fillInFrameSubject: Subject = {
  name: 'fill a field in a cross-site frame',
  urlAt: (server) => server.framedTableUrl(pageSize),
  runOf: ({ fillInFrame }) => fillInFrame && repeatedFill((selector, value) => fillInFrame('#shop', selector, value)),
  proof: `told.search === 'blue mug ${allRuns}'`,
};

const replaySubject: Subject = {
  name: 'act with an action, without a model',
  runOf: ({ actOnAction }) => actOnAction && (() => actOnAction('xpath=//*[@id="pick-3"]')),
  proof: `ticks === ${allRuns}`,
};

const sentenceSubject: Subject = {
  name: 'act with a sentence, model takes 0 ms',
  runOf: ({ actOnCheckbox }) => actOnCheckbox && (() => actOnCheckbox(`Pick ${productName(4)}`)),
  proof: `ticks === ${allRuns}`,
};

const cachedSubject: Subject = {
  name: 'act with a sentence, from the cache',
  runOf: ({ actFromCache }) => actFromCache && (() => actFromCache(`Pick ${productName(5)}`)),
  proof: `ticks === ${allRuns}`,
};

const frameSubjects = [clickInFrameSubject, fillInFrameSubject];
const actSubjects = [replaySubject, sentenceSubject, cachedSubject];
const subjects = [clickSubject, fillSubject, ...frameSubjects, ...actSubjects];

/** Times single actions on a static page of 300 elements. */
export async function benchmarkActions(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const rows: Row[] = [];
  for (const subject of subjects) {
    const able = libraries.filter((library) => subject.runOf(library));
    const url = subject.urlAt?.(server) ?? server.tableUrl(pageSize);
    await Promise.all(able.map((library) => library.load(url)));
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
  // Messages from a frame in another process arrive later.
  for (let look = 0; look < PROOF_LOOKS; look += 1) {
    if ((await library.evaluate(proof)) === true) return;
    await setTimeout(PROOF_PAUSE_MS);
  }
  throw new Error(`${library.name}, ${name}: not every run took effect (${proof}).`);
}

function repeatedFill(fill: NonNullable<Library['fill']>): Run {
  let round = 0;
  return () => fill('#search', `blue mug ${++round}`);
}

function goalsFor(rows: readonly Row[]): Goal[] {
  return [
    ...[clickSubject, clickInFrameSubject].flatMap(({ name }) => [
      ...shareGoal(rows, name, { peer: 'Stagehand 3', atMost: 0.6 }),
      ...shareGoal(rows, name, { peer: 'Playwright', atMost: 0.3 }),
    ]),
    ...[fillSubject, fillInFrameSubject].flatMap(({ name }) =>
      shareGoal(rows, name, { peer: 'Playwright', atMost: 0.7 }),
    ),
    ...timeGoal(rows, sentenceSubject.name, 60),
    ...['Stagehand 3', 'Stagehand 4'].flatMap((peer) => shareGoal(rows, sentenceSubject.name, { peer, atMost: 1 / 8 })),
    ...timeGoal(rows, cachedSubject.name, 25),
  ];
}

function timeGoal(rows: readonly Row[], subject: string, atMost: number): Goal[] {
  const median = medianOf(rows, subject, ownName);
  return median === undefined ? [] : [goal(`${subject}: at most ${atMost} ms`, median, { atMost, unit: ' ms' })];
}

function shareGoal(rows: readonly Row[], subject: string, { peer, atMost }: { peer: string; atMost: number }): Goal[] {
  const share = ratioOf(medianOf(rows, subject, ownName), medianOf(rows, subject, peer));
  return share === undefined
    ? []
    : [goal(`${subject}: at most ${atMost} × ${peer}'s time`, share, { atMost, unit: ' ×' })];
}
