import { setTimeout } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { Driver } from '../../packages/pagechauffeur/dist/index.js';
import { findChromium } from '../chromium.ts';
import { startDocumentServer } from '../documents.ts';
import { startWidgetServer } from '../reach/pages.ts';
import { goal, type Report } from '../report.ts';
import { type VisibilityCase, visibilityCases } from '../sight/cases.ts';
import { REAL_DOCUMENTS, REAL_WIDGETS, triedWords } from '../sight/real-pages.ts';

/** Equal lengths keep the layout the same in a monospace font. */
const WORDS = ['Kolibri', 'Zebumww'] as const;
const VIEWPORT = { width: 800, height: 600 };
const MAX_WRONG = 2;
/** How long a page may still render after its `load` event, in ms. */
const DRAWING_MS = 700;
const HEADS = ['case', 'error', 'visible by pixels', 'in the snapshot'];

interface Verdict {
  readonly name: string;
  readonly isVisible: boolean;
  readonly isRead: boolean;
}

/** Checks that the snapshot contains a word exactly if screenshots with two different words differ. */
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
  const real: Verdict[] = [];
  try {
    await driver.init();
    for (const one of visibilityCases())
      verdicts.push({ name: one.name, isVisible: await isVisible(page, one), isRead: await isRead(driver, one) });
    real.push(...(await realVerdicts(page, driver)));
  } finally {
    await driver.close();
  }
  const wrongOnReal = real.filter((one) => one.isVisible !== one.isRead);
  const hiddenRead = verdicts.filter(({ isVisible: visible, isRead: read }) => read && !visible);
  const visibleMissed = verdicts.filter(({ isVisible: visible, isRead: read }) => visible && !read);
  const lines = [
    ...hiddenRead.map(({ name }) => [name, 'hidden text in the snapshot', '0', '1']),
    ...visibleMissed.map(({ name }) => [name, 'visible text missing', '1', '0']),
    ...wrongOnReal.map((one) => [
      one.name,
      one.isRead ? 'hidden text in the snapshot' : 'visible text missing',
      String(Number(one.isVisible)),
      String(Number(one.isRead)),
    ]),
    ['real pages', `${real.length} words`, count(real, 'isVisible'), count(real, 'isRead')],
    ['all', `${verdicts.length} cases`, count(verdicts, 'isVisible'), count(verdicts, 'isRead')],
  ];
  const share = ({ length }: readonly Verdict[]): number => (100 * length) / verdicts.length;
  return {
    title: 'Text in snapshots compared with screenshots',
    rows: [],
    goals: [
      goal(`hidden text in the snapshot: at most ${MAX_WRONG}%`, share(hiddenRead), { atMost: MAX_WRONG, unit: '%' }),
      goal(`visible text missing: at most ${MAX_WRONG}%`, share(visibleMissed), { atMost: MAX_WRONG, unit: '%' }),
      goal('wrong words on real pages: at most 0', wrongOnReal.length, { atMost: 0 }),
    ],
    table: { heads: HEADS, lines },
  };
}

function count(verdicts: readonly Verdict[], fact: 'isVisible' | 'isRead'): string {
  return String(verdicts.filter((one) => one[fact]).length);
}

/** Names of controls need not be visible, such as the label of an icon button for screen readers. */
const NAMES_OF_CONTROLS = /(?<=\be\d+ \w+ )"(?:[^"\\]|\\.)*"/g;

async function realVerdicts(page: Page, driver: Driver): Promise<Verdict[]> {
  await using documents = await startDocumentServer();
  await using widgets = await startWidgetServer();
  const urls = new Map([
    ...documents.pages.filter(({ name }) => REAL_DOCUMENTS.includes(name)).map(({ name, url }) => [name, url] as const),
    ...REAL_WIDGETS.map((name) => [name, widgets.urlOf(name)] as const),
  ]);
  const verdicts: Verdict[] = [];
  for (const [name, url] of urls) {
    await page.goto(url, { waitUntil: 'load' });
    await setTimeout(DRAWING_MS);
    const tried = await triedWords(page);
    const text = await snapshotText(driver, url);
    verdicts.push(
      ...tried.map(({ word, isVisible: visible }) => ({
        name: `${name}: ${word}`,
        isVisible: visible,
        isRead: (visible ? text : text.replace(NAMES_OF_CONTROLS, '')).includes(word),
      })),
    );
  }
  return verdicts;
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
  return (await snapshotText(driver, addressOf(one, WORDS[0]), 0)).includes(WORDS[0]);
}

async function snapshotText(driver: Driver, url: string, drawingMs: number = DRAWING_MS): Promise<string> {
  const [page] = driver.context.pages();
  if (!page) throw new Error('The browser has no page.');
  await page.goto(url, { waitUntil: 'load' });
  await setTimeout(drawingMs);
  return (await page.snapshot({ tokenBudget: Number.POSITIVE_INFINITY })).text;
}

function addressOf({ html }: VisibilityCase, word: string): string {
  const body = html.replaceAll('{word}', word);
  return `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><title>case</title><body style="font-family:monospace">${body}</body>`)}`;
}
