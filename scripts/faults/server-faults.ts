import { setTimeout as pause } from 'node:timers/promises';
import { DriverClosedError } from '../../packages/pagechauffeur/src/index.ts';
import { runProgram } from '../../packages/pagechauffeur/test/support/run-program.ts';
import { insist, type Outcome, saying, sayingOf, timeOf, timeUntil } from './outcome.ts';
import { ask, begin, open, type Opened, release, type ServerProcess, type Stage } from './stage.ts';

/** Number of browsers started at once. */
const AT_ONCE = 4;
const AWAY_MS = 3000;
const ACTS = 3;
const MAIN = new URL('../../packages/platform/src/main.ts', import.meta.url);

/** Kills and restarts Redis, which counts the sessions. */
export async function redisRestarted(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  await stage.redis.stop('SIGKILL');
  let seen = '';
  const ms = await timeOf(async () => (seen = await saying(open(stage), 'begins')));
  insist((await page.evaluate('6 * 7')) === 42, 'sessions continue without Redis');
  const figures = await (await fetch(`${stage.servers[0].url}/metrics`)).text();
  insist(figures.includes('chauffeur_reachable{part="redis",name=""} 0'), 'the metrics say that Redis is unreachable');
  await stage.redis.start();
  const back = await timeUntil(async () => (await open(stage)).driver.close());
  await driver.close();
  return [
    ['Redis killed', `sessions continue; a new one: ${seen}`, ms],
    ['… started again', 'the next session begins', back],
  ];
}

/** Kills and restarts PostgreSQL, which stores sessions, keys and leases. */
export async function postgresRestarted(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage);
  await stage.postgres.stop('SIGKILL');
  let seen = '';
  const ms = await timeOf(async () => (seen = await saying(open(stage), 'begins')));
  insist((await page.evaluate('6 * 7')) === 42, 'sessions continue without PostgreSQL');
  await stage.postgres.start();
  const back = await timeUntil(async () => (await open(stage)).driver.close());
  await stage.postgres.stop('SIGINT');
  const late = open(stage);
  await pause(AWAY_MS);
  await stage.postgres.start();
  const waited = await timeOf(async () => (await late).driver.close());
  await driver.close();
  return [
    ['PostgreSQL killed', `sessions continue; a new one: ${seen}`, ms],
    ['… started again', 'the next session begins', back],
    [`PostgreSQL unreachable for ${AWAY_MS / 1000} s`, 'a request waits, and its session begins', AWAY_MS + waited],
  ];
}

/** Calls `act` with the shared cache while the database is down. */
export async function postgresAwayFromActs(stage: Stage): Promise<readonly Outcome[]> {
  const { driver, page } = await begin(stage, { model: 'offline/lexical' });
  await page.goto(stage.pages.origin);
  await driver.act('click "Go"');
  await stage.postgres.stop('SIGKILL');
  const acts = await timeOf(async () => {
    for (let count = 0; count < ACTS; count += 1) await driver.act('click "Go"');
  });
  await stage.postgres.start();
  await driver.close();
  return [['PostgreSQL unreachable', `${ACTS} acts succeed, without the shared cache`, acts]];
}

/** Freezes one of two servers behind a load balancer that still chooses it. */
export async function serverFrozen(stage: Stage): Promise<readonly Outcome[]> {
  const [frozen] = stage.servers;
  const opened = await openMany(stage, AT_ONCE);
  const owned = await ownedBy(stage, frozen);
  frozen.freeze();
  using stack = new DisposableStack();
  stack.defer(() => frozen.thaw());
  const begun = performance.now();
  const seen = await Promise.all(
    opened.map(async ({ id, page }) => {
      const said = await page.evaluate('6 * 7').catch((error: unknown) => error);
      const isTold = said instanceof DriverClosedError && said.canResume;
      insist(
        said === 42 || (owned.has(id) && isTold),
        `a session continues, or its error says that it can be resumed: ${sayingOf(said)}`,
      );
      return { isTold, ms: performance.now() - begun };
    }),
  );
  const again = await timeOf(() =>
    Promise.all(opened.map((each, index) => resume(stage, each, seen[index]?.isTold === true))),
  );
  return [
    [
      `one of two servers frozen: ${opened.length} live sessions, ${owned.size} of them its own`,
      `${seen.filter(({ isTold }) => !isTold).length} calls in flight arrive; ${seen.filter(({ isTold }) => isTold).length} drivers get an error that says that they can resume their sessions`,
      Math.max(...seen.map(({ ms }) => ms)),
    ],
    ['… its sessions', 'new drivers resume them', again],
  ];
}

