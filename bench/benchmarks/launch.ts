import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { launch as launchPuppeteer } from 'puppeteer-core';
import { Driver } from '../../packages/pagechauffeur/dist/index.js';
import { browserArguments } from '../../packages/pagechauffeur/src/launch/default-arguments.ts';
import { findChromium, startChromiumWith } from '../chromium.ts';
import { ownName } from '../library.ts';
import { type Candidate, measureInterleaved } from '../measure.ts';
import { startPageServer } from '../page-server.ts';
import { goal, medianOf, ratioOf, type Report, type Row } from '../report.ts';

const toPage = 'start a browser';
const toLoaded = 'start a browser and load a page';
const bareName = 'bare Chromium';
const counts = { warmUps: 1, runs: 9 };
const ratioLimit = 1.15;
const elementCount = 300;

interface Started {
  goto(url: string): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Each function starts a browser and resolves when its first page is available. */
const startByLibrary: ReadonlyMap<string, () => Promise<Started>> = new Map([
  [bareName, startBare],
  [ownName, startOwn],
  ['Playwright', startPlaywright],
  ['Puppeteer', startPuppeteer],
]);

/**
 * Times the start of a browser until its first page is available, and until `DOMContentLoaded` of a page. The baseline
 * is Chromium alone, with the arguments of our library.
 */
export async function benchmarkLaunch(): Promise<Report> {
  await using server = await startPageServer();
  const url = server.tableUrl(elementCount);
  const rows = [
    ...(await timeStarts(toPage, async () => undefined)),
    ...(await timeStarts(toLoaded, (browser) => browser.goto(url))),
  ];
  const ratio = ratioOf(medianOf(rows, toPage, ownName), medianOf(rows, toPage, bareName));
  const goals =
    ratio === undefined
      ? []
      : [goal(`${toPage}: at most ${ratioLimit} × a bare Chromium's time`, ratio, { atMost: ratioLimit, unit: ' ×' })];
  return { title: 'Cold start to the first page', rows, goals };
}

async function timeStarts(subject: string, use: (browser: Started) => Promise<unknown>): Promise<Row[]> {
  let last: Started | undefined;
  const candidates = [...startByLibrary].map(([name, start]): Candidate => ({
    name,
    prepare: async () => last?.close(),
    run: async () => {
      last = await start();
      await use(last);
    },
  }));
  const timings = await measureInterleaved(candidates, counts);
  await last?.close();
  return timings.map(({ name, ...timing }): Row => ({ subject, library: name, unit: 'ms', ...timing }));
}

/** The minimum for any client: wait for the DevTools line, and attach to one page. */
async function startBare(): Promise<Started> {
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
  const send = (command: object): void => socket.send(JSON.stringify(command));
  const attached = messageOf(socket, '"type":"page"');
  const params = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  send({ id: 1, method: 'Target.setAutoAttach', params });
  const { sessionId } = ((await attached) as { params: { sessionId: string } }).params;
  return {
    goto: async (url) => {
      const loaded = messageOf(socket, '"Page.domContentEventFired"');
      send({ id: 2, sessionId, method: 'Page.enable' });
      send({ id: 3, sessionId, method: 'Runtime.runIfWaitingForDebugger' });
      await messageOf(socket, '"id":3');
      send({ id: 4, sessionId, method: 'Page.navigate', params: { url } });
      await loaded;
    },
    close: async () => {
      socket.close();
      await chromium[Symbol.asyncDispose]();
    },
  };
}

/** Resolves with the next protocol message that contains this text. */
function messageOf(socket: WebSocket, text: string): Promise<unknown> {
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes(text)) resolve(JSON.parse(String(data)));
    });
  });
}

async function startOwn(): Promise<Started> {
  const localBrowserLaunchOptions = { executablePath: findChromium() };
  const driver = new Driver({ env: 'LOCAL', localBrowserLaunchOptions, verbose: 0 });
  await driver.init();
  return { goto: async (url) => driver.context.pages()[0]?.goto(url), close: () => driver.close() };
}

async function startPlaywright(): Promise<Started> {
  const browser = await playwright.launch({ executablePath: findChromium() });
  const page = await browser.newPage();
  return { goto: (url) => page.goto(url, { waitUntil: 'domcontentloaded' }), close: () => browser.close() };
}

async function startPuppeteer(): Promise<Started> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await launchPuppeteer({ executablePath: findChromium(), args });
  const [page] = await browser.pages();
  return { goto: async (url) => page?.goto(url, { waitUntil: 'domcontentloaded' }), close: () => browser.close() };
}
