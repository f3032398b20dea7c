/**
 * Breaks the parts of a Grid one by one behind a platform, and prints what users saw and how long it took:
 * `node scripts/grid/prove-faults.ts`. Its table stands in docs/platform.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Driver, type DriverOptions, type Page } from '../../packages/chauffeur/src/index.ts';
import { type Platform, startPlatform } from '../../packages/platform/src/platform.ts';
import { hasRedis, startRedis } from '../../packages/platform/test/support/redis-server.ts';
import { endProcess, processesOf } from '../leftovers.ts';
import { findGridMachine } from './grid-requirements.ts';
import { type Grid, startGrid } from './start-grid.ts';

const SLOTS = 3;
const MIB = 1024 * 1024;
/** What has no owner is to be gone after this. */
const LEFT_MS = 60_000;
const LOOK_AGAIN_MS = 100;
/** On a machine that has other things to do, a part takes this long to begin at most. */
const LONGEST_MS = 120_000;

interface Stage {
  readonly grid: Grid;
  readonly platform: Platform;
}

type Outcome = readonly [fault: string, seen: string, ms: number];

async function open(
  { platform }: Stage,
  options: Partial<DriverOptions> = {},
): Promise<{ driver: Driver; page: Page }> {
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: platform.firstKey ?? '',
    remoteBaseURL: platform.url,
    disableLoggerBackend: true,
    ...options,
  });
  await driver.init();
  const [page] = driver.context.pages();
  if (!page) throw new TypeError('the driver has no page');
  return { driver, page };
}

/** What a call in flight comes to, and how long after the fault. */
async function lossOf(page: Page, fault: () => Promise<void>): Promise<{ readonly seen: string; readonly ms: number }> {
  const call = page.evaluate('new Promise(() => undefined)').then(() => 'it came to an end', sayingOf);
  const start = performance.now();
  await fault();
  return { seen: await call, ms: performance.now() - start };
}

function sayingOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.split('\n', 1)[0]}` : String(error);
}

/** How long it takes until something can be done. */
async function timeUntil(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await work();
      return performance.now() - start;
    } catch (error) {
      if (performance.now() - start > LONGEST_MS) throw error;
      // Nothing tells that a part is back.
      await pause(LOOK_AGAIN_MS);
    }
  }
}

async function browserKilled(stage: Stage): Promise<Outcome> {
  const { driver, page } = await open(stage);
  const { browser } = stage.platform.desk.live.get(driver.remoteSessionID ?? '') ?? {};
  const profile = browser?.downloads.replace(/\/[^/]*$/, '') ?? 'none';
  const found = (await processesOf(stage.grid.folder)).find(({ command }) =>
    command.includes(`--user-data-dir=${profile}`),
  );
  const { seen, ms } = await lossOf(page, async () => endProcess(found?.pid ?? 0));
  await driver.close();
  return ['browser killed', seen, ms];
}

async function sessionDeleted(stage: Stage): Promise<Outcome> {
  const { driver, page } = await open(stage);
  const { handle = '{}' } = stage.platform.desk.live.get(driver.remoteSessionID ?? '')?.browser ?? {};
  const { id } = JSON.parse(handle) as { readonly id?: string };
  const { seen, ms } = await lossOf(
    page,
    async () => void (await stage.grid.ask(`/session/${id}`, { method: 'DELETE' })),
  );
  await driver.close();
  return ['the grid gave the session up', seen, ms];
}

async function nodeKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await open(stage);
  const { seen, ms } = await lossOf(page, () => stage.grid.kill('node'));
  await driver.close();
  await stage.grid.endOrphans();
  stage.grid.start('node');
  const back = await timeUntil(async () => (await open(stage)).driver.close());
  return [
    ['node killed', seen, ms],
    ['… and started again', 'the next session begins', back],
  ];
}

async function routerKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await open(stage, { keepAlive: true });
  const remoteSessionID = driver.remoteSessionID ?? '';
  await page.evaluate('window.mark = 7');
  const { seen, ms } = await lossOf(page, () => stage.grid.kill('router'));
  await driver.close();
  stage.grid.start('router');
  let mark: unknown;
  const back = await timeUntil(async () => {
    const again = await open(stage, { remoteSessionID });
    mark = await again.page.evaluate('window.mark');
    await again.driver.close();
  });
  await stage.platform.desk.end(remoteSessionID, { status: 'COMPLETED', reason: 'It was seen.' });
  return [
    ['router killed', seen, ms],
    ['… and started again', `the session goes on with its page as it was (${mark === 7})`, back],
  ];
}

async function distributorKilled(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await open(stage);
  await stage.grid.kill('distributor');
  const alive = await page.evaluate('6 * 7');
  const start = performance.now();
  const refused = await open(stage).then(async (second) => second.driver.close(), sayingOf);
  const ms = performance.now() - start;
  stage.grid.start('distributor');
  const back = await timeUntil(async () => (await open(stage)).driver.close());
  await driver.close();
  return [
    ['distributor killed', `sessions go on (${alive === 42}); a new one: ${refused ?? 'begins'}`, ms],
    ['… and started again', 'the next session begins', back],
  ];
}

async function full(stage: Stage): Promise<Outcome> {
  const opened = await Promise.all(Array.from({ length: SLOTS }, () => open(stage)));
  const start = performance.now();
  const refused = await open(stage).then(async (second) => second.driver.close(), sayingOf);
  const ms = performance.now() - start;
  await Promise.all(opened.map(({ driver }) => driver.close()));
  return ['grid full, queue of 2 s', String(refused), ms];
}

async function messages(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await open(stage);
  const outcomes: Outcome[] = [];
  for (const size of [30, 31, 40]) {
    const start = performance.now();
    const seen = await page
      .evaluate((text: string) => text.length, 'x'.repeat(size * MIB))
      .then((length) => `arrived: ${length === size * MIB}`, sayingOf);
    outcomes.push([
      `message of ${size} MiB`,
      `${seen}; the session goes on (${(await page.evaluate('1')) === 1})`,
      performance.now() - start,
    ]);
  }
  await driver.close();
  return outcomes;
}

/** What has no owner any more: browsers, sessions of the Grid, rows. */
async function left({ grid, platform }: Stage): Promise<Outcome> {
  const start = performance.now();
  for (;;) {
    const processes = (await processesOf(grid.folder)).filter(({ command }) => !command.startsWith('java '));
    const rows = [...platform.desk.live.keys()];
    const sessions = await platform.backend.running();
    const ms = performance.now() - start;
    const isClean = processes.length + rows.length + sessions.length === 0;
    if (isClean || ms > LEFT_MS)
      return [
        'after all that',
        `${processes.length} processes, ${sessions.length} sessions, ${rows.length} rows are left`,
        ms,
      ];
    await pause(LOOK_AGAIN_MS);
  }
}

function tell(outcomes: readonly Outcome[]): void {
  for (const [fault, seen, ms] of outcomes) console.log(`| ${fault} | ${seen} | ${(ms / 1000).toFixed(1)} s |`);
}

async function main(): Promise<void> {
  const machine = findGridMachine();
  if (typeof machine === 'string') throw new TypeError(`No grid can run here: ${machine}.`);
  await using redis = hasRedis ? await startRedis() : undefined;
  await using grid = await startGrid({
    machine,
    shape: 'distributed',
    slots: SLOTS,
    ...(redis ? { redisPort: redis.port } : {}),
  });
  await using platform = await startPlatform({
    database: ':memory:',
    port: 0,
    logLevel: 'fatal',
    grid: [grid.url],
    egressPort: 0,
    queueTimeout: 2000,
    grace: 2000,
  });
  const stage = { grid, platform };
  console.log(`| fault | what the client saw | after |\n| --- | --- | --- |`);
  tell([await browserKilled(stage)]);
  tell([await sessionDeleted(stage)]);
  tell(await messages(stage));
  tell([await full(stage)]);
  tell(await distributorKilled(stage));
  tell(await routerKilled(stage));
  tell(await nodeKilled(stage));
  tell([await left(stage)]);
}

await main();