async function resume(stage: Stage, { driver, id }: Opened, isTold: boolean): Promise<void> {
  if (isTold) {
    const next = await open({ ...stage, url: stage.servers[1].url }, { remoteSessionID: id });
    insist((await next.page.evaluate('6 * 7')) === 42, 'a new driver goes on');
    await next.driver.close();
  }
  await driver.close();
  await release({ ...stage, url: stage.servers[1].url }, id);
}

/** Starts a server for which the environment and the command line name different stores. */
export async function twoStores(stage: Stage): Promise<readonly Outcome[]> {
  const errors: string[] = [];
  const environment = { CHAUFFEUR_DATABASE: stage.postgres.url };
  const ms = await timeOf(async () => {
    const program = runProgram(MAIN, ['--port', '0', '--data', stage.grid.folder], { errors, environment });
    insist((await program.ended) === 1, 'a server with two stores does not start');
  });
  return [['two stores configured', `it does not start: ${errors.join('').trim()}`, ms]];
}

/** Checks that requests get slots in their order, whichever server they wait on. */
export async function placesInOrder(stage: Stage, slots: number): Promise<readonly Outcome[]> {
  const opened = await Promise.all(Array.from({ length: slots }, () => begin(stage)));
  await Promise.all(stage.longQueue.map((server) => server.start()));
  const begun: { readonly turn: number; readonly id: string }[] = [];
  const waiting: Promise<number>[] = [];
  for (let turn = 0; turn < Math.min(AT_ONCE, slots); turn += 1) {
    const { url } = stage.longQueue[turn % 2 === 0 ? 0 : 1];
    waiting.push(createAt({ ...stage, url }).then((id) => begun.push({ turn, id })));
    await timeUntil(async () => insist((await queueOf(stage.longQueue)) > turn, 'the request waits'));
  }
  const ms = await timeOf(async () => {
    // Frees one slot at a time: sessions that start together may be ready in any order.
    for (const [index, { driver }] of opened.entries()) {
      await driver.close();
      if (index < waiting.length) await timeUntil(async () => insist(begun.length > index, 'the next session begins'));
    }
  });
  await Promise.all(waiting);
  await Promise.all(begun.map(({ id }) => release(stage, id)));
  await Promise.all(stage.longQueue.map((server) => server.leave()));
  const order = begun.map(({ turn }) => turn).join(', ');
  insist(order === waiting.map((_, turn) => turn).join(', '), `places are given in order: ${order}`);
  return [
    [
      `Grid full, ${waiting.length} more requests to two servers in turn`,
      `their sessions begin in the order ${order}`,
      ms,
    ],
  ];
}

