import { setTimeout as pause } from 'node:timers/promises';
import { Driver, type DriverOptions, type Page, RemoteQuotaError } from '../../packages/pagechauffeur/src/index.ts';
import { serve, type TestServer } from '../../packages/pagechauffeur/test/support/serve.ts';
import { type Program, runProgram } from '../../packages/pagechauffeur/test/support/run-program.ts';
import { type Relay, startRelay } from '../../packages/pagechauffeur/test/support/relay.ts';
import type { PlatformOptions } from '../../packages/platform/src/options.ts';
import { PostgresDatabase } from '../../packages/platform/src/store/postgres-database.ts';
import { type Balancer, startBalancer } from '../../packages/platform/test/support/balancer.ts';
import type { LocalService } from '../../packages/platform/test/support/local-service.ts';
import { startPostgres } from '../../packages/platform/test/support/postgres-server.ts';
import { startRedis } from '../../packages/platform/test/support/redis-server.ts';
import { silentLog } from '../../packages/platform/test/support/silent-log.ts';
import { freePorts } from '../grid/free-ports.ts';
import type { GridMachine } from '../grid/grid-requirements.ts';
import { type Grid, startGrid } from '../grid/start-grid.ts';

const SERVER = new URL('../../packages/platform/test/support/server-program.ts', import.meta.url);
/** How long a session request may wait. */
const QUEUE_TIMEOUT_MS = 2000;
const LONG_QUEUE_TIMEOUT_MS = 60_000;
const CALL_MS = 180_000;
const BEGIN_MS = 60_000;
const BEGIN_AGAIN_MS = 500;
const PAGE = '<!doctype html><title>Page</title><button>Go</button>';

/** A server process of the platform. */
export interface ServerProcess {
  readonly port: number;
  readonly url: string;
  readonly isRunning: boolean;
  start(): Promise<void>;
  /** Kills the process, as a machine failure would. */
  kill(): Promise<void>;
  /** Suspends the process, as a suspended machine would. */
  freeze(): void;
  thaw(): void;
  /** Stops the process with SIGTERM, as a deployment does, and waits until it exits. */
  leave(): Promise<void>;
}

/** A complete platform on this machine: clients, network, two servers, their shared services, and a Grid. */
export interface Stage {
  readonly grid: Grid;
  readonly postgres: LocalService;
  readonly database: PostgresDatabase;
  readonly redis: LocalService;
  readonly servers: readonly [ServerProcess, ServerProcess];
  /** Two more servers, not started yet, where a request waits up to one minute. */
  readonly longQueue: readonly [ServerProcess, ServerProcess];
  /** The network between clients and servers. */
  readonly network: Relay;
  /** URL for clients. */
  readonly url: string;
  readonly key: string;
  /** Serves pages to browsers. */
  readonly pages: TestServer;
}

/** Starts everything. Disposed with the stack. */
export async function setStage(stack: AsyncDisposableStack, machine: GridMachine, slots: number): Promise<Stage> {
  const postgres = stack.use(await startPostgres());
  const redis = stack.use(await startRedis());
  // A separate Redis for the Grid: losing the Grid's own state is not tested.
  const memory = stack.use(await startRedis());
  const grid = stack.use(
    await startGrid({ machine, shape: 'distributed', slots, spareNodes: 1, redisPort: memory.port }),
  );
  const balancer = stack.use(await startBalancer());
  const network = stack.use(await startRelay());
  network.target = Number(new URL(balancer.url).port);
  const url = `http://127.0.0.1:${network.port}`;
  const pages = stack.use(await serve({ '/': PAGE }));
  const [egressPort = 0, ...ports] = await freePorts(5);
  const options: PlatformOptions = {
    database: postgres.url,
    redis: redis.url,
    publicUrl: url,
    grid: [grid.url],
    egressPort,
    allowNetworks: ['127.0.0.0/8'],
    logLevel: 'silent',
  };
  const keys: string[] = [];
  const server = (port: number, queueTimeout: number): ServerProcess =>
    serverProcess(stack, { ...options, port, queueTimeout }, balancer, keys);
  const [one, other] = [server(ports[0] ?? 0, QUEUE_TIMEOUT_MS), server(ports[1] ?? 0, QUEUE_TIMEOUT_MS)];
  const [third, fourth] = [server(ports[2] ?? 0, LONG_QUEUE_TIMEOUT_MS), server(ports[3] ?? 0, LONG_QUEUE_TIMEOUT_MS)];
  await one.start();
  await other.start();
  const database = await PostgresDatabase.open(postgres.url, silentLog);
  stack.defer(() => database.close());
  const servers = { servers: [one, other], longQueue: [third, fourth] } as const;
  return { grid, postgres, database, redis, ...servers, network, url, key: keys[0] ?? '', pages };
}

