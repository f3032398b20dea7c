import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { launch as launchPuppeteer } from 'puppeteer-core';
import { Driver } from '../../packages/chauffeur/dist/index.js';
import { browserArguments } from '../../packages/chauffeur/src/launch/default-arguments.ts';
import { findChromium, startChromiumWith } from '../chromium.ts';
import { ownName } from '../library.ts';
import { type Candidate, measureInterleaved } from '../measure.ts';
import { goal, medianOf, ratioOf, type Report, type Row } from '../report.ts';

const subject = 'init to first page';
const bareName = 'bare Chromium';
const counts = { warmUps: 1, runs: 9 };
const ratioLimit = 1.15;

type Close = () => Promise<unknown>;

/** Each starts a browser and gives how to close it once its first page can be worked with. */
const startByLibrary: ReadonlyMap<string, () => Promise<Close>> = new Map([
  [bareName, startBare],
  [ownName, startOwn],
  ['Playwright', startPlaywright],
  ['Puppeteer', startPuppeteer],
]);

/** Time from nothing to the first page of a new browser, beside a bare Chromium with the same arguments. */
export async function benchmarkLaunch(): Promise<Report> {
  let close: Close | undefined;
  const candidates = [...startByLibrary].map(([name, start]): Candidate => ({
    name,
    prepare: async () => close?.(),
    run: async () => {
      close = await start();
    },
  }));
  const timings = await measureInterleaved(candidates, counts);
  await close?.();
  const rows = timings.map(({ name, ...timing }): Row => ({ subject, library: name, unit: 'ms', ...timing }));
  const ratio = ratioOf(medianOf(rows, subject, ownName), medianOf(rows, subject, bareName));
  const goals =
    ratio === undefined ? [] : [goal(`at most ${ratioLimit} × a bare Chromium`, ratio, { atMost: ratioLimit }, ' ×')];
  return { title: 'From nothing to the first page', rows, goals };
}

/** Chromium with our arguments, and the least that anybody needs: its DevTools line, and one page attached. */
async function startBare(): Promise<Close> {
  const profile = await mkdtemp(join(tmpdir(), 'chauffeur-bench-'));
  const args = browserArguments({
    headless: true,
    port: undefined,
    args: [],
    ignoreDefaultArgs: false,
    userDataDir: profile,
    viewport: undefined,
    devtools: false,
    proxy: undefined,
    ignoreHTTPSErrors: false,
    domainPolicy: undefined,
    isRoot: process.getuid?.() === 0,
  });
  const chromium = await startChromiumWith(args, profile);
  const socket = new WebSocket(chromium.url);
  await once(socket, 'open');
  const attached = new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => String(data).includes('"type":"page"') && resolve());
  });
  const params = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  socket.send(JSON.stringify({ id: 1, method: 'Target.setAutoAttach', params }));
  await attached;
  return async () => {
    socket.close();
    await chromium[Symbol.asyncDispose]();
  };
}

async function startOwn(): Promise<Close> {
  const localBrowserLaunchOptions = { executablePath: findChromium() };
  const driver = new Driver({ env: 'LOCAL', localBrowserLaunchOptions, verbose: 0 });
  await driver.init();
  return () => driver.close();
}

async function startPlaywright(): Promise<Close> {
  const browser = await playwright.launch({ executablePath: findChromium() });
  await browser.newPage();
  return () => browser.close();
}

async function startPuppeteer(): Promise<Close> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await launchPuppeteer({ executablePath: findChromium(), args });
  await browser.pages();
  return () => browser.close();
}