async function queueOf(servers: readonly ServerProcess[]): Promise<number> {
  const figures = await Promise.all(servers.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return figures.reduce((sum, text) => sum + Number(/^chauffeur_queue (\d+)/m.exec(text)?.[1] ?? 0), 0);
}

async function createAt(stage: Stage): Promise<string> {
  const answer = await ask(stage, { method: 'POST', path: '/v1/sessions', body: '{}' });
  insist(typeof answer['id'] === 'string', `a queued session begins: ${JSON.stringify(answer)}`);
  return String(answer['id']);
}

/** Kills one of two servers that own about half of the sessions each. */
export async function serverKilled(stage: Stage, sessions: number): Promise<readonly Outcome[]> {
  return serverGone(stage, sessions, { name: 'killed', end: (server) => server.kill() });
}

/** Stops one of two servers with SIGTERM, as a deployment does. */
export async function serverReplaced(stage: Stage, sessions: number): Promise<readonly Outcome[]> {
  return serverGone(stage, sessions, { name: 'told to end', end: (server) => server.leave() });
}

interface Going {
  readonly name: string;
  readonly end: (server: ServerProcess) => Promise<void>;
}

async function serverGone(stage: Stage, sessions: number, { name, end }: Going): Promise<readonly Outcome[]> {
  const [leaving] = stage.servers;
  const opened = await openMany(stage, sessions);
  const owned = await ownedBy(stage, leaving);
  await Promise.all(opened.map(({ page }, index) => page.evaluate(`window.mark = ${index}`)));
  const calls = opened.map(({ page }) =>
    page.evaluate('new Promise((done) => (window.finish = done))').catch(sayingOf),
  );
  const begun = performance.now();
  const gone = end(leaving).then(() => performance.now() - begun);
  const seen = opened.map(async ({ id, page }, index) => {
    // Finishes calls in sessions of the other server over their existing connections.
    if (!owned.has(id)) await Promise.all([gone, page.evaluate('window.finish(7)')]);
    const said = await calls[index];
    return { said, ms: performance.now() - begun };
  });
  const outcomes = await Promise.all(seen);
  const told = outcomes.filter((_, index) => owned.has(opened[index]?.id ?? ''));
  const spared = outcomes.filter(({ said }) => said === 7);
  insist(spared.length + told.length === sessions, 'drivers of the other server’s sessions notice nothing');
  const again = await timeOf(() =>
    Promise.all(opened.map((each, index) => goOn(stage, each, { index, isTold: owned.has(each.id) }))),
  );
  const endedAfter = await gone;
  const start = await timeUntil(() => leaving.start());
  return [
    [
      `one of two servers ${name}: ${sessions} live sessions, ${owned.size} of them its own`,
      `${spared.length} drivers continue, including their calls in flight; ${told.length} get an error (the first after ${seconds(Math.min(...told.map(({ ms }) => ms)))}): ${String(told[0]?.said)}`,
      Math.max(...told.map(({ ms }) => ms)),
    ],
    ['… its sessions', `new drivers resume all ${told.length}, with unchanged pages and network`, again],
    ['… started again', `it had ended after ${seconds(endedAfter)}`, start],
  ];
}

/** Continues in a session, with a new driver on the other server if the first one lost it. */
async function goOn(
  stage: Stage,
  { driver, page, id }: Opened,
  { index, isTold }: { readonly index: number; readonly isTold: boolean },
): Promise<void> {
  const next = isTold ? await open({ ...stage, url: stage.servers[1].url }, { remoteSessionID: id }) : { driver, page };
  insist((await next.page.evaluate('window.mark')) === index, 'the page is as it was');
  await next.page.goto(stage.pages.origin);
  insist((await next.page.title()) === 'Page', 'the browser reaches the network');
  await Promise.all([next.driver.close(), driver.close()]);
  await release(stage, id);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Opens half of the sessions on each server, only a few at a time, because the machine is busy. */
async function openMany(stage: Stage, count: number): Promise<Opened[]> {
  const opened: Opened[] = [];
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - opened.length) }, async (_, index) => {
      const { url } = stage.servers[index % 2 === 0 ? 0 : 1];
      const first = await begin({ ...stage, url }, { keepAlive: true });
      await first.driver.close();
      return open(stage, { remoteSessionID: first.id });
    });
    opened.push(...(await Promise.all(some)));
  }
  return opened;
}

async function ownedBy({ database }: Stage, { url }: ServerProcess): Promise<ReadonlySet<string>> {
  const rows = await database.query(
    `SELECT id FROM sessions WHERE ended_at IS NULL
       AND owner IN (SELECT CAST(id AS TEXT) FROM servers WHERE address = :url)`,
    { url },
  );
  return new Set(rows.map(({ id }) => String(id)));
}
