import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../../packages/pagechauffeur/test/support/run-program.ts';
import { startBalancer } from '../../packages/platform/test/support/balancer.ts';
import { startPostgres } from '../../packages/platform/test/support/postgres-server.ts';
import { startRedis } from '../../packages/platform/test/support/redis-server.ts';
import { simulateBrowsers } from '../../packages/platform/test/support/simulated-browsers.ts';
import { memoryOf, processorTime } from './process-cost.ts';
import { connectClient, inTurns, type LoadedClient, type LoadedSession, spread, Tenant } from './tenant.ts';

const SERVER = new URL('../../packages/platform/test/support/server-program.ts', import.meta.url);
const WARM_UPS = 20;
const SESSIONS = 200;
const AT_ONCE = 10;
const COMMANDS = 500;
const ROUNDS = 50;
const REQUESTS = 2000;
const SETTLE_MS = 5000;
const IDLE_MS = 10_000;

/**
 * Measures two servers with one database under many sessions, whose simulated browsers only respond. One line per
 * figure.
 */
export async function loadSimulated(): Promise<readonly (readonly string[])[]> {
  await using stack = new AsyncDisposableStack();
  const load = await startServers(stack);
  const { tenant, memory } = load;
  await inTurns(Array.from({ length: WARM_UPS }), AT_ONCE, async () => tenant.release((await tenant.create()).id));
  const before = memory();
  const creating = load.cost();
  const sessions = await inTurns(Array.from({ length: SESSIONS }), AT_ONCE, () => tenant.create());
  const created = creating();
  const clients = await inTurns(sessions, AT_ONCE, (session) => connectClient(session));
  await pause(SETTLE_MS);
  const idling = load.cost();
  await pause(IDLE_MS);
  const idled = idling();
  const grown = memory() - before;
  const lines = [
    line(`create a session, ${AT_ONCE} at a time: median, 95th percentile`, spread(sessions.map(({ ms }) => ms))),
    line('CPU time to create a session: servers; database and Redis', each(created, SESSIONS)),
    line(
      'CPU time of an idle session per second: servers; database and Redis',
      each(idled, (SESSIONS * IDLE_MS) / 1000),
    ),
    line('server memory per session with one client', `${(grown / SESSIONS).toFixed(2)} MB`),
    ...(await timeCommands(load, clients)),
    ...(await costOfRequests(load, sessions)),
  ];
  for (const client of clients) client[Symbol.dispose]();
  const begun = performance.now();
  await inTurns(sessions, AT_ONCE, ({ id }) => tenant.release(id));
  return [
    ...lines,
    line(`release all sessions, ${AT_ONCE} at a time`, `${((performance.now() - begun) / 1000).toFixed(1)} s`),
  ];
}

/** The measured servers, as seen from outside. */
interface Load {
  readonly tenant: Tenant;
  readonly key: string;
  readonly ports: readonly number[];
  /** In MB. */
  readonly memory: () => number;
  /** Starts to measure the CPU time of servers and shared services. The returned function returns both, in ms. */
  readonly cost: () => () => Cost;
}

type Cost = readonly [servers: number, services: number];

async function startServers(stack: AsyncDisposableStack): Promise<Load> {
  const postgres = stack.use(await startPostgres());
  const redis = stack.use(await startRedis());
  const { origin } = stack.use(await simulateBrowsers());
  const balancer = stack.use(await startBalancer());
  const shared = { database: postgres.url, redis: redis.url, publicUrl: balancer.url };
  const options = { ...shared, port: 0, logLevel: 'silent', capacity: SESSIONS * 2 };
  const words = [JSON.stringify({ options, simulated: { origin, kind: 'shared' } })];
  const servers: number[] = [];
  let key = '';
  for (let count = 0; count < 2; count++) {
    const program = stack.use(runProgram(SERVER, words));
    balancer.targets.push(Number((await program.lineWith('Port ')).slice(5)));
    if (key === '') key = (await program.lineWith('Key ')).slice(4);
    servers.push(program.pid);
  }
  const now = (): Cost => [processorTime(servers), processorTime([postgres.pid, redis.pid])];
  return {
    tenant: new Tenant(balancer.url, key),
    key,
    ports: balancer.targets,
    memory: () => memoryOf(servers),
    cost: () => {
      const [ofServers, ofServices] = now();
      return () => {
        const [laterServers, laterServices] = now();
        return [laterServers - ofServers, laterServices - ofServices];
      };
    },
  };
}

/** Times commands of one client alone, then of all clients at the same time. */
async function timeCommands(load: Load, clients: readonly LoadedClient[]): Promise<string[][]> {
  const [near = [], far = []] = await alone(load);
  const sending = load.cost();
  const begun = performance.now();
  const times = await Promise.all(clients.map(repeat(ROUNDS)));
  const seconds = (performance.now() - begun) / 1000;
  const [sent] = sending();
  const total = SESSIONS * ROUNDS;
  return [
    line('command of one client through the server that owns the session', spread(near)),
    line('command of one client through the other server', spread(far)),
    line(`command while ${SESSIONS} clients send`, spread(times.flat())),
    line(`commands per second while ${SESSIONS} clients send`, String(Math.round(total / seconds))),
    line('CPU time of a command, half of them forwarded', `${(sent / total).toFixed(3)} ms`),
  ];
}

/** Measures the API requests that drivers send besides browser commands. */
async function costOfRequests({ tenant, cost }: Load, sessions: readonly LoadedSession[]): Promise<string[][]> {
  const rounds = Array.from({ length: REQUESTS }, (_, index) => sessions[index % sessions.length]?.id ?? '');
  const telling = cost();
  await inTurns(rounds, AT_ONCE, (id) => tenant.tell(id));
  const told = telling();
  const asking = cost();
  await inTurns(rounds, AT_ONCE, () => tenant.askCache());
  return [
    line('CPU time to report two events: servers; database and Redis', each(told, REQUESTS)),
    line('CPU time of a cache lookup: servers; database and Redis', each(asking(), REQUESTS)),
  ];
}

function line(what: string, figure: string): string[] {
  return [`${SESSIONS} simulated, two servers`, what, figure];
}

function each(cost: Cost, count: number): string {
  return cost.map((ms) => `${(ms / count).toFixed(3)} ms`).join(', ');
}

/** Times one client through the server that has its session, and through the other server. */
async function alone({ key, ports: [here = 0, there = 0] }: Load): Promise<readonly number[][]> {
  const tenant = new Tenant(`http://127.0.0.1:${here}`, key);
  const session = await tenant.create();
  using near = await connectClient(session, here);
  using far = await connectClient(session, there);
  // Alternates, so that other load on the machine affects both.
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
