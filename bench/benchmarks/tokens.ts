import { countTokens } from 'gpt-tokenizer';
import { nextObservation } from '../../packages/pagechauffeur/src/snapshot/next-observation.ts';
import type { Snapshot } from '../../packages/pagechauffeur/src/snapshot/snapshot.ts';
import { pagesByKind } from '../kinds/all.ts';
import { openAgentBrowser, type TextLibrary } from '../libraries/agent-browser.ts';
import { ownName, type Library } from '../library.ts';
import type { PageServer } from '../page-server.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

/** Elements of a table with 1,000 rows. */
const longTableSize = 10_030;
const longTable = 'table of 1,000 rows';
const observation = `${longTable}, after one click`;
const tableLimit = 8_000;
const largestShare = 0.45;
const largestObservation = 0.02;

/** Counts the tokens (o200k_base) of the text that a model would read, for each page. */
export async function benchmarkTokens(libraries: readonly Library[], server: PageServer): Promise<Report> {
  await using agentBrowser = await openAgentBrowser();
  const compared: readonly TextLibrary[] = [...libraries, agentBrowser];
  const urlBySubject = new Map([
    ...Object.keys(pagesByKind).map((kind): [string, string] => [subjectOf(kind), server.pageUrl(kind)]),
    [longTable, server.tableUrl(longTableSize)],
  ]);
  const rows: Row[] = [];
  for (const [subject, url] of urlBySubject) {
    for (const library of compared) rows.push(...(await tokenRows(library, subject, url)));
  }
  for (const library of libraries) rows.push(...(await observationRows(library)));
  const title = `Tokens of the text shown to a model (o200k_base); agent-browser ${agentBrowser.version}`;
  return { title, rows, goals: goalsFor(rows) };
}

function subjectOf(kind: string): string {
  return `${kind} page`;
}

async function tokenRows(library: TextLibrary, subject: string, url: string): Promise<Row[]> {
  if (!library.snapshot) return [];
  await library.goto(url);
  const text = await library.snapshot();
  const rows = [rowOf(subject, library.name, text)];
  const whole = await library.wholeSnapshot?.();
  if (whole !== undefined && whole !== text) rows.push(rowOf(subject, `${library.name}, unfolded`, whole));
  return rows;
}

/**
 * Counts what a model reads after one click on the long table. Libraries that report no changes send the page again.
 */
async function observationRows(library: Library): Promise<Row[]> {
  if (!library.snapshot || !library.click) return [];
  const before = await library.snapshot();
  await library.click('#add-3');
  const after = await library.snapshot();
  const text = library.name === ownName ? nextObservation(snapshotOf(before), snapshotOf(after)).text : after;
  return [rowOf(observation, library.name, text)];
}

// The fields that `nextObservation` needs.
function snapshotOf(text: string): Snapshot {
  const refs = new Map([...text.matchAll(/\be\d+(?= )/g)].map(([ref]) => [ref, {}]));
  const foldedItems: Snapshot['foldedItems'] = { byRef: new Map(), byHolder: new Map() };
  return { text, refs, foldedItems, isFolded: text.includes('\n … ') } as unknown as Snapshot;
}

function rowOf(subject: string, library: string, text: string): Row {
  const count = countTokens(text);
  return { subject, library, unit: 'tokens', median: count, min: count, max: count, runs: 1 };
}

function goalsFor(rows: readonly Row[]): Goal[] {
  const shares = Object.keys(pagesByKind).flatMap((kind) => shareOf(rows, subjectOf(kind)) ?? []);
  const mean = Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length);
  const table = medianOf(rows, longTable, ownName);
  const whole = medianOf(rows, longTable, `${ownName}, unfolded`);
  const change = ratioOf(medianOf(rows, observation, ownName), whole);
  return [
    ...(shares.length > 0
      ? [
          goal(`${shares.length} pages: at most ${largestShare} × Playwright's tokens (geometric mean)`, mean, {
            atMost: largestShare,
            unit: ' ×',
          }),
        ]
      : []),
    ...(table === undefined ? [] : [goal(`${longTable}: at most 8,000 tokens`, table, { atMost: tableLimit })]),
    ...(change === undefined
      ? []
      : [
          goal(`after one click: at most ${largestObservation} × the tokens of the page`, change, {
            atMost: largestObservation,
          }),
        ]),
  ];
}

function shareOf(rows: readonly Row[], subject: string): number | undefined {
  const own = medianOf(rows, subject, `${ownName}, unfolded`) ?? medianOf(rows, subject, ownName);
  return ratioOf(own, medianOf(rows, subject, 'Playwright'));
}
