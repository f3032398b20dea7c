import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Driver } from '../../../pagechauffeur/src/index.ts';
import { serve } from '../../../pagechauffeur/test/support/serve.ts';
import type { Platform } from '../../src/platform.ts';
import type { SessionRow } from '../../src/store/store.ts';
import { connectRaw, type RawClient, refusalOf } from '../support/raw-client.ts';
import { outlivingBrowsers } from '../support/outliving-browsers.ts';
import { simulatedBackend } from '../support/simulated-backend.ts';
import { hasSharedServices, useSharedServices } from '../support/shared-services.ts';
import { type Answer, ask, type Question } from '../support/use-platform.ts';

interface LiveViewer {
  send(request: object): void;
  /** Resolves with a matching message that was received or will be soon. */
  heard(wanted: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Code and reason of the closed socket. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

const SOON = { timeout: 20_000, interval: 50 };
const RELEASE = { status: 'REQUEST_RELEASE' };

describe.skipIf(!hasSharedServices)('platform of two servers', () => {
  const services = useSharedServices();
  let one: Platform;
  let other: Platform;
  let key: string;

  beforeAll(async () => {
    one = await services.server('own');
    other = await services.server('own');
    key = one.firstKey ?? '';
  });

  function askAt(platform: Platform, method: string, path: string, question: Question = {}): Promise<Answer> {
    return ask({ url: `http://127.0.0.1:${platform.port}`, firstKey: key }, { method, path, ...question });
  }

  async function create(platform: Platform, body: object = {}): Promise<Answer['body'] & { id: string }> {
    const answer = await askAt(platform, 'POST', '/v1/sessions', { body });
    expect(answer.status).toBe(201);
    return { ...answer.body, id: String(answer.body['id']) };
  }

  function urlAt(platform: Platform, { connectUrl }: Answer['body']): string {
    const url = new URL(String(connectUrl));
    url.host = `127.0.0.1:${platform.port}`;
    return url.href;
  }

  async function browserOf(client: RawClient): Promise<unknown> {
    return (await client.command('Browser.getVersion')).result?.['browser'];
  }

  it('creates one first key', () => {
    expect([typeof one.firstKey, other.firstKey]).toEqual(['string', undefined]);
  });

  it('forwards clients to a browser of the other server, and returns the same errors', async () => {
    const session = await create(one);
    expect(String(session['connectUrl'])).toContain(new URL(services.balancer.url).host);
    const clients = await Promise.all([one, other].map((platform) => connectRaw(urlAt(platform, session))));
    expect(await Promise.all(clients.map(browserOf))).toEqual([session.id, session.id]);
    const url = urlAt(other, session);
    expect(await refusalOf(url.replace(/token=.*/, 'token=x.y'))).toMatch(/^401 .*"unauthorized"/);
    expect(await refusalOf(url.replace('/cdp?', '/other?'))).toMatch(/^404 /);
    await askAt(other, 'POST', `/v1/sessions/${session.id}`, { body: RELEASE });
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([
      [4001, 'The session was released.'],
      [4001, 'The session was released.'],
    ]);
    expect(await refusalOf(url)).toMatch(/^410 .*The session was released/);
  });

  it('forwards a session request to a server with free capacity', async () => {
    const options = { capacity: 1, queueTimeout: 100 };
    const [full, free] = [await services.server('own', options), await services.server('own', options)];
    const asked = await Promise.all([one, other].map(async (each) => (await create(each)).id));
    expect([one.sessionManager.live.has(asked[0] ?? ''), other.sessionManager.live.has(asked[1] ?? '')]).toEqual([
      true,
      true,
    ]);
    const ids = [(await create(full)).id, (await create(full, { metadata: { n: 2 } })).id];
    // The other two have more free capacity than the one with a single place.
    expect(full.sessionManager.live.has(ids[0] ?? '')).toBe(true);
    expect(full.sessionManager.live.has(ids[1] ?? '')).toBe(false);
    expect((await askAt(free, 'GET', `/v1/sessions/${ids[1]}`)).body).toMatchObject({ metadata: { n: 2 } });
    const refused = await askAt(full, 'POST', '/v1/sessions', { body: { nonsense: 1 } });
    expect([refused.status, refused.code]).toEqual([400, 'invalid_request']);
    await Promise.all([...asked, ...ids].map((id) => askAt(one, 'POST', `/v1/sessions/${id}`, { body: RELEASE })));
    await Promise.all([full.close(), free.close()]);
    const { targets } = services.balancer;
    for (const { port } of [full, free]) targets.splice(targets.indexOf(port), 1);
  });

  it('forwards requests about a session to its owner with their body', async () => {
    const session = await create(one, { metadata: { first: true } });
    const path = `/v1/sessions/${session.id}`;
    const changed = await askAt(other, 'POST', path, {
      body: { keepAlive: true, metadata: { text: 'ä'.repeat(999) } },
    });
    expect(changed).toMatchObject({ status: 200, body: { keepAlive: true, metadata: { text: 'ä'.repeat(999) } } });
    expect(one.sessionManager.live.get(session.id)?.row.keepAlive).toBe(true);
    expect((await askAt(other, 'POST', path, { body: { nonsense: 1 } })).code).toBe('invalid_request');
    expect((await askAt(other, 'POST', path, { key: 'wrong', body: {} })).code).toBe('unauthorized');
    expect((await askAt(other, 'GET', `${path}/downloads/${session.id}`)).code).toBe('not_found');
    expect((await askAt(other, 'POST', path, { body: RELEASE })).body).toMatchObject({ status: 'COMPLETED' });
    expect((await askAt(one, 'POST', path, { body: RELEASE })).body).toMatchObject({ status: 'COMPLETED' });
    expect((await askAt(other, 'POST', path, { body: { keepAlive: false } })).code).toBe('session_ended');
    expect(services.browsers.running.has(session.id)).toBe(false);
    const listed = await askAt(other, 'GET', '/v1/sessions');
    expect(JSON.stringify(listed.body)).toContain(session.id);
  });

  it('handles a request with a forged `x-chauffeur-peer` header as a client request', async () => {
    const session = await create(one);
    const headers = { 'x-chauffeur-peer': `${Date.now() + 60_000}.AAAA` };
    expect(await askAt(other, 'POST', `/v1/sessions/${session.id}`, { body: RELEASE, headers })).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED' },
    });
  });

  it('creates one session per `Idempotency-Key` across servers', async () => {
    const headers = { 'idempotency-key': 'the same' };
    const before = services.browsers.running.size;
    const answers = await Promise.all(
      [one, other, one, other].map((platform) => askAt(platform, 'POST', '/v1/sessions', { body: {}, headers })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    for (const { body } of answers) expect(body).toMatchObject({ status: 'RUNNING', connectUrl: expect.any(String) });
    expect(services.browsers.running.size).toBe(before + 1);
    const another = await askAt(other, 'POST', '/v1/sessions', { body: { keepAlive: true }, headers });
    expect(another.code).toBe('idempotency_conflict');
    await askAt(other, 'POST', `/v1/sessions/${String(answers[0]?.body['id'])}`, { body: RELEASE });
  });

  it('rejects a revoked key on both servers immediately, and shares the cache', async () => {
    const session = await create(one);
    const made = await askAt(one, 'POST', '/v1/keys', {
      body: { name: 'short', scopes: ['sessions:read', 'sessions:write', 'cache'] },
    });
    const short = String(made.body['key']);
    expect((await askAt(other, 'PUT', '/v1/cache/name', { key: short, body: { value: 'known' } })).status).toBe(204);
    expect((await askAt(one, 'GET', '/v1/cache/name', { key: short })).body).toEqual({ value: 'known' });
    const seen = await askAt(other, 'GET', `/v1/sessions/${session.id}`, { key: short });
    (await connectRaw(urlAt(other, seen.body))).socket.close();
    await askAt(one, 'DELETE', `/v1/keys/${String(made.body['id'])}`);
    expect((await askAt(other, 'GET', '/v1/cache/name', { key: short })).code).toBe('unauthorized');
    for (const platform of [one, other]) expect(await refusalOf(urlAt(platform, seen.body))).toMatch(/^401 /);
    await askAt(other, 'POST', `/v1/sessions/${session.id}`, { body: RELEASE });
  });

  it('enforces the project quota across servers', async () => {
    const limits = { sessionsPerProject: 3, queuePerProject: 0 };
    const pair = await Promise.all([services.server('own', limits), services.server('own', limits)]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => askAt(pair[index % 2] ?? one, 'POST', '/v1/sessions', { body: {} })),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(3);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ code }) => code))).toEqual(
      new Set(['quota_exceeded']),
    );
    for (const { body } of created)
      await askAt(pair[0], 'POST', `/v1/sessions/${String(body['id'])}`, { body: RELEASE });
    await Promise.all(pair.map((platform) => platform.close()));
  });

  it('reports the end of a session whose browser ended with its server', async () => {
    const leaving = await services.server('own');
    const session = await create(leaving, { keepAlive: true });
    const client = await connectRaw(urlAt(other, session));
    await leaving.close();
    expect(await client.closed).toEqual([4001, 'The server is shutting down.']);
    expect(await refusalOf(urlAt(other, session))).toMatch(/^410 .*The server is shutting down/);
    expect(services.browsers.running.has(session.id)).toBe(false);
  });

  it('hands over a session at shutdown if its browser keeps running', async () => {
    const [leaving, staying] = [await services.server('shared'), await services.server('shared')];
    const session = await create(leaving, { keepAlive: true });
    const client = await connectRaw(urlAt(leaving, session));
    const [[code, reason], next] = await Promise.all([
      client.closed,
      leaving.close().then(() => connectRaw(urlAt(staying, session))),
    ]);
    expect([code, reason]).toEqual([4005, expect.stringContaining('The session continues; connect to it again')]);
    expect(await browserOf(next)).toBe(session.id);
    expect(staying.sessionManager.live.has(session.id)).toBe(true);
    expect((await askAt(staying, 'GET', `/v1/sessions/${session.id}`)).body).toMatchObject({ status: 'RUNNING' });
    await askAt(staying, 'POST', `/v1/sessions/${session.id}`, { body: RELEASE });
    expect(await next.closed).toEqual([4001, 'The session was released.']);
    expect(services.browsers.running.has(session.id)).toBe(false);
    await staying.close();
  });

  it('lets a new driver continue the session after its server shuts down', async () => {
    const browsers = outlivingBrowsers();
    onTestFinished(() => browsers.end());
    const [leaving, staying] = [await services.server(browsers), await services.server(browsers)];
    const options = { env: 'REMOTE', apiKey: key, keepAlive: true, disableLoggerBackend: true } as const;
    const driver = new Driver({ ...options, remoteBaseURL: `http://127.0.0.1:${leaving.port}` });
    await driver.init();
    const page = await driver.context.newPage();
    await page.evaluate('window.mark = 42');
    const call = page.evaluate('new Promise(() => undefined)').catch((error: unknown) => error);
    await leaving.close();
    expect(await call).toMatchObject({
      name: 'DriverClosedError',
      message: expect.stringContaining('The session continues; connect to it again'),
      canResume: true,
      remoteSessionID: driver.remoteSessionID,
    });
    const next = new Driver({
      ...options,
      remoteBaseURL: `http://127.0.0.1:${staying.port}`,
      keepAlive: false,
      ...(driver.remoteSessionID === undefined ? {} : { remoteSessionID: driver.remoteSessionID }),
    });
    await next.init();
    const marks = await Promise.all(next.context.pages().map((each) => each.evaluate('window.mark')));
    expect(marks).toContain(42);
    await Promise.all([driver.close(), next.close()]);
    expect(await browsers.running()).toEqual([]);
    await staying.close();
  });

  it('lists the downloads of an adopted session, including unreported ones', async () => {
    const waiting = Promise.withResolvers<ServerResponse>();
    const attached = {
      // A type that the browser does not sniff. Sniffing would wait for more data.
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="bill.txt"',
    };
    await using web = await serve({
      '/fast': (_request, response) => response.writeHead(200, attached).end('42 Euro'),
      '/slow': (_request, response) => {
        response.writeHead(200, attached).write('43');
        waiting.resolve(response);
      },
    });
    const browsers = outlivingBrowsers(['127.0.0.1']);
    onTestFinished(() => browsers.end());
    const [leaving, staying] = [await services.server(browsers), await services.server(browsers)];
    await using driver = new Driver({
      env: 'REMOTE',
      apiKey: key,
      keepAlive: true,
      disableLoggerBackend: true,
      remoteBaseURL: `http://127.0.0.1:${leaving.port}`,
    });
    await driver.init();
    const page = await driver.context.newPage();
    await page.goto(web.page('/', '<a href="/fast">fast</a><a href="/slow">slow</a>'));
    const [fast] = await Promise.all([page.waitForEvent('download'), page.getByText('fast').click()]);
    await fast.path();
    const [slow] = await Promise.all([waiting.promise, page.waitForEvent('download'), page.getByText('slow').click()]);
    const path = `/v1/sessions/${driver.remoteSessionID}`;
    await leaving.close();
    const list = async (): Promise<unknown> => (await askAt(staying, 'GET', `${path}/downloads`)).body['downloads'];
    const known = { name: expect.any(String), fileName: 'bill.txt', startedAt: expect.any(String) };
    const whole = { ...known, size: 7, state: 'completed' };
    await vi.waitFor(
      async () => expect(await list()).toEqual([whole, { ...known, size: 0, state: 'inProgress' }]),
      SOON,
    );
    slow.end(' Euro');
    await vi.waitFor(async () => expect(await list()).toEqual([whole, whole]), SOON);
    const [{ name }] = (await list()) as [{ name: string }];
    const file = await askAt(staying, 'GET', `${path}/downloads/${name}`);
    expect([file.body['text'], file.headers.get('content-length')]).toEqual(['42 Euro', '7']);
    await askAt(staying, 'POST', path, { body: RELEASE });
    await staying.close();
  });

  it('keeps the operator in control of an adopted session', async () => {
    const browsers = outlivingBrowsers();
    onTestFinished(() => browsers.end());
    const [leaving, staying] = [await services.server(browsers), await services.server(browsers)];
    const { id } = await create(leaving, { keepAlive: true });
    const first = await lookAt(leaving, id);
    first.send({ type: 'take-over' });
    await first.heard({ type: 'control', holder: 'you' });
    const { seat } = await first.heard({ type: 'hello' });
    await vi.waitFor(async () => expect((await staying.store.session(id))?.seat).toBe(seat), SOON);
    await leaving.close();
    const next = await vi.waitFor(() => lookAt(staying, id), SOON);
    await next.heard({ type: 'control', holder: 'other' });
    next.send({ type: 'return', seat });
    await next.heard({ type: 'control', holder: 'you' });
    next.send({ type: 'hand-back' });
    await next.heard({ type: 'control', holder: 'driver' });
    await vi.waitFor(async () => expect((await staying.store.session(id))?.seat).toBeUndefined(), SOON);
    await askAt(staying, 'POST', `/v1/sessions/${id}`, { body: RELEASE });
    await staying.close();
  });

  /** A dashboard viewer. */
  async function lookAt(platform: Platform, id: string): Promise<LiveViewer> {
    const headers = { authorization: `Bearer ${key}` };
    const socket = new WebSocket(`ws://127.0.0.1:${platform.port}/v1/sessions/${id}/live`, { headers });
    const news: Record<string, unknown>[] = [];
    socket.on('message', (data, isBinary) => {
      if (!isBinary) news.push(JSON.parse(String(data)) as Record<string, unknown>);
    });
    const closed = once(socket, 'close').then(([code, reason]) => [Number(code), String(reason)] as const);
    // The wait for the socket reports that it never opened.
    closed.catch(() => undefined);
    await once(socket, 'open');
    return {
      closed,
      send: (request) => socket.send(JSON.stringify(request)),
      heard: (wanted) =>
        vi.waitFor(() => {
          const [found] = news.filter((told) => Object.entries(wanted).every(([name, value]) => told[name] === value));
          if (!found) throw new TypeError(`Not heard: ${JSON.stringify(wanted)}`);
          return found;
        }, SOON),
    };
  }

  it('disconnects a viewer when a server loses its lease, and forwards it to the new owner', async () => {
    const browsers = outlivingBrowsers();
    onTestFinished(() => browsers.end());
    const [late, taker] = [await services.server(browsers), await services.server(browsers)];
    const { id } = await create(late, { keepAlive: true });
    const viewer = await lookAt(late, id);
    await viewer.heard({ type: 'hello' });
    await late.store.endLease(late.sessionManager.live.get(id)?.row.owner ?? '');
    expect(await viewer.closed).toEqual([1012, 'Another server owns the session now.']);
    const again = await vi.waitFor(() => lookAt(late, id), SOON);
    await again.heard({ type: 'hello' });
    // The server that was cut off may adopt it again under its new lease.
    expect([late, taker].filter(({ sessionManager }) => sessionManager.live.has(id))).toHaveLength(1);
    await askAt(taker, 'POST', `/v1/sessions/${id}`, { body: RELEASE });
    expect((await again.closed)[0]).toBe(4001);
    await Promise.all([late.close(), taker.close()]);
  });

  it('drops the sessions of a server that loses its lease, and lets it create new ones', async () => {
    const [late, taker] = [await services.server('shared'), await services.server('shared')];
    const [session, beginning] = await Promise.all([create(late, { keepAlive: true }), create(late)]);
    const client = await connectRaw(urlAt(late, session));
    const owner = late.sessionManager.live.get(session.id)?.row.owner ?? '';
    // As if it had been silent for too long.
    await late.store.endLease(owner);
    const [code] = await client.closed;
    expect(code).toBe(4005);
    const next = await connectRaw(urlAt(taker, session));
    expect(await browserOf(next)).toBe(session.id);
    const ended = { status: 'ERROR', endedAt: 1, endReason: 'late' } as const;
    expect(await late.store.changeSession({ id: session.id, owner }, ended)).toBeUndefined();
    await vi.waitFor(async () => expect(late.sessionManager.live.size).toBe(0), SOON);
    const again = await connectRaw(urlAt(late, session));
    expect(await browserOf(again)).toBe(session.id);
    const fresh = await vi.waitFor(() => create(late), SOON);
    for (const { id } of [session, beginning, fresh]) await askAt(one, 'POST', `/v1/sessions/${id}`, { body: RELEASE });
    expect([session, beginning, fresh].filter(({ id }) => services.browsers.running.has(id))).toEqual([]);
    await Promise.all([late.close(), taker.close()]);
  });

  it('survives restarts of Redis and PostgreSQL', async () => {
    const session = await create(one, { keepAlive: true });
    const client = await connectRaw(urlAt(other, session));
    await services.redis.stop('SIGKILL');
    expect(await browserOf(client)).toBe(session.id);
    const [created] = await Promise.all([create(other), services.redis.start()]);
    await services.postgres.stop('SIGINT');
    expect(await browserOf(client)).toBe(session.id);
    const listed = askAt(other, 'GET', `/v1/sessions/${created.id}`);
    await services.postgres.start();
    expect((await listed).body).toMatchObject({ status: 'RUNNING' });
    const late = await connectRaw(urlAt(one, { connectUrl: (await listed).body['connectUrl'] }));
    expect(await browserOf(late)).toBe(created.id);
    for (const { id } of [session, created]) await askAt(other, 'POST', `/v1/sessions/${id}`, { body: RELEASE });
    await Promise.all([client.closed, late.closed]);
  });

  it('responds with a retry time if another server took over a starting session', async () => {
    const begun = Promise.withResolvers<void>();
    const backend = simulatedBackend(services.browsers.origin, 'shared', 4);
    const frozen = await services.server({
      ...backend,
      start: async (request, signal) => {
        await begun.promise;
        return backend.start(request, signal);
      },
    });
    const asked = askAt(frozen, 'POST', '/v1/sessions', { body: { metadata: { name: 'frozen' } } });
    const query = { project: 'default', status: 'PENDING', limit: 1, before: undefined } as const;
    const pending = async (): Promise<SessionRow> => {
      const [first] = await other.store.sessions(query);
      if (!first) throw new TypeError('it has not started');
      return first;
    };
    const row = await vi.waitFor(pending, SOON);
    // As if it had been frozen for longer than its lease.
    await other.store.endLease(row.owner);
    await vi.waitFor(async () => expect((await other.store.session(row.id))?.status).toBe('ERROR'), SOON);
    begun.resolve();
    const answer = await asked;
    expect([answer.status, answer.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    await frozen.close();
  });

  it('ends a session after its last client disconnects from the other server', async () => {
    const hasty = await services.server('own', { grace: 100 });
    const session = await create(hasty);
    const client = await connectRaw(urlAt(other, session));
    client.socket.terminate();
    await once(client.socket, 'close');
    await vi.waitFor(
      async () =>
        expect((await askAt(one, 'GET', `/v1/sessions/${session.id}`)).body).toMatchObject({
          status: 'COMPLETED',
          endReason: 'The last client disconnected.',
        }),
      SOON,
    );
  });
});
