import { chromium } from 'playwright-core';
import { findChromium } from '../chromium.ts';
import { ownName } from '../library.ts';
import { startWidgetServer, widgetPages } from '../reach/pages.ts';
import { type Reach, reachOf, type RefBox, reactingUnits } from '../reach/reach.ts';
import { ChauffeurReader, playwrightRefBoxes } from '../reach/ref-boxes.ts';
import { Trials } from '../reach/trials.ts';
import { goal, type Report } from '../report.ts';

const OVERALL_RECALL = 98;
const PAGE_RECALL = 95;
const PRECISION = 90;
const HEADS = ['page', 'library', 'reacting elements', 'with a ref', '%', 'refs', 'that react', '%'];

interface PageReach {
  readonly page: string;
  readonly library: string;
  readonly reach: Reach;
}

/** How many of the elements that react to a click have a ref, on pages of widget libraries; the truth is found by clicking. */
export async function benchmarkReach(): Promise<Report> {
  const executablePath = findChromium();
  await using server = await startWidgetServer();
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  await using reader = await ChauffeurReader.open(executablePath);
  const found: PageReach[] = [];
  for (const page of widgetPages()) {
    await using trials = await Trials.open(browser, server.urlOf(page));
    const truth = await reactingUnits(trials);
    const boxes: readonly (readonly [library: string, boxes: readonly RefBox[]])[] = [
      [ownName, await reader.refBoxes(server.urlOf(page))],
      ['Playwright ai', await playwrightRefBoxes(await trials.load())],
    ];
    for (const [library, ofLibrary] of boxes)
      found.push({ page, library, reach: await reachOf(trials, truth, ofLibrary) });
  }
  const lines = found.map(lineOf);
  for (const library of new Set(found.map((one) => one.library))) lines.push(lineOf(sum(found, library)));
  return {
    title: 'Elements of widget libraries that react to a click and have a ref',
    rows: [],
    goals: goalsFor(found),
    table: { heads: HEADS, lines },
  };
}

function lineOf({ page, library, reach }: PageReach): string[] {
  const { units, missed, refs, idle } = reach;
  const counts = [units, units - missed.length, percent(units - missed.length, units)];
  return [page, library, ...[...counts, refs, refs - idle.length, percent(refs - idle.length, refs)].map(String)];
}

function sum(found: readonly PageReach[], library: string): PageReach {
  const own = found.filter((one) => one.library === library).map(({ reach }) => reach);
  const count = (of: (reach: Reach) => number): number => own.reduce((total, reach) => total + of(reach), 0);
  const reach = {
    units: count(({ units }) => units),
    missed: own.flatMap(({ missed }) => missed),
    refs: count(({ refs }) => refs),
    idle: own.flatMap(({ idle }) => idle),
  };
  return { page: 'all', library, reach };
}

function goalsFor(found: readonly PageReach[]): Report['goals'] {
  const { reach } = sum(found, ownName);
  const shares = found
    .filter(({ library }) => library === ownName)
    .map(({ reach: { units, missed } }) => percent(units - missed.length, units));
  const recall = percent(reach.units - reach.missed.length, reach.units);
  const precision = percent(reach.refs - reach.idle.length, reach.refs);
  return [
    goal(`reacting elements with a ref ≥ ${OVERALL_RECALL}%`, recall, { atLeast: OVERALL_RECALL, unit: '%' }),
    goal(`on each page ≥ ${PAGE_RECALL}%`, Math.min(...shares), { atLeast: PAGE_RECALL, unit: '%' }),
    goal(`refs that react ≥ ${PRECISION}%`, precision, { atLeast: PRECISION, unit: '%' }),
  ];
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((part / whole) * 1000) / 10;
}
