import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Leaf, ReachRecorder, Spot } from './recorder-types.ts';

declare const reachRecorder: ReachRecorder;

/** Hover effects of the pointer end within this time. Some tooltips and markers appear after 300 ms. */
const HOVER_MS = 400;
/** A person holds the button about this long. Calendars that render after the press miss shorter clicks. */
const PRESS_MS = 60;
/** How long a page may take to react to a click. Some calendars wait 300 ms for a second click. */
const REACTION_MS = 350;
/** Tabs that try clicks at the same time. While one waits, another one loads. */
const TABS = 4;
export const VIEWPORT = { width: 1280, height: 720 };

/** Clicks elements and records what changes. Loads the page again for each click. */
export class Trials implements AsyncDisposable {
  readonly #context: BrowserContext;
  readonly #url: string;
  /** Recorded changes by the path of the clicked element. */
  readonly #reactions = new Map<string, Promise<string>>();
  readonly #repeated = new Map<string, Promise<string>>();
  readonly #freeTabs: Page[] = [];
  readonly #waiting: ((tab: Page) => void)[] = [];
  #tabCount = 0;
  #idle: Promise<ReadonlySet<string>> | undefined;

  private constructor(context: BrowserContext, url: string) {
    this.#context = context;
    this.#url = url;
  }

  static async open(browser: Browser, url: string): Promise<Trials> {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addInitScript(await recorderScript());
    const trials = new Trials(context, url);
    await trials.#warmUp();
    return trials;
  }

  /** Fills the HTTP cache. Otherwise a page that loads many modules may look drawn while they arrive. */
  async #warmUp(): Promise<void> {
    const tab = await this.#takeTab();
    await tab.goto(this.#url, { waitUntil: 'networkidle' });
    this.#freeTabs.push(tab);
  }

  async onLoadedPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
    let tab = await this.#takeTab();
    try {
      tab = await this.#loaded(tab);
      await tab.evaluate(() => reachRecorder.drawn());
      return await use(tab);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(tab);
      else this.#freeTabs.push(tab);
    }
  }

  /** Loads the page in the tab. Uses a new tab if a link that the last click followed interrupts the load. */
  async #loaded(tab: Page): Promise<Page> {
    const load = (page: Page): Promise<unknown> => page.goto(this.#url, { waitUntil: 'networkidle' });
    const isLoaded = await load(tab).then(
      () => true,
      () => false,
    );
    if (isLoaded) return tab;
    await tab.close();
    const fresh = await this.#newTab();
    await load(fresh);
    return fresh;
  }

  leaves(): Promise<Leaf[]> {
    return this.onLoadedPage((page) => page.evaluate(() => reachRecorder.leaves()));
  }

  /** Returns a position on the page's own background. */
  background(): Promise<Spot | null> {
    return this.onLoadedPage((page) => page.evaluate(() => reachRecorder.background()));
  }

  /** Returns the changes after a click as comparable text, or `''` if nothing changes. */
  reaction(spot: Spot): Promise<string> {
    const known = this.#reactions.get(spot.path);
    if (known) return known;
    const reaction = this.#try(spot);
    this.#reactions.set(spot.path, reaction);
    return reaction;
  }

  /**
   * Like {@link reaction}, but clicks twice and returns only the changes that occur both times. Transitions that happen
   * to run during one click do not count.
   */
  repeatedReaction(spot: Spot): Promise<string> {
    const known = this.#repeated.get(spot.path);
    if (known) return known;
    const repeated = this.#repeat(spot);
    this.#repeated.set(spot.path, repeated);
    return repeated;
  }

  async #repeat(spot: Spot): Promise<string> {
    const [first, second] = await Promise.all([this.reaction(spot), this.#try(spot)]);
    const others = new Set(second.split('\n'));
    return first
      .split('\n')
      .filter((change) => others.has(change))
      .join('\n');
  }

  async #try(spot: Spot): Promise<string> {
    this.#idle ??= this.#changes(null);
    const idle = await this.#idle;
    return [...(await this.#changes(spot))].filter((change) => !idle.has(change)).join('\n');
  }

  #changes(point: Spot | null): Promise<ReadonlySet<string>> {
    return this.onLoadedPage(async (page) => {
      const popups: Page[] = [];
      const notePopup = (popup: Page): number => popups.push(popup);
      page.on('popup', notePopup);
      if (point) await page.mouse.move(point.x, point.y);
      await page.evaluate((time) => reachRecorder.start(time), HOVER_MS);
      const address = page.url();
      if (point) await page.mouse.click(point.x, point.y, { delay: PRESS_MS });
      const changes = new Set(
        await page.evaluate((time) => reachRecorder.stop(time), REACTION_MS).catch(() => ['left the document']),
      );
      if (page.url() !== address) changes.add(`address ${page.url()}`);
      if (popups.length > 0) changes.add('opened a page');
      page.off('popup', notePopup);
      await Promise.all(popups.map((popup) => popup.close()));
      return changes;
    });
  }

  async #takeTab(): Promise<Page> {
    const free = this.#freeTabs.pop();
    if (free) return free;
    if (this.#tabCount >= TABS) {
      const { promise, resolve } = Promise.withResolvers<Page>();
      this.#waiting.push(resolve);
      return promise;
    }
    this.#tabCount += 1;
    return this.#newTab();
  }

  async #newTab(): Promise<Page> {
    const tab = await this.#context.newPage();
    tab.on('dialog', (dialog) => void dialog.dismiss());
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}

/** A function scope hides the recorder's names from the page. */
async function recorderScript(): Promise<string> {
  const source = stripTypeScriptTypes(await readFile(new URL('recorder.ts', import.meta.url), 'utf8'));
  return `(() => {${source}})()`;
}
