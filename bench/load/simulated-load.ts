import { setTimeout as pause } from 'node:timers/promises';
import { type Program, runProgram } from '../../packages/chauffeur/test/support/run-program.ts';
import { startBalancer } from '../../packages/platform/test/support/balancer.ts';
import { startPostgres } from '../../packages/platform/test/support/postgres-server.ts';
import { startRedis } from '../../packages/platform/test/support/redis-server.ts';
import { simulateBrowsers } from '../../packages/platform/test/support/simulated-browsers.ts';
import { memoryOf, processorTime } from './process-cost.ts';
import { connectClient, inTurns, type LoadedClient, spread, Tenant } from './tenant.ts';

const SERVER = new URL('../../packages/platform/test/servers/simulated-server.ts', import.meta.url);
const SESSIONS = 200;
const AT_ONCE = 10;
const COMMANDS = 500;
const ROUNDS = 50;
const IDLE_MS = 10_000;

/** What two servers with one database take for many sessions, whose browsers only answer: one line for each figure. */
export async function loadSimulated(): Promise<readonly (readonly string[])[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const redis = stack.use(await startRedis());
  const browsers = stack.use(await simulateBrowsers());
  const balancer = stack.use(await startBalancer());
  const options = { database: postgres.url, redis: redis.url, publicUrl: balancer.url, port: 0, logLevel: 'silent' };
  const words = [
    JSON.stringify({ options: { ...options, capacity: SESSIONS * 2 }, origin: browsers.origin, kind: 'shared' }),
  ];
  const servers: Program[] = [];
  let key = '';
  for (let count = 0; count < 2; count++) {
    const program = stack.use(runProgram(SERVER, words));
    balancer.targets.push(Number((await program.lineWith('Port ')).slice(5)));
    if (key === '') key = (await program.lineWith('Key ')).slice(4);
    servers.push(program);
  }
  const pids = servers.map(({ pid }) => pid);
  const services = [postgres.pid, redis.pid];
  const tenant = new Tenant(balancer.url, key);
  await inTurns(Array.from({ length: 20 }), AT_ONCE, async () => tenant.release((await tenant.create()).id));
  const cost = costOf(pids, services);
  const before = memoryOf(pids);
  const sessions = await inTurns(Array.from({ length: SESSIONS }), AT_ONCE, () => tenant.create());
  const [created, createdServices] = cost();
  const clients = await inTurns(sessions, AT_ONCE, (session) => connectClient(session));
  await pause(IDLE_MS);
  const idle = costOf(pids, services);
  await pause(IDLE_MS);
  const [idled, idledServices] = idle();
  const memory = memoryOf(pids) - before;
  const [near = [], far = []] = await alone(key, balancer.targets);
  const busy = costOf(pids, services);
  const begun = performance.now();
  const times = await Promise.all(clients.map(repeat(ROUNDS)));
  const seconds = (performance.now() - begun) / 1000;
  const [sent] = busy();
  for (const client of clients) client[Symbol.dispose]();
  const ended = performance.now();
  await inTurns(sessions, AT_ONCE, ({ id }) => tenant.release(id));
  const name = `${SESSIONS} simulated, two servers`;
  const total = SESSIONS * ROUNDS;
  return [
    [name, `create, ${AT_ONCE} at a time: median, 95 of 100`, spread(sessions.map(({ ms }) => ms))],
    [
      name,
      'processor time of a create: servers, database and Redis',
      `${(created / SESSIONS).toFixed(1)} ms, ${(createdServices / SESSIONS).toFixed(1)} ms`,
    ],
    [name, 'command, one client, by the server that has the session', spread(near)],
    [name, 'command, one client, by the other server', spread(far)],
    [name, `command, ${SESSIONS} clients at once`, spread(times.flat())],
    [
      name,
      'commands a second, and processor time of one, half of them by the other server',
      `${Math.round(total / seconds)}, ${(sent / total).toFixed(3)} ms`,
    ],
    [name, 'memory of the servers for a session with a client', `${(memory / SESSIONS).toFixed(2)} MB`],
    [
      name,
      'processor time of an idle session for a second: servers, database and Redis',
      `${(idled / SESSIONS / (IDLE_MS / 1000)).toFixed(3)} ms, ${(idledServices / SESSIONS / (IDLE_MS / 1000)).toFixed(3)} ms`,
    ],
    [name, `all released, ${AT_ONCE} at a time`, `${((performance.now() - ended) / 1000).toFixed(1)} s`],
  ];
}

/** Processor time from now on, of the servers and of what they share. */
function costOf(pids: readonly number[], services: readonly number[]): () => [number, number] {
  const before = [processorTime(pids), processorTime(services)] as const;
  return () => [processorTime(pids) - before[0], processorTime(services) - before[1]];
}

/** One client alone: by the server that has its session, then by the other one. */
async function alone(key: string, [here = 0, there = 0]: readonly number[]): Promise<readonly number[][]> {
  const tenant = new Tenant(`http://127.0.0.1:${here}`, key);
  const session = await tenant.create();
  using near = await connectClient(session, here);
  using far = await connectClient(session, there);
  // In turns, so that a slow moment of the machine hits both alike.
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < COMMANDS; round++) {
    times[0].push(await near.command());
    times[1].push(await far.command());
  }
  await tenant.release(session.id);
  return times;
}

function repeat(count: number): (client: LoadedClient) => Promise<number[]> {
  return async (client) => {
    const times: number[] = [];
    for (let round = 0; round < count; round++) times.push(await client.command());
    return times;
  };
}
