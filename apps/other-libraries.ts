import { chromium as patchright } from 'patchright-core';
import { chromium as playwright } from 'playwright-core';
import { connect, type Browser as PuppeteerBrowser } from 'puppeteer-core';
import type { ForeignPage } from '../packages/pagechauffeur/src/index.ts';

/** A page of another library: what our library takes, and what each of these libraries can do with it. */
export type OtherPage = ForeignPage & {
  title(): Promise<string>;
  goto(url: string): Promise<unknown>;
  close(): Promise<void>;
};

/** Another library connected to a browser. */
export interface OtherBrowser extends AsyncDisposable {
  /** The pages that were open when it connected. */
  readonly pages: readonly OtherPage[];
  newPage(): Promise<OtherPage>;
  /** A page with cookies of its own. */
  newPrivatePage(): Promise<OtherPage>;
}

/** Connects each library to a browser's DevTools socket. */
export const connectByLibrary: Readonly<Record<string, (url: string) => Promise<OtherBrowser>>> = {
  Playwright: (url) => connectPlaywright(playwright, url),
  // Its types are Playwright's under another name.
  Patchright: (url) => connectPlaywright(patchright as unknown as typeof playwright, url),
  Puppeteer: async (url) => puppeteerBrowser(await connect({ browserWSEndpoint: url, defaultViewport: null })),
};

async function connectPlaywright(library: typeof playwright, url: string): Promise<OtherBrowser> {
  const browser = await library.connectOverCDP(url);
  const context = browser.contexts()[0] ?? (await browser.newContext());
  return {
    pages: context.pages(),
    newPage: () => context.newPage(),
    newPrivatePage: async () => (await browser.newContext()).newPage(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function puppeteerBrowser(browser: PuppeteerBrowser): Promise<OtherBrowser> {
  return {
    pages: await browser.pages(),
    newPage: () => browser.newPage(),
    newPrivatePage: async () => (await browser.createBrowserContext()).newPage(),
    [Symbol.asyncDispose]: () => browser.disconnect(),
  };
}
