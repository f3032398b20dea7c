import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Driver, type ModelClient } from '../../packages/pagechauffeur/dist/index.js';
import { baselineName, ownName, type BrowserAddress, type Library, type OpenLibrary } from '../library.ts';
import { checkboxInstruction } from './checkbox-answer.ts';

const { version } = createRequire(import.meta.url)('../../packages/pagechauffeur/package.json') as { version: string };

interface Metrics {
  readonly metrics: readonly { readonly name: string; readonly value: number }[];
}

/** A model without latency: clicks or finds the checkbox that the instruction names, and extracts a fixed text. */
const checkboxModel: ModelClient = {
  modelName: 'bench/checkbox',
  readsTree: false,
  generate: ({ instruction, page, verb, schema }) => {
    const usage = { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };
    if (verb === 'extract') {
      const names = Object.keys(schema['properties'] ?? {});
      return Promise.resolve({ output: Object.fromEntries(names.map((field) => [field, 'words'])), usage });
    }
    const name = /"(.+)"/.exec(instruction)?.[1] ?? '';
    const ref = new RegExp(`(e\\d+) checkbox "${name}"`).exec(page.text)?.[1];
    if (!ref) throw new Error(`The prompt shows no checkbox "${name}".`);
    const action = { ref, method: 'click', arguments: [], description: name };
    const output = verb === 'observe' ? { elements: [action] } : { action, twoStep: false, reason: '', candidates: [] };
    return Promise.resolve({ output, usage });
  },
};

export const openChauffeur: OpenLibrary = (browser) => openBuild(Driver, browser, { name: ownName, version });

/** Opens another build of chauffeur for comparison. `distFolder` is the absolute path of its `dist` folder. */
export function baselineOpener(distFolder: string): OpenLibrary {
  return async (browser) => {
    const build = (await import(pathToFileURL(join(distFolder, 'index.js')).href)) as {
      readonly Driver: typeof Driver;
    };
    return openBuild(build.Driver, browser, { name: baselineName, version: distFolder });
  };
}

async function openBuild(
  DriverOfBuild: typeof Driver,
  { url }: BrowserAddress,
  { name: libraryName, version: libraryVersion }: Pick<Library, 'name' | 'version'>,
): Promise<Library> {
  const driver = new DriverOfBuild({
    env: 'LOCAL',
    localBrowserLaunchOptions: { cdpUrl: url },
    llmClient: checkboxModel,
    verbose: 0,
  });
  await driver.init();
  const cached = cachingDriver(DriverOfBuild, url);
  const [page] = driver.context.pages();
  if (!page) throw new Error('chauffeur found no page in the attached browser.');
  await page.sendCDP('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    name: libraryName,
    version: libraryVersion,
    goto: (address) => page.goto(address),
    evaluate: (expression) => page.evaluate(expression),
    snapshot: async () => (await page.snapshot()).text,
    wholeSnapshot: async () => (await page.snapshot({ tokenBudget: Infinity })).text,
    taskDuration: async () => {
      const { metrics } = (await page.sendCDP('Performance.getMetrics')) as Metrics;
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    },
    click: (selector) => page.locator(selector).click(),
    fill: (selector, value) => page.locator(selector).fill(value),
    clickInFrame: (frame, selector) => page.locator(`${frame} >> ${selector}`).click(),
    fillInFrame: (frame, selector, value) => page.locator(`${frame} >> ${selector}`).fill(value),
    readText: (selector) => page.locator(selector).textContent(),
    count: (selector) => page.locator(selector).count(),
    waitFor: (selector) => page.waitForSelector(selector),
    load: (address) => page.goto(address, { waitUntil: 'load' }),
    screenshot: () => page.screenshot(),
    newPage: async () => {
      const opened = await driver.context.newPage();
      return () => opened.close();
    },
    actOnAction: (selector) => driver.act({ selector, description: 'a checkbox', method: 'click', arguments: [] }),
    actOnCheckbox: (name) => driver.act(checkboxInstruction(name)),
    extractText: () => driver.extract('the words of the note'),
    observeCheckbox: (name) => driver.observe(checkboxInstruction(name)),
    actFromCache: async (name) => (await cached.open()).act(checkboxInstruction(name)),
    [Symbol.asyncDispose]: async () => {
      await cached.close();
      await driver.close();
    },
  };
}

/** Another driver for the same page, with an empty cache at first. */
function cachingDriver(
  DriverOfBuild: typeof Driver,
  cdpUrl: string,
): { open(): Promise<Driver>; close(): Promise<void> } {
  let opened: Promise<Driver> | undefined;
  let cacheDir = '';
  const start = async (): Promise<Driver> => {
    cacheDir = await mkdtemp(join(tmpdir(), 'bench-cache-'));
    const launch = { cdpUrl };
    const options = { llmClient: checkboxModel, cacheDir, verbose: 0, localBrowserLaunchOptions: launch } as const;
    const driver = new DriverOfBuild({ env: 'LOCAL', ...options });
    await driver.init();
    return driver;
  };
  return {
    open: () => (opened ??= start()),
    close: async () => {
      await (await opened)?.close();
      if (cacheDir !== '') await rm(cacheDir, { recursive: true });
    },
  };
}
