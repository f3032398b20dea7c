import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Driver } from '../../packages/pagechauffeur/dist/index.js';
import type { RefBox } from './reach.ts';
import type { Box } from './recorder-types.ts';
import { VIEWPORT } from './trials.ts';

/** How long a page may still render after its `load` event, in ms. */
const DRAWING_MS = 700;
/** In Playwright's snapshot, an element counts as clickable by this mark or by its role. */
const POINTED = /\[cursor=pointer\]/;
const OPERATED =
  /^(?:button|checkbox|combobox|gridcell|link|menuitem|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem)\b/;

/** Reads the boxes of the elements that `observe` returns without an instruction. */
export class ChauffeurReader implements AsyncDisposable {
  readonly #driver: Driver;

  private constructor(driver: Driver) {
    this.#driver = driver;
  }

  static async open(executablePath: string): Promise<ChauffeurReader> {
    const driver = new Driver({
      env: 'LOCAL',
      verbose: 0,
      llmClient: { modelName: 'bench/none', readsTree: false, generate: () => Promise.reject(new Error('not asked')) },
      localBrowserLaunchOptions: { executablePath, viewport: VIEWPORT },
    });
    await driver.init();
    return new ChauffeurReader(driver);
  }

  async refBoxes(url: string): Promise<RefBox[]> {
    const [page] = this.#driver.context.pages();
    if (!page) throw new Error('The browser has no page.');
    await page.goto(url, { waitUntil: 'load' });
    await setTimeout(DRAWING_MS);
    const boxOf = async (selector: string, label: string): Promise<RefBox[]> => {
      const box = await page.locator(selector).boundingBox();
      return box && isInView(box) ? [{ label, ...box }] : [];
    };
    const refs = await this.#driver.observe();
    return (await Promise.all(refs.map(({ selector, description }) => boxOf(selector, description)))).flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#driver.close();
  }
}

/** Returns the boxes of all clickable elements in Playwright's snapshot for models. */
export async function playwrightRefBoxes(page: Page): Promise<RefBox[]> {
  const text = await page.ariaSnapshot({ mode: 'ai' });
  const boxOf = async (line: string): Promise<RefBox[]> => {
    const label = line.replace(/^\s*- '?/, '');
    const ref = /\[ref=(\w+)\]/.exec(line)?.[1];
    if (ref === undefined || !(POINTED.test(line) || OPERATED.test(label))) return [];
    const box = await page.locator(`aria-ref=${ref}`).boundingBox();
    return box && isInView(box) ? [{ label: label.replace(/ \[(?!disabled).*/, ''), ...box }] : [];
  };
  return (await Promise.all(text.split('\n').map(boxOf))).flat();
}

function isInView({ x, y, width, height }: Box): boolean {
  const [left, top] = [x + width / 2, y + height / 2];
  return left >= 0 && left < VIEWPORT.width && top >= 0 && top < VIEWPORT.height;
}
