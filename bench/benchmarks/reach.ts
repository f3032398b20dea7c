import { chromium } from 'playwright-core';
import { findChromium } from '../chromium.ts';
import { ownName } from '../library.ts';
import { startWidgetServer, UNSEEN_PAGES, widgetPages } from '../reach/pages.ts';
import { type Reach, reachOf, type RefBox, reactingUnits } from '../reach/reach.ts';
import { ChauffeurReader, playwrightRefBoxes } from '../reach/ref-boxes.ts';
import { Trials } from '../reach/trials.ts';
import { goal, type Report } from '../report.ts';

const OVERALL_RECALL = 98;
const PAGE_RECALL = 95;
const PRECISION = 90;
const HEADS = ['page', 'library', 'reacting elements', 'with a ref', '%', 'refs', 'that react', '%'];

/** Pages that are measured at the same time. */
const PAGES_AT_ONCE = 2;

interface PageReach {
  readonly page: string;
  readonly library: string;
  readonly reach: Reach;
}

/**
 * Measures how many elements that react to clicks have a ref, on pages of widget libraries. Clicks determine which
 * elements react.
 */
export async function benchmarkReach(): Promise<Report> {
  const found = await measureReach(widgetPages());
  const groups: readonly (readonly [name: string, pages: readonly PageReach[]])[] = [
    ['seen', found.filter(({ page }) => !UNSEEN_PAGES.has(page))],
    ['unseen', found.filter(({ page }) => UNSEEN_PAGES.has(page))],
    ['all', found],
  ];
  const sums = groups.flatMap(([name, pages]) =>
    [ownName, 'Playwright ai'].map((library) => sum(name, pages, library)),
  );
  return {
    title: 'Reacting elements with a ref, by widget library',
    rows: [],
    goals: goalsFor(found),
    table: { heads: HEADS, lines: [...found, ...sums].map(lineOf) },
  };
}

/** Returns two results per page: ours and Playwright's. */
export async function measureReach(pages: readonly string[]): Promise<readonly PageReach[]> {
  const executablePath = findChromium();
  await using server = await startWidgetServer();
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  await using reader = await ChauffeurReader.open(executablePath);
  const ownBoxes = new Map<string, readonly RefBox[]>();
  for (const page of pages) ownBoxes.set(page, await reader.refBoxes(server.urlOf(page)));
  const measure = async (page: string): Promise<readonly PageReach[]> => {
    await using trials = await Trials.open(browser, server.urlOf(page));
    const truth = await reactingUnits(trials);
    const boxes: readonly (readonly [library: string, boxes: readonly RefBox[]])[] = [
      [ownName, ownBoxes.get(page) ?? []],
      ['Playwright ai', await trials.onLoadedPage(playwrightRefBoxes)],
    ];
    const reaches = boxes.map(async ([library, ofLibrary]) => ({
      page,
      library,
      reach: await reachOf(trials, truth, ofLibrary),
    }));
    return await Promise.all(reaches);
  };
  return (await inParallel(pages, PAGES_AT_ONCE, measure)).flat();
}

/** Calls `work` for at most `limit` items at the same time. Returns the results in the order of the items. */
async function inParallel<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

function lineOf({ page, library, reach }: PageReach): string[] {
  const { units, missed, refs, idle } = reach;
  const counts = [units, units - missed.length, percent(units - missed.length, units)];
  return [page, library, ...[...counts, refs, refs - idle.length, percent(refs - idle.length, refs)].map(String)];
}

function sum(page: string, found: readonly PageReach[], library: string): PageReach {
  const own = found.filter((one) => one.library === library).map(({ reach }) => reach);
  const count = (of: (reach: Reach) => number): number => own.reduce((total, reach) => total + of(reach), 0);
  const reach = {
    units: count(({ units }) => units),
    missed: own.flatMap(({ missed }) => missed),
    refs: count(({ refs }) => refs),
    idle: own.flatMap(({ idle }) => idle),
  };
  return { page, library, reach };
}

function goalsFor(found: readonly PageReach[]): Report['goals'] {
  const { reach } = sum('all', found, ownName);
  const shares = found
    .filter(({ library }) => library === ownName)
    .map(({ reach: { units, missed } }) => percent(units - missed.length, units));
  const recall = percent(reach.units - reach.missed.length, reach.units);
  const precision = percent(reach.refs - reach.idle.length, reach.refs);
  return [
    goal(`reacting elements with a ref: at least ${OVERALL_RECALL}%`, recall, { atLeast: OVERALL_RECALL, unit: '%' }),
    goal(`reacting elements with a ref, on each page: at least ${PAGE_RECALL}%`, Math.min(...shares), {
      atLeast: PAGE_RECALL,
      unit: '%',
    }),
    goal(`refs that react: at least ${PRECISION}%`, precision, { atLeast: PRECISION, unit: '%' }),
  ];
}

/** A page where nothing reacts is a broken test page, so it counts as 0 % and fails its goal. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}
