import { countTokens } from 'gpt-tokenizer';
import { Driver, type Page } from '../../packages/pagechauffeur/src/index.ts';
import { takeSnapshot } from '../../packages/pagechauffeur/src/snapshot/take-snapshot.ts';
import { Progress } from '../../packages/pagechauffeur/src/util/progress.ts';
import { startDocumentServer } from '../documents.ts';
import { startChromium } from '../chromium.ts';
import { openPlaywright } from '../libraries/playwright.ts';
import type { Library } from '../library.ts';
import { longPages, type TargetPlace } from '../long-pages.ts';
import { formatNumber, goal, type Goal, type Report } from '../report.ts';

const BUDGETS = [500, 2000, 6500, 20_000];
const PLACES: readonly TargetPlace[] = ['beginning', 'middle', 'end'];
const TARGET = 'The curator keeps the marmalade ledger';
const INSTRUCTION = 'read the remark about the marmalade ledger';

/** Size of the snapshot that `act` takes of one page, by token budget. */
interface PageRead {
  readonly name: string;
  readonly whole: number;
  /** Tokens of Playwright's snapshot. Only for documents. */
  readonly theirs?: number;
  readonly folded: readonly { readonly budget: number; readonly tokens: number; readonly showsTarget: boolean }[];
}

/**
 * Measures how much of a token budget the snapshots of long pages use. Pages: generated ones of each kind, and
 * documentation from Debian packages.
 */
export async function benchmarkBudget(): Promise<Report> {
  await using chromium = await startChromium();
  await using playwright = await openPlaywright({ url: chromium.url, localUrl: chromium.url });
  await using driver = new Driver({ env: 'LOCAL', verbose: 0, localBrowserLaunchOptions: { cdpUrl: chromium.url } });
  await driver.init();
  const [page] = driver.context.pages();
  if (!page) throw new Error('The driver found no page in the attached browser.');
  const kinds = await readKinds(page);
  const documents = await readDocuments(page, playwright);
  const budgets = BUDGETS.map((budget) => `budget ${budget.toLocaleString('en-US')}`);
  const heads = ['page', 'target shown', 'whole', ...budgets, 'whole ÷ Playwright'];
  const lines = [...kinds, ...documents].map(lineOf);
  const title = 'Tokens of a folded snapshot, as a share of the budget (o200k_base)';
  return { title, rows: [], table: { heads, lines }, goals: goalsFor(kinds, documents) };
}

async function readKinds(page: Page): Promise<PageRead[][]> {
  const reads: PageRead[][] = [];
  for (const [name, make] of Object.entries(longPages)) {
    const places: PageRead[] = [];
    for (const place of PLACES) {
      await page.setContent(
        `<!doctype html><title>${name}</title><h1>Long</h1>${make(TARGET, place)}<button>Finish</button>`,
      );
      places.push(await readPage(page, name, INSTRUCTION));
    }
    reads.push(places);
  }
  return reads;
}

async function readDocuments(page: Page, playwright: Library): Promise<PageRead[][]> {
  await using server = await startDocumentServer();
  const reads: PageRead[][] = [];
  for (const { name, url } of server.pages) {
    await page.goto(url);
    const theirs = countTokens((await playwright.snapshot?.()) ?? '');
    reads.push([{ ...(await readPage(page, name)), theirs }]);
  }
  return reads;
}

async function readPage(page: Page, name: string, instruction?: string): Promise<PageRead> {
  using progress = new Progress({ operation: 'snapshot', timeout: 60_000 });
  const textOf = async (tokenBudget: number): Promise<string> =>
    (
      await takeSnapshot(progress, page.target, {
        tokenBudget,
        withUrls: false,
        ...(instruction !== undefined && { instruction }),
      })
    ).text;
  const whole = countTokens(await textOf(Infinity));
  const folded: { budget: number; tokens: number; showsTarget: boolean }[] = [];
  for (const budget of BUDGETS) {
    const text = await textOf(budget);
    folded.push({ budget, tokens: countTokens(text), showsTarget: text.includes('marmalade ledger') });
  }
  return { name, whole, folded };
}

function lineOf(reads: readonly PageRead[]): string[] {
  const [first] = reads;
  if (!first) return [];
  const shares = BUDGETS.map((_, place) => {
    const all = reads.flatMap(({ folded }) => shareAt(folded[place]) ?? []);
    const ends = [...new Set([Math.min(...all), Math.max(...all)].map(formatNumber))];
    return first.whole <= (BUDGETS[place] ?? 0) ? 'whole' : ends.join('–');
  });
  const isDocument = first.theirs !== undefined;
  const shown = reads.flatMap(({ folded }) => folded.filter(({ showsTarget }) => showsTarget)).length;
  return [
    first.name,
    isDocument ? '' : `${shown} of ${reads.length * BUDGETS.length}`,
    first.whole.toLocaleString('en-US'),
    ...shares,
    first.theirs === undefined ? '' : `${formatNumber(first.whole / first.theirs)} ×`,
  ];
}

function shareAt(read: PageRead['folded'][number] | undefined): number | undefined {
  return read && read.tokens / read.budget;
}

function goalsFor(kinds: readonly PageRead[][], documents: readonly PageRead[][]): Goal[] {
  const cut = [...kinds, ...documents]
    .flat()
    .flatMap(({ whole, folded }) => folded.filter(({ budget }) => whole > budget));
  const shares = cut.flatMap((read) => shareAt(read) ?? []);
  const targets = kinds.flat().flatMap(({ folded }) => folded);
  const ofTheirs = documents.flat().map(({ whole, theirs = NaN }) => whole / theirs);
  const mean = ofTheirs.reduce((sum, share) => sum + share, 0) / ofTheirs.length;
  const seen = targets.filter(({ showsTarget }) => showsTarget).length / targets.length;
  return [
    goal('folded pages: at most 1.2 × the budget', Math.max(...shares), { atMost: 1.2 }),
    goal('folded pages: at least 0.6 × the budget', Math.min(...shares), { atLeast: 0.6 }),
    goal('generated pages: all show the sentence named by the instruction', seen * 100, {
      atLeast: 100,
      unit: ' %',
    }),
    goal(`${ofTheirs.length} documents, unfolded: at most 0.36 × Playwright's tokens on average`, mean, {
      atMost: 0.36,
      unit: ' ×',
    }),
  ];
}
