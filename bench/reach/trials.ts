import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Leaf, ReachRecorder, Spot } from './recorder-types.ts';

declare const reachRecorder: ReachRecorder;

/** How long a page may take to react to a click; libraries put some changes off by a timer. */
const REACTION_MS = 150;
/** After its `load` event a page may still draw for so long. */
const DRAWING_MS = 200;
export const VIEWPORT = { width: 1280, height: 720 };

/** Finds out what clicks do by clicking: each on a page that was loaded again. What is known by a path is not tried twice. */
export class Trials implements AsyncDisposable {
  readonly #context: BrowserContext;
  readonly #url: string;
  readonly #reactions: Map<string, Promise<string>>;
  #idle: Promise<ReadonlySet<string>> | undefined;

  private constructor(context: BrowserContext, url: string, known: Readonly<Record<string, string>>) {
    this.#context = context;
    this.#url = url;
    this.#reactions = new Map(Object.entries(known).map(([path, reaction]) => [path, Promise.resolve(reaction)]));
  }

  static async open(browser: Browser, url: string, known: Readonly<Record<string, string>> = {}): Promise<Trials> {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addInitScript(await recorderScript());
    return new Trials(context, url, known);
  }

  /** What is known so far, for another run. */
  async known(): Promise<Record<string, string>> {
    const found = [...this.#reactions].map(async ([path, reaction]) => [path, await reaction] as const);
    return Object.fromEntries(await Promise.all(found));
  }

  /** The page, loaded and drawn. */
  async load(): Promise<Page> {
    const page = await this.#context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss());
    await page.goto(this.#url, { waitUntil: 'load' });
    await page.waitForTimeout(DRAWING_MS);
    return page;
  }

  async leaves(): Promise<Leaf[]> {
    const page = await this.load();
    const leaves = await page.evaluate(() => reachRecorder.leaves());
    await page.close();
    return leaves;
  }

  /** What a click changes, as text to compare; `''` when that is nothing. */
  reaction(spot: Spot): Promise<string> {
    const known = this.#reactions.get(spot.path);
    if (known) return known;
    const reaction = this.#try(spot);
    this.#reactions.set(spot.path, reaction);
    return reaction;
  }

  async #try({ x, y }: Spot): Promise<string> {
    this.#idle ??= this.#changes(null);
    const idle = await this.#idle;
    return (await this.#changes({ x, y }).then((changes) => [...changes]))
      .filter((change) => !idle.has(change))
      .join('\n');
  }

  async #changes(point: { x: number; y: number } | null): Promise<ReadonlySet<string>> {
    const page = await this.load();
    let opened = 0;
    this.#context.on('page', () => (opened += 1));
    if (point) await page.mouse.move(point.x, point.y);
    await page.waitForTimeout(REACTION_MS);
    await page.evaluate(() => reachRecorder.start());
    const address = page.url();
    if (point) await page.mouse.click(point.x, point.y);
    await page.waitForTimeout(REACTION_MS);
    const changes = new Set(await page.evaluate(() => reachRecorder.stop()).catch(() => ['left the document']));
    if (page.url() !== address) changes.add(`address ${page.url()}`);
    if (opened > 0) changes.add('opened a page');
    this.#context.removeAllListeners('page');
    await page.close();
    return changes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}

/** The script that keeps record in the page; its names do not reach the page. */
async function recorderScript(): Promise<string> {
  const source = stripTypeScriptTypes(await readFile(new URL('recorder.ts', import.meta.url), 'utf8'));
  return `(() => {${source}})()`;
}
