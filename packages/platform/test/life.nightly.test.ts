import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { processesWith } from '../../pagechauffeur/test/support/processes.ts';
import type { PlatformOptions } from '../src/options.ts';
import { type Platform, startPlatform } from '../src/platform.ts';
import type { CreateParameters } from '../src/sessions/create-parameters.ts';
import { Reconciler } from '../src/sessions/reconciler.ts';
import { SqlStore } from '../src/store/sql-store.ts';
import { SqliteDatabase } from '../src/store/sqlite-database.ts';
import type { KeyRow, SessionRow } from '../src/store/store.ts';
import { connectRaw } from './support/raw-client.ts';
import { FOR_TESTS, usePlatform } from './support/use-platform.ts';

const SOON = { timeout: 10_000, interval: 25 };
const shared = usePlatform({ capacity: 6, grace: 300, firstClientTimeout: 60_000 });

async function create(parameters: CreateParameters, platform: Platform = shared.platform): Promise<SessionRow> {
  const key = { ...firstKey, project: 'default' };
  const signal = new AbortController().signal;
  const created = await platform.sessionManager.create({ key, parameters, idempotencyKey: undefined, signal });
  if (!created) throw new TypeError('there is no other server');
  return created.row;
}

const firstKey: KeyRow = {
  id: 'test',
  project: 'default',
  name: 'test',
  secretHash: '',
  scopes: [],
  createdAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
};

async function isOver(id: string, change: object, platform: Platform = shared.platform): Promise<void> {
  await vi.waitFor(async () => expect(await platform.sessionManager.find('default', id)).toMatchObject(change), SOON);
}

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({ ...FOR_TESTS, ...options });
  onTestFinished(() => platform.close());
  return platform;
}

describe('session end', () => {
  it('ends a session and its browser at its timeout, or when its clients are idle', async () => {
    const [short, silent] = await Promise.all([
      create({ timeout: 1000, keepAlive: true }),
      create({ idleTimeout: 1000, keepAlive: true }),
    ]);
    const profiles = [...shared.platform.sessionManager.live.values()].map(({ browser }) =>
      browser.downloads.replace(/\/[^/]*$/, ''),
    );
    await Promise.all([
      isOver(short.id, { status: 'TIMED_OUT', endReason: 'The session reached its timeout.' }),
      isOver(silent.id, { status: 'TIMED_OUT', endReason: 'The clients were idle for 1000 ms.' }),
    ]);
    await vi.waitFor(() => expect(profiles.flatMap(processesWith)).toEqual([]), SOON);
  });

  it('ends a session with `ERROR` and disconnects clients when its browser is killed', async () => {
    const row = await create({ keepAlive: true });
    const session = shared.platform.sessionManager.live.get(row.id);
    const client = await connectRaw(await connectUrl(row.id));
    const profile = session?.browser.downloads.replace(/\/[^/]*$/, '') ?? 'none';
    const [pid = 0] = processesWith(`--user-data-dir=${profile}`);
    process.kill(pid, 'SIGKILL');
    expect((await client.closed)[0]).toBeGreaterThanOrEqual(4001);
    await isOver(row.id, { status: 'ERROR' });
    expect(shared.platform.sessionManager.live.has(row.id)).toBe(false);
  });

  it('ends a session shortly after its last client disconnects', async () => {
    const row = await create({});
    const url = await connectUrl(row.id);
    const [first, second] = [await connectRaw(url), await connectRaw(url)];
    first.socket.terminate();
    await first.closed;
    expect((await second.command('Browser.getVersion')).result).toBeDefined();
    second.socket.close();
    await isOver(row.id, { status: 'COMPLETED', endReason: 'The last client disconnected.' });
  });
});

it('rejects a client with 410 if its session ends while it connects', async () => {
  const row = await create({ keepAlive: true });
  const url = await connectUrl(row.id);
  const dialled = Promise.withResolvers<(isTaken: boolean) => void>();
  const slow = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: (_info, answer) => dialled.resolve(answer),
  });
  onTestFinished(() => slow.close());
  await once(slow, 'listening');
  const { browser } = shared.platform.sessionManager.live.get(row.id) ?? {};
  Object.assign(browser ?? {}, { url: `ws://127.0.0.1:${(slow.address() as AddressInfo).port}` });
  const client = connectRaw(url).catch(String);
  const answer = await dialled.promise;
  await shared.ask('POST', `/v1/sessions/${row.id}`, { body: { status: 'REQUEST_RELEASE' } });
  const way = once(slow, 'connection');
  answer(true);
  expect(await client).toBe('Error: Unexpected server response: 410');
  const [socket] = (await way) as [WebSocket];
  if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
});

