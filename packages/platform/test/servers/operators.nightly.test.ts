import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Program, runProgram } from '../../../pagechauffeur/test/support/run-program.ts';
import { hasSharedServices, useSharedServices } from '../support/shared-services.ts';
import { type Answer, ask } from '../support/use-platform.ts';

const SERVER = new URL('../support/server-program.ts', import.meta.url);
const METRICS_TOKEN = 't'.repeat(43);
const SOON = { timeout: 30_000, interval: 100 };
const LONG = { timeout: 120_000 };

interface ServerProgram {
  readonly program: Program;
  readonly key: string;
  /** Sends a GET request. */
  get(path: string): Promise<Answer>;
  /** Returns the value of a metric. */
  figure(name: string): Promise<string | undefined>;
  /** Lines of its log. */
  logged(): Record<string, unknown>[];
  /** Lines of its log whose message is this one. */
  lines(message: string): Record<string, unknown>[];
}

const isAboutQueues = ({ msg }: Readonly<Record<string, unknown>>): boolean => String(msg).includes('its own queue');

describe.skipIf(!hasSharedServices)('monitoring of servers', () => {
  const services = useSharedServices();

  async function startServer({ redis = services.redis.url } = {}): Promise<ServerProgram & { readonly url: string }> {
    const errors: string[] = [];
    const shared = { database: services.postgres.url, leaseTimeout: 20_000, ...(redis === '' ? {} : { redis }) };
    const options = {
      ...shared,
      publicUrl: services.balancer.url,
      port: 0,
      logLevel: 'info',
      metricsToken: METRICS_TOKEN,
    };
    const simulated = { origin: services.browsers.origin, kind: 'shared' };
    const program = runProgram(SERVER, [JSON.stringify({ options, simulated })], { errors });
    onTestFinished(() => program.kill());
    const url = `http://127.0.0.1:${(await program.lineWith('Port ')).slice(5)}`;
    const key = (await program.lineWith('Key ')).slice(4);
    const get = (path: string): Promise<Answer> => ask({ url, firstKey: key }, { method: 'GET', path });
    const logged = (): Record<string, unknown>[] =>
      errors
        .join('')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    return {
      url,
      program,
      key,
      get,
      figure: async (name) =>
        String((await ask({ url, firstKey: METRICS_TOKEN }, { method: 'GET', path: '/metrics' })).body['text'])
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length + 1),
      logged,
      lines: (message) => logged().filter(({ msg }) => msg === message),
    };
  }

  it('reports unreachable dependencies with one log line per change, and stays ready', LONG, async () => {
    const server = await startServer();
    const redis = 'chauffeur_reachable{part="redis",name=""}';
    const away = (part: string): Record<string, unknown>[] =>
      server.lines('a dependency is unreachable').filter((line) => line['part'] === part);
    const back = (part: string): Record<string, unknown>[] =>
      server.lines('a dependency is reachable again').filter((line) => line['part'] === part);
    expect(await server.figure(redis)).toBe('1');
    expect(server.logged().filter(isAboutQueues)).toEqual([]);
    await services.redis.stop('SIGKILL');
    await vi.waitFor(async () => expect(await server.figure(redis)).toBe('0'), SOON);
    const create = { method: 'POST', path: '/v1/sessions', body: {}, key: server.key };
    const asked = ask({ url: server.url, firstKey: server.key }, create);
    await services.postgres.stop('SIGKILL');
    const postgres = 'chauffeur_reachable{part="postgres",name=""}';
    await vi.waitFor(async () => expect(await server.figure(postgres)).toBe('0'), SOON);
    expect(await server.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await server.get('/readyz')).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        parts: [
          { part: 'postgres', isReachable: false },
          { part: 'redis', isReachable: false },
        ],
      },
    });
    expect(await asked).toMatchObject({ status: 503, code: 'unavailable' });
    expect(server.lines('request failed')).toEqual([]);
    expect([away('redis'), away('postgres')].map(({ length }) => length)).toEqual([1, 1]);
    await Promise.all([services.redis.start(), services.postgres.start()]);
    await vi.waitFor(async () => {
      expect(await server.figure(redis)).toBe('1');
      expect(await server.figure(postgres)).toBe('1');
    }, SOON);
    expect([back('redis'), back('postgres')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('reports unreachable servers, sessions per project, and the session of a logged request', LONG, async () => {
    const frozen = await startServer();
    const server = await startServer();
    const peer = `chauffeur_reachable{part="peer",name="${frozen.url}"}`;
    await vi.waitFor(async () => expect(await server.figure(peer)).toBe('1'), SOON);
    process.kill(frozen.program.pid, 'SIGSTOP');
    await vi.waitFor(async () => expect(await server.figure(peer)).toBe('0'), SOON);
    expect(server.lines('a dependency is unreachable').filter(({ name }) => name === frozen.url)).toHaveLength(1);
    const key = frozen.key || server.key || (await otherKey());
    const created = await ask({ url: server.url, firstKey: key }, { method: 'POST', path: '/v1/sessions', body: {} });
    expect(created.status).toBe(201);
    const id = String(created.body['id']);
    // Metrics may be a quarter of a second old.
    const projectSessions = (): Promise<string | undefined> =>
      server.figure('chauffeur_project_sessions{project="default"}');
    await expect.poll(projectSessions, SOON).toBe('1');
    const release = { method: 'POST', path: `/v1/sessions/${id}`, body: { status: 'REQUEST_RELEASE' } };
    await ask({ url: server.url, firstKey: key }, release);
    const routes = (): unknown[] =>
      server
        .lines('request')
        .filter(({ session }) => session === id)
        .map(({ method, route }) => `${String(method)} ${String(route)}`);
    await vi.waitFor(() => expect(routes()).toEqual(['POST /v1/sessions/:id']), SOON);
    await expect.poll(projectSessions, SOON).toBeUndefined();
    expect(await server.figure('chauffeur_lease_losses_total')).toBe('0');
    expect(await server.figure('chauffeur_takeovers_total')).toBe('0');
  });

  /** Only the first server of a database gets the first key. */
  async function otherKey(): Promise<string> {
    const platform = await services.server('shared');
    const scopes = ['sessions:read', 'sessions:write'] as const;
    return (await platform.keys.create({ project: 'default', name: 'test', scopes, expiresAt: undefined })).text;
  }

  it('logs once at startup that a server without Redis has its own queue', LONG, async () => {
    const { logged } = await startServer({ redis: '' });
    expect(logged().filter(isAboutQueues)).toHaveLength(1);
  });
});
