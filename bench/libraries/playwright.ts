import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import type { BrowserAddress, Library } from '../library.ts';

const { version } = createRequire(import.meta.url)('playwright-core/package.json') as { version: string };

export async function openPlaywright({ url: browserUrl }: BrowserAddress): Promise<Library> {
  const browser = await chromium.connectOverCDP(browserUrl);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error('Playwright found no page in the attached browser.');
  return {
    name: 'Playwright',
    version,
    goto: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    snapshot: () => page.ariaSnapshot({ mode: 'ai' }),
    click: (selector) => page.click(selector),
    fill: (selector, value) => page.fill(selector, value),
    clickInFrame: (frame, selector) => page.frameLocator(frame).locator(selector).click(),
    fillInFrame: (frame, selector, value) => page.frameLocator(frame).locator(selector).fill(value),
    readText: (selector) => page.locator(selector).textContent(),
    count: (selector) => page.locator(selector).count(),
    waitFor: (selector) => page.waitForSelector(selector),
    load: (url) => page.goto(url, { waitUntil: 'load' }),
    screenshot: () => page.screenshot(),
    newPage: async () => {
      const opened = await page.context().newPage();
      return () => opened.close();
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
