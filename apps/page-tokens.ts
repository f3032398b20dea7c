import { countTokens } from 'gpt-tokenizer';
import { chromium } from 'playwright-core';

/** How many tokens a text has in the o200k_base encoding. */
export function tokensOf(text: string): number {
  return countTokens(text);
}

/** Playwright, to read pages with. */
export interface PlaywrightReader extends AsyncDisposable {
  /** What it shows a model of the page at an address. */
  read(url: string): Promise<string>;
}

/** Opens a page by Playwright, in a browser of which the DevTools socket is given. */
export async function openPlaywrightReader(browserUrl: string): Promise<PlaywrightReader> {
  const browser = await chromium.connectOverCDP(browserUrl);
  const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
  return {
    read: async (url) => {
      await page.goto(url);
      return page.ariaSnapshot({ mode: 'ai' });
    },
    [Symbol.asyncDispose]: async () => {
      await page.close();
      await browser.close();
    },
  };
}
