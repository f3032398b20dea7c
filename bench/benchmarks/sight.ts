import { chromium, type Page } from 'playwright-core';
import { Driver } from '../../packages/pagechauffeur/dist/index.js';
import { findChromium } from '../chromium.ts';
import { goal, type Report } from '../report.ts';
import { type VisibilityCase, visibilityCases } from '../sight/cases.ts';

/** Equally long, so that in a monospace font the layout stays the same. */
const WORDS = ['Kolibri', 'Zebumww'] as const;
const VIEWPORT = { width: 800, height: 600 };
const MOST_WRONG = 2;
const HEADS = ['case', 'error', 'visible by pixels', 'in the snapshot'];

interface Verdict {
  readonly name: string;
  readonly isVisible: boolean;
  readonly isRead: boolean;
}

/** Whether the snapshot has a word exactly if two screenshots of the page with two different words differ. */
export async function benchmarkSight(): Promise<Report> {
  const executablePath = findChromium();
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: VIEWPORT });
  const driver = new Driver({
    env: 'LOCAL',
    verbose: 0,
    llmClient: { modelName: 'bench/none', readsTree: false, generate: () => Promise.reject(new Error('not asked')) },
    localBrowserLaunchOptions: { executablePath, viewport: VIEWPORT },
  });
  const verdicts: Verdict[] = [];
  try {
    await driver.init();
    for (const one of visibilityCases())
      verdicts.push({ name: one.name, isVisible: await isVisible(page, one), isRead: await isRead(driver, one) });
  } finally {
    await driver.close();
  }
  const hiddenRead = verdicts.filter(({ isVisible: visible, isRead: read }) => read && !visible);
  const visibleMissed = verdicts.filter(({ isVisible: visible, isRead: read }) => visible && !read);
  const lines = [
    ...hiddenRead.map(({ name }) => [name, 'hidden text is read', '0', '1']),
    ...visibleMissed.map(({ name }) => [name, 'visible text is left out', '1', '0']),
    [
      'all',
      `${verdicts.length} cases`,
      String(verdicts.filter((one) => one.isVisible).length),
      String(verdicts.filter((one) => one.isRead).length),
    ],
  ];
  const share = ({ length }: readonly Verdict[]): number => (100 * length) / verdicts.length;
  return {
    title: 'Text that the snapshot reads and text that screenshots show',
    rows: [],
    goals: [
      goal(`hidden text that is read ≤ ${MOST_WRONG}%`, share(hiddenRead), { atMost: MOST_WRONG, unit: '%' }),
      goal(`visible text that is left out ≤ ${MOST_WRONG}%`, share(visibleMissed), { atMost: MOST_WRONG, unit: '%' }),
    ],
    table: { heads: HEADS, lines },
  };
}

async function isVisible(page: Page, one: VisibilityCase): Promise<boolean> {
  const [first, second] = [await screenshot(page, one, WORDS[0]), await screenshot(page, one, WORDS[1])];
  if (!first.equals(await screenshot(page, one, WORDS[0])))
    throw new Error(`Two screenshots of "${one.name}" with the same word differ.`);
  return !first.equals(second);
}

async function screenshot(page: Page, one: VisibilityCase, word: string): Promise<Buffer> {
  await page.goto(addressOf(one, word));
  return page.screenshot();
}

async function isRead(driver: Driver, one: VisibilityCase): Promise<boolean> {
  const [page] = driver.context.pages();
  if (!page) throw new Error('The browser has no page.');
  await page.goto(addressOf(one, WORDS[0]), { waitUntil: 'load' });
  const { text } = await page.snapshot({ tokenBudget: Number.POSITIVE_INFINITY });
  return text.includes(WORDS[0]);
}

function addressOf({ html }: VisibilityCase, word: string): string {
  const body = html.replaceAll('{word}', word);
  return `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><title>case</title><body style="font-family:monospace">${body}</body>`)}`;
}