function serverProcess(
  stack: AsyncDisposableStack,
  options: PlatformOptions & { readonly port: number },
  balancer: Balancer,
  keys: string[],
): ServerProcess {
  const { port } = options;
  let program: Program | undefined;
  stack.defer(async () => program?.kill());
  const end = async (how: (running: Program) => Promise<unknown>): Promise<void> => {
    const running = program;
    if (!running) return;
    balancer.targets.splice(balancer.targets.indexOf(port), 1);
    await how(running);
    program = undefined;
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get isRunning() {
      return program !== undefined;
    },
    start: async () => {
      program = runProgram(SERVER, [JSON.stringify({ options })]);
      const key = (await program.lineWith('Key ')).slice(4);
      if (key !== '') keys.push(key);
      balancer.targets.push(port);
    },
    kill: () => end((running) => running.kill()),
    freeze: () => void (program && process.kill(program.pid, 'SIGSTOP')),
    thaw: () => void (program && process.kill(program.pid, 'SIGCONT')),
    leave: () =>
      end(async ({ pid, ended }) => {
        process.kill(pid, 'SIGTERM');
        await ended;
      }),
  };
}

/** A driver on the platform, with its page. */
export interface Opened {
  readonly driver: Driver;
  readonly page: Page;
  readonly id: string;
}

/** Opens a driver. Its session has a file, which must be removed with it. */
export async function open({ key, url }: Stage, options: Partial<DriverOptions> = {}): Promise<Opened> {
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: key,
    remoteBaseURL: url,
    disableLoggerBackend: true,
    // The outcome of a call matters, not its timeout.
    defaultTimeout: CALL_MS,
    ...options,
  });
  await driver.init();
  const [page] = driver.context.pages();
  if (!page) throw new TypeError('the driver has no page');
  const id = driver.remoteSessionID ?? '';
  if (options.remoteSessionID === undefined)
    await ask({ key, url }, { method: 'PUT', path: `/v1/sessions/${id}/files/note.txt`, body: 'a note' });
  return { driver, page, id };
}

/**
 * Opens a driver before a fault. Retries for 60 s, because a Grid on a busy machine sometimes considers its node lost.
 */
export async function begin(stage: Stage, options: Partial<DriverOptions> = {}): Promise<Opened> {
  const deadline = performance.now() + BEGIN_MS;
  for (;;) {
    try {
      return await open(stage, options);
    } catch (error) {
      if (!(error instanceof RemoteQuotaError) || performance.now() > deadline) throw error;
      await pause(BEGIN_AGAIN_MS);
    }
  }
}

/** Sends a request with the platform's key. */
export async function ask(
  { key, url }: Pick<Stage, 'key' | 'url'>,
  { method = 'GET', path, body }: { readonly method?: string; readonly path: string; readonly body?: string },
): Promise<Record<string, unknown>> {
  const type = method === 'PUT' ? 'application/octet-stream' : 'application/json';
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) };
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** Ends a session. */
export async function release(stage: Stage, id: string): Promise<void> {
  await ask(stage, { method: 'POST', path: `/v1/sessions/${id}`, body: '{"status":"REQUEST_RELEASE"}' });
}

/** Ends all sessions after a failed step. */
export async function releaseAll(stage: Stage): Promise<void> {
  const rows = await stage.database.query('SELECT id FROM sessions WHERE ended_at IS NULL');
  await Promise.all(rows.map(({ id }) => release(stage, String(id))));
}

/** Returns the Grid's id and the profile folder of a session. The platform does not reveal them. */
export async function handleOf(
  { database }: Stage,
  id: string,
): Promise<{ readonly id: string; readonly profile: string }> {
  const [row] = await database.query('SELECT browser FROM sessions WHERE id = :id', { id });
  return JSON.parse(String(row?.['browser'])) as { id: string; profile: string };
}
