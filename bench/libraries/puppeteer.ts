import { createRequire } from 'node:module';
import { connect } from 'puppeteer-core';
import type { BrowserAddress, Library } from '../library.ts';

const { version } = createRequire(import.meta.url)('puppeteer-core/package.json') as { version: string };

/** Puppeteer has no text snapshot. */
export async function openPuppeteer({ url: browserUrl }: BrowserAddress): Promise<Library> {
  const browser = await connect({ browserWSEndpoint: browserUrl, defaultViewport: null });
  const [page] = await browser.pages();
  if (!page) throw new Error('Puppeteer found no page in the attached browser.');
  return {
    name: 'Puppeteer',
    version,
    goto: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    click: (selector) => page.locator(selector).click(),
    fill: (selector, value) => page.locator(selector).fill(value),
    load: (url) => page.goto(url, { waitUntil: 'load' }),
    screenshot: () => page.screenshot(),
    newPage: async () => {
      const opened = await browser.newPage();
      return () => opened.close();
    },
    [Symbol.asyncDispose]: () => browser.disconnect(),
  };
}