async function connectUrl(id: string): Promise<string> {
  return String((await shared.ask('GET', `/v1/sessions/${id}`)).body['connectUrl']);
}

describe('platform', () => {
  it.each<[string, Partial<PlatformOptions>]>([
    ['port', { port: Number.NaN }],
    ['queueTimeout', { queueTimeout: 1.5 }],
    ['publicUrl', { publicUrl: 'example.com' }],
    ['10.0.0.0/99', { allowNetworks: ['10.0.0.0/99'] }],
  ])('does not start with an invalid %s', async (name, options) => {
    await expect(startPlatform({ database: ':memory:', ...options })).rejects.toThrow(name);
  });

  it('ends sessions on shutdown, and keeps keys and session records for the next start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platform-'));
    const database = join(folder, 'platform.sqlite');
    const first = await startPlatform({ ...FOR_TESTS, database, capacity: 1 });
    const row = await create({ keepAlive: true }, first);
    const waiting = create({}, first).catch((error: unknown) => error);
    await first.close();
    expect(await waiting).toMatchObject({ code: 'shutting_down', status: 503 });
    await expect(start({ database: join(folder, 'other'), port: shared.platform.port })).rejects.toThrow('EADDRINUSE');
    const lost = new SqlStore(new SqliteDatabase(database));
    await lost.addSession({ ...row, id: 'left', status: 'RUNNING', owner: 'killed' });
    await lost.close();
    const second = await start({ database });
    expect(await second.sessionManager.find('default', 'left')).toMatchObject({
      status: 'ERROR',
      endReason: 'The server that ran the session was lost.',
    });
    expect(second.firstKey).toBeUndefined();
    expect(await second.keys.authenticate(first.firstKey)).toMatchObject({ project: 'default' });
    expect(await second.sessionManager.find('default', row.id)).toMatchObject({
      status: 'COMPLETED',
      endReason: 'The server is shutting down.',
    });
  });

  it('queues a request at full capacity, and rejects one beyond the queue with a retry time', async () => {
    const platform = await start({ capacity: 1, queueTimeout: 60_000, queuePerProject: 1 });
    const row = await create({ keepAlive: true }, platform);
    const next = create({ keepAlive: true }, platform);
    const headers = { authorization: `Bearer ${platform.firstKey ?? ''}`, 'content-type': 'application/json' };
    const refused = await fetch(`${platform.url}/v1/sessions`, { method: 'POST', headers, body: '{}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    await platform.sessionManager.update('default', row.id, { status: 'REQUEST_RELEASE' });
    expect(await next).toMatchObject({ status: 'RUNNING' });
    expect(await platform.backend.running()).toHaveLength(1);
  });

  it('rejects with `internal` if a browser cannot start, and frees its slot', async () => {
    const platform = await start({ capacity: 1, browser: '/bin/false' });
    for (const _ of [1, 2])
      await expect(create({}, platform)).rejects.toMatchObject({
        code: 'internal',
        message: 'The browser could not be started.',
      });
    expect(platform.sessionManager.live.size).toBe(0);
  });
});

describe('Reconciler', () => {
  it('ends browsers without a session and sessions without a browser', async () => {
    const { backend, sessionManager, store } = shared.platform;
    const request = {
      sessionId: 'nobody',
      viewport: undefined,
      userAgent: undefined,
      ignoreHTTPSErrors: false,
      proxy: undefined,
    };
    await backend.start(request, new AbortController().signal);
    const row = { ...(await create({ keepAlive: true })), id: 'lost', createdAt: 1, idempotencyKey: undefined };
    await store.addSession(row);
    using reconciler = new Reconciler({
      store,
      backend,
      sessionManager,
      lease: { ...row, timeout: 10_000 },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    await reconciler.run();
    expect((await backend.running()).map(({ sessionId }) => sessionId)).not.toContain('nobody');
    expect(await store.session('lost')).toMatchObject({ status: 'ERROR', endReason: 'The browser was lost.' });
    await reconciler.run();
    expect(sessionManager.live.size).toBe(1);
  });
});
