import { countTokens } from 'gpt-tokenizer';
import { chromium } from 'playwright-core';

/** How many tokens a text has in the o200k_base encoding. */
export function tokensOf(text: string): number {
  return countTokens(text);
}

/** What Playwright shows a model of each address, in a browser of which the DevTools socket is given. */
export async function playwrightSnapshots(browserUrl: string, urls: readonly string[]): Promise<readonly string[]> {
  const browser = await chromium.connectOverCDP(browserUrl);
  try {
    const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
    const texts: string[] = [];
    for (const url of urls) {
      await page.goto(url);
      texts.push(await page.ariaSnapshot({ mode: 'ai' }));
    }
    await page.close();
    return texts;
  } finally {
    await browser.close();
  }
}
