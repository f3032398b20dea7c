import { Driver } from '../../packages/pagechauffeur/dist/index.js';
import { freePorts } from '../../scripts/grid/free-ports.ts';
import { findGridMachine } from '../../scripts/grid/grid-requirements.ts';
import { startGrid } from '../../scripts/grid/start-grid.ts';
import { startChromium, type Chromium } from '../chromium.ts';
import { delayBrowser } from '../delayed-browser.ts';
import { type Candidate, measureInterleaved, type RunCounts } from '../measure.ts';
import type { PageServer } from '../page-server.ts';
import { productName } from '../pages.ts';
import { startPlatformProcess, type PlatformProcess, type RentedSession } from '../platform-process.ts';
import { openRawPage } from '../raw-page.ts';
import { goal, medianOf, ratioOf, type Goal, type Report, type Row } from '../report.ts';

const pageSize = 300;
const roundTripMs = 40;
const commands = 200;

const bare = 'bare Chromium';
const platform = 'platform';
const bareGrid = 'bare Grid';
const platformOnGrid = 'platform on the Grid';

const command = 'command';
const create = 'create a session, or start Chromium';
const createSpecial = 'create a session with its own user agent';
const click = `click with a ${roundTripMs} ms round trip`;
const hit = "act from the platform's cache";
const distantHit = `${hit} with a ${roundTripMs} ms round trip`;

/** Compares calls through a platform with the same calls to a local browser. */
export async function benchmarkRemote(server: PageServer): Promise<Report> {
  const rows = [
    ...(await timeCommands()),
    ...(await timeCreation()),
    ...(await timeCalls(server, 0)),
    ...(await timeCalls(server, roundTripMs)),
  ];
  return { title: 'Calls through the platform', rows, goals: goalsOf(rows) };
}

/** Each run sends several commands in sequence. Results are per command. */
async function timeCommands(): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const chromium = stack.use(await startChromium());
  const urls = new Map([[bare, chromium.url]]);
  const direct = stack.use(await startPlatformProcess());
  urls.set(platform, (await direct.create()).connectUrl);
  const machine = findGridMachine();
  if (typeof machine === 'string') console.log(`Without a Grid: ${machine}.`);
  else {
    const grid = stack.use(await startGrid({ machine, slots: 2 }));
    urls.set(bareGrid, await gridSocket(grid));
    const before = stack.use(await startPlatformProcess(['--grid', grid.url]));
    urls.set(platformOnGrid, (await before.create()).connectUrl);
  }
  const candidates: Candidate[] = [];
  for (const [name, url] of urls) {
    const page = stack.use(await openRawPage(url));
    candidates.push({ name, run: () => page.evaluate(commands) });
  }
  const rows = await timed(command, candidates, { warmUps: 2, runs: 9 });
  return rows.map(({ median, min, max, ...row }) => ({
    ...row,
    median: median / commands,
    min: min / commands,
    max: max / commands,
  }));
}

/** Creates a session with the Grid's own API and returns its DevTools URL. */
async function gridSocket(grid: Awaited<ReturnType<typeof startGrid>>): Promise<string> {
  const options = { args: ['--headless=new', '--disable-background-networking'] };
  const body = { capabilities: { alwaysMatch: { browserName: 'chrome', 'goog:chromeOptions': options } } };
  const answer = await grid.ask('/session', { method: 'POST', body });
  if (!answer.ok) throw new Error(`The Grid created no session: ${await answer.text()}`);
  const { value } = (await answer.json()) as { value: { capabilities: Record<string, string> } };
  const { pathname } = new URL(value.capabilities['se:cdp'] ?? '');
  return `${grid.url.replace(/^http/, 'ws').replace(/\/$/, '')}${pathname}`;
}

async function timeCreation(): Promise<Row[]> {
  await using rented = await startPlatformProcess();
  let chromium: Chromium | undefined;
  let session: RentedSession | undefined;
  const end = async (): Promise<void> => {
    await chromium?.[Symbol.asyncDispose]();
    await session?.end();
    [chromium, session] = [undefined, undefined];
    await rented.hasBrowserReady();
  };
  const start = {
    name: bare,
    prepare: end,
    run: async () => {
      chromium = await startChromium();
    },
  };
  const rent = (parameters: object) => ({
    name: platform,
    prepare: end,
    run: async () => {
      session = await rented.create(parameters);
    },
  });
  const counts = { warmUps: 1, runs: 9 };
  const rows = [
    ...(await timed(create, [start, rent({})], counts)),
    ...(await timed(createSpecial, [rent({ userAgent: 'bench' })], counts)),
  ];
  await end();
  return rows;
}

/** Times calls to a platform browser through a network with a round trip of `distance` ms. */
async function timeCalls(server: PageServer, distance: number): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const [port = 0] = await freePorts(1);
  const relay = stack.use(await delayBrowser(`ws://127.0.0.1:${port}/`, distance / 2));
  const url = relay.url.replace(/^ws/, 'http');
  const rented = stack.use(await startPlatformProcess(['--port', String(port), '--public-url', url]));
  const driver = stack.adopt(rentedDriver(rented, url), (opened) => opened.close());
  await driver.init();
  const page = await driver.context.newPage(server.tableUrl(pageSize));
  const sentence = `add ${productName(5)} to the cart`;
  await driver.act(sentence);
  const act = async (): Promise<void> => {
    const { cacheStatus } = await driver.act(sentence);
    if (cacheStatus !== 'HIT') throw new Error(`act was not replayed from the cache: cacheStatus is ${cacheStatus}.`);
  };
  const counts = { warmUps: 1, runs: 7 };
  if (distance === 0) return await timed(hit, [{ name: platform, run: act }], counts);
  const clicked = await timed(click, [{ name: platform, run: () => page.locator('#add-5').click() }], counts);
  return [...clicked, ...(await timed(distantHit, [{ name: platform, run: act }], counts))];
}

function rentedDriver({ key }: PlatformProcess, remoteBaseURL: string): Driver {
  return new Driver({ env: 'REMOTE', apiKey: key, remoteBaseURL, model: 'offline/lexical', verbose: 0 });
}

async function timed(subject: string, candidates: readonly Candidate[], counts: RunCounts): Promise<Row[]> {
  const timings = await measureInterleaved(candidates, counts);
  return timings.map(({ name, ...timing }): Row => ({ subject, library: name, unit: 'ms', ...timing }));
}

function goalsOf(rows: readonly Row[]): Goal[] {
  const share = ratioOf(medianOf(rows, command, platformOnGrid), medianOf(rows, command, bareGrid));
  const beyondStart = (medianOf(rows, create, platform) ?? 0) - (medianOf(rows, create, bare) ?? 0);
  return [
    ...(share === undefined
      ? []
      : [goal("command on the Grid: at most 1.3 × the bare Grid's time", share, { atMost: 1.3, unit: ' ×' })]),
    goal('create a session: at most 150 ms longer than starting Chromium', beyondStart, { atMost: 150, unit: ' ms' }),
    goal(`${click}: at most 120 ms`, medianOf(rows, click, platform) ?? 0, {
      atMost: 120,
      unit: ' ms',
    }),
    goal(`${hit}: at most 50 ms`, medianOf(rows, hit, platform) ?? 0, { atMost: 50, unit: ' ms' }),
  ];
}
