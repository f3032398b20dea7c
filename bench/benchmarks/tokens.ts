import { countTokens } from 'gpt-tokenizer';
import { ownName, type Library } from '../library.ts';
import type { OrdinaryPage, PageServer } from '../page-server.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

const ordinaryPages: readonly OrdinaryPage[] = ['checkout', 'article', 'cards'];
/** 1,000 rows. */
const longTableSize = 10_030;
const longTable = 'table of 1,000 rows';
const tableLimit = 8_000;
const largestShare = 0.45;

/** Tokens (o200k_base) of the text that a model would read, page by page. */
export async function benchmarkTokens(libraries: readonly Library[], server: PageServer): Promise<Report> {
  const urlBySubject = new Map([
    ...ordinaryPages.map((name): [string, string] => [subjectOf(name), server.pageUrl(name)]),
    [longTable, server.tableUrl(longTableSize)],
  ]);
  const rows: Row[] = [];
  for (const [subject, url] of urlBySubject) {
    for (const library of libraries) rows.push(...(await tokenRows(library, subject, url)));
  }
  return { title: 'Tokens of the text shown to a model (o200k_base)', rows, goals: goalsFor(rows) };
}

function subjectOf(name: OrdinaryPage): string {
  return `${name} page`;
}

async function tokenRows(library: Library, subject: string, url: string): Promise<Row[]> {
  if (!library.snapshot) return [];
  await library.goto(url);
  const rows = [rowOf(subject, library.name, await library.snapshot())];
  if (library.wholeSnapshot) rows.push(rowOf(subject, `${library.name}, unfolded`, await library.wholeSnapshot()));
  return rows;
}

function rowOf(subject: string, library: string, text: string): Row {
  const count = countTokens(text);
  return { subject, library, unit: 'tokens', median: count, min: count, max: count, runs: 1 };
}

function goalsFor(rows: readonly Row[]): Goal[] {
  const own = medianOf(rows, longTable, ownName);
  const shares = ordinaryPages.map(subjectOf).flatMap((subject) => {
    const share = ratioOf(medianOf(rows, subject, ownName), medianOf(rows, subject, 'Playwright'));
    return share === undefined
      ? []
      : [goal(`${subject}: at most ${largestShare} × Playwright's`, share, { atMost: largestShare }, ' ×')];
  });
  return own === undefined ? shares : [...shares, goal(`${longTable}: at most 8,000`, own, { atMost: tableLimit })];
}
