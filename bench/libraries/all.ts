import { startChromium } from '../chromium.ts';
import { delayBrowser } from '../delayed-browser.ts';
import type { Library, OpenLibrary } from '../library.ts';
import { baselineOpener, openChauffeur } from './chauffeur.ts';
import { openPlaywright } from './playwright.ts';
import { openPuppeteer } from './puppeteer.ts';
import { openStagehand3 } from './stagehand-3.ts';
import { openStagehand4 } from './stagehand-4.ts';

const openers: readonly OpenLibrary[] = [openChauffeur, openStagehand3, openStagehand4, openPlaywright, openPuppeteer];

export interface OpenedLibraries extends AsyncDisposable {
  readonly opened: readonly Library[];
}

interface LibrariesOptions {
  /** Delays all data in each direction. */
  readonly oneWayMs?: number;
  /** The `dist` folder of another build of chauffeur, which is measured too. */
  readonly baseline?: string | undefined;
}

/** Starts a Chromium for each library and attaches it. */
export async function openLibraries({ oneWayMs = 0, baseline }: LibrariesOptions): Promise<OpenedLibraries> {
  const opened: Library[] = [];
  await using starting = new AsyncDisposableStack();
  for (const open of baseline === undefined ? openers : [...openers, baselineOpener(baseline)]) {
    const chromium = starting.use(await startChromium());
    const { url } = oneWayMs > 0 ? starting.use(await delayBrowser(chromium.url, oneWayMs)) : chromium;
    opened.push(starting.use(await open({ url, localUrl: chromium.url })));
  }
  const resources = starting.move();
  return { opened, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
