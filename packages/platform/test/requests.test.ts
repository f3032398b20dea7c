import { beforeAll, describe, expect, it } from 'vitest';
import type { CacheRow } from '../src/store/store.ts';
import { type Answer, type Question, usePlatform } from './support/use-platform.ts';

const shared = usePlatform({ capacity: 4 });
let id: string;
let foreignKey: string;
let readerKey: string;

beforeAll(async () => {
  const { keys } = shared.platform;
  const key = { name: 'test', scopes: ['sessions:read', 'sessions:write', 'keys'], expiresAt: undefined } as const;
  foreignKey = (await keys.create({ ...key, project: 'other' })).text;
  readerKey = (await keys.create({ ...key, project: 'default', scopes: ['sessions:read'] })).text;
  const { body } = await shared.ask('POST', '/v1/sessions', { body: { metadata: { mine: true } } });
  id = String(body['id']);
});

describe('API key', () => {
  it.each<[string, Question]>([
    ['without a value', { key: '' }],
    ['with a malformed value', { key: 'nonsense' }],
    ['with an unknown id', { key: `ck_${'0'.repeat(16)}.${'a'.repeat(43)}` }],
    ['with another secret', { key: '' }],
    ['in the URL', { key: '', headers: { 'x-other': 'y' } }],
    ['with another scheme', { key: '', headers: { authorization: 'Basic dTpw' } }],
  ])('rejects a key %s before it parses the body', async (what, question) => {
    const changed =
      what === 'with another secret'
        ? { key: `${shared.key.slice(0, -1)}${shared.key.endsWith('A') ? 'B' : 'A'}` }
        : question;
    const path = what === 'in the URL' ? `/v1/sessions?apiKey=${shared.key}` : '/v1/sessions';
    const answer = await shared.ask('POST', path, { ...changed, body: '{' });
    expect([answer.status, answer.code]).toEqual([401, 'unauthorized']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-request-id')).toBe((answer.body['error'] as { requestId: string }).requestId);
  });

  it('accepts the key in `X-API-Key`', async () => {
    expect((await shared.ask('GET', '/v1/sessions', { key: '', headers: { 'x-api-key': shared.key } })).status).toBe(
      200,
    );
  });

  it('allows only requests within its scopes', async () => {
    const seen = await shared.ask('GET', `/v1/sessions/${id}`, { key: readerKey });
    expect(seen.status).toBe(200);
    expect(seen.body).not.toHaveProperty('connectUrl');
    for (const [method, path] of [
      ['POST', '/v1/sessions'],
      ['POST', `/v1/sessions/${id}`],
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys'],
    ] as const)
      expect((await shared.ask(method, path, { key: readerKey, body: method === 'POST' ? {} : undefined })).code).toBe(
        'forbidden',
      );
  });

  it('creates only keys within its scopes, hides secrets in lists, and expires', async () => {
    const { body: made } = await shared.ask('POST', '/v1/keys', {
      body: { name: 'short', scopes: ['keys'], timeout: 60_000 },
    });
    const key = String(made['key']);
    const more = await shared.ask('POST', '/v1/keys', { key, body: { name: 'more', scopes: ['sessions:write'] } });
    expect(more.code).toBe('forbidden');
    const listed = await shared.ask('GET', '/v1/keys', { key });
    expect(JSON.stringify(listed.body)).not.toContain(key.slice(-20));
    expect((await shared.ask('DELETE', `/v1/keys/${String(made['id'])}`, { key: foreignKey })).code).toBe(
      'key_not_found',
    );
    expect((await shared.ask('DELETE', `/v1/keys/${String(made['id'])}`)).status).toBe(204);
    expect((await shared.ask('GET', '/v1/keys', { key })).code).toBe('unauthorized');
    const short = await shared.platform.keys.create({
      project: 'default',
      name: 'old',
      scopes: ['keys'],
      expiresAt: Date.now(),
    });
    expect((await shared.ask('GET', '/v1/keys', { key: short.text })).code).toBe('unauthorized');
  });
});

describe('key of another project', () => {
  it('gets the same 404 for an existing and an unknown session', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { status: 'REQUEST_RELEASE' }],
      ['POST', { keepAlive: true }],
    ] as const) {
      const [foreign, none] = await Promise.all(
        [id, unknown].map((each) => shared.ask(method, `/v1/sessions/${each}`, { key: foreignKey, body })),
      );
      expect([foreign?.status, foreign?.code]).toEqual([404, 'session_not_found']);
      expect(
        JSON.stringify(foreign?.body)
          .replace(id, unknown)
          .replace(/"requestId.*/, ''),
      ).toBe(JSON.stringify(none?.body).replace(/"requestId.*/, ''));
    }
    expect((await shared.ask('GET', '/v1/sessions', { key: foreignKey })).body).toEqual({ sessions: [] });
    expect((await shared.ask('GET', `/v1/sessions/${id}`)).body).toMatchObject({
      status: 'RUNNING',
      metadata: { mine: true },
    });
  });
});

describe('/v1/cache', () => {
  it('stores values by name for each project, and rejects large ones', async () => {
    const put = (name: string, value: unknown, key = shared.key): Promise<Answer> =>
      shared.ask('PUT', `/v1/cache/${name}`, { body: { value }, key });
    expect((await put('act-1.v1.json', 'one')).status).toBe(204);
    expect((await put('act-1.v1.json', 'ä"\u0000')).status).toBe(204);
    expect((await shared.ask('GET', '/v1/cache/act-1.v1.json')).body).toEqual({ value: 'ä"\u0000' });
    const other = await shared.platform.keys.create({
      project: 'other',
      name: 'c',
      scopes: ['cache'],
      expiresAt: undefined,
    });
    expect((await shared.ask('GET', '/v1/cache/act-1.v1.json', { key: other.text })).status).toBe(404);
    expect((await shared.ask('DELETE', '/v1/cache/act-1.v1.json', { key: other.text })).status).toBe(204);
    expect((await put('act-1.v1.json', 'x', readerKey)).code).toBe('forbidden');
    expect((await put('large', 'x'.repeat(600_000))).code).toBe('invalid_request');
    expect((await put('larger', 'x'.repeat(4_000_000))).code).toBe('body_too_large');
    expect((await put('..%2Fkeys', 'x')).code).toBe('invalid_request');
    expect((await shared.ask('GET', '/v1/cache/act-1.v1.json')).status).toBe(200);
    expect((await shared.ask('DELETE', '/v1/cache/act-1.v1.json')).status).toBe(204);
    expect((await shared.ask('GET', '/v1/cache/act-1.v1.json')).status).toBe(404);
  });

  it('removes expired entries, and the oldest beyond a limit', async () => {
    const { store } = shared.platform;
    const row = (key: string, expiresAt: number): CacheRow => ({ project: 'small', key, value: key, expiresAt });
    const now = Date.now();
    for (const key of ['a', 'b', 'c']) await store.putCacheEntry(row(key, now + 1000), 2);
    await store.putCacheEntry(row('b', now + 1000), 2);
    const kept = await Promise.all(['a', 'b', 'c'].map((key) => store.cacheEntry('small', key, now)));
    expect(kept.map((entry) => entry?.value)).toEqual([undefined, 'b', 'c']);
    expect(await store.cacheEntry('small', 'b', now + 1000)).toBeUndefined();
    await store.prune(now + 1000, 0);
    expect(await store.cacheEntry('small', 'c', now)).toBeUndefined();
  });
});

describe('request', () => {
  it.each<[string, unknown]>([
    ['args', { args: ['--no-sandbox'] }],
    ['executablePath', { executablePath: '/bin/sh' }],
    ['userDataDir', { userDataDir: '/root' }],
    ['Body', '{"__proto__":{"x":1}}'],
    ['userAgent', { userAgent: 'a\r\nX-Other: b' }],
    ['userAgent', { userAgent: 'x'.repeat(513) }],
    ['proxy.server', { proxy: { server: 'socks5://proxy:1080' } }],
    ['proxy.server', { proxy: { server: 'http://user@proxy:1/' } }],
    ['proxy.server', { proxy: { server: 'http://proxy:1 --no-sandbox' } }],
    ['proxy.server', { proxy: { server: 'http://proxy:99999' } }],
    ['proxy.server', { proxy: { server: 'http://127.0.0.1:3128' } }],
    ['proxy.server', { proxy: { server: 'http://2130706433:80' } }],
    ['proxy.server', { proxy: { server: '[::ffff:169.254.169.254]:80' } }],
    ['proxy.server', { proxy: { server: 'localhost:80' } }],
    ['proxy', { proxy: { server: 'http://proxy:1', bypass: '*' } }],
    ['viewport.width', { viewport: { width: 1e9, height: 1 } }],
    ['timeout', { timeout: 1e12 }],
    ['region', { region: 'moon' }],
    ['metadata', { metadata: { text: 'x'.repeat(9000) } }],
    ['body', 'null'],
    ['body', '[]'],
  ])('rejects an invalid `%s` and names it: %j', async (place, body) => {
    const answer = await shared.ask('POST', '/v1/sessions', { body });
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(answer.body)).toContain(place);
  });

  it.each<[number, string, string, Question]>([
    [413, 'POST', '/v1/sessions', { body: JSON.stringify({ metadata: { x: 'x'.repeat(70_000) } }) }],
    [415, 'POST', '/v1/sessions', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    [400, 'POST', '/v1/sessions', { body: '{' }],
    [400, 'POST', '/v1/sessions', { body: {}, headers: { 'idempotency-key': 'x'.repeat(256) } }],
    [400, 'GET', '/v1/sessions?limit=1000', {}],
    [400, 'GET', '/v1/sessions?cursor=1%27--', {}],
    [404, 'GET', '/v1/sessions/..%2fkeys', {}],
    [404, 'GET', '/v1/sessions/%2e%2e/keys/x', {}],
    [404, 'GET', `/v1/sessions/${'x'.repeat(3000)}`, {}],
    [404, 'GET', '/v1//sessions', {}],
    [400, 'GET', '/v1/sessions/%ff', {}],
    [404, 'GET', '/v1/room', {}],
    [404, 'GET', '/v1/room', { headers: { 'x-chauffeur-peer': `${Date.now() + 9999}.${'A'.repeat(43)}` } }],
    [404, 'GET', '/../../etc/passwd', {}],
    [404, 'PUT', '/v1/sessions', {}],
    [400, 'GET', '/v1/sessions/x/downloads/..%2f..%2fetc%2fpasswd', {}],
    [404, 'GET', '/v1/sessions/x/downloads/00000000-0000-4000-8000-000000000000', {}],
  ])('responds with %i to %s %s', async (status, method, path, question) => {
    const answer = await shared.ask(method, path, question);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code: expect.any(String), requestId: expect.any(String) } });
  });

  it('responds with 431 to a header of 20,000 characters', async () => {
    const answer = await shared.ask('GET', '/v1/sessions', { headers: { 'x-large': 'x'.repeat(20_000) } });
    expect(answer.status).toBe(431);
  });

  it('creates one session for repeated requests with one Idempotency-Key', async () => {
    const question = { body: { metadata: { n: 1 } }, headers: { 'idempotency-key': 'one' } };
    const answers = await Promise.all([1, 2].map(() => shared.ask('POST', '/v1/sessions', question)));
    const again = await shared.ask('POST', '/v1/sessions', question);
    expect([...answers.map(({ status }) => status).toSorted((a, b) => a - b), again.status]).toEqual([200, 201, 200]);
    expect(new Set([...answers, again].map(({ body }) => body['id'])).size).toBe(1);
    const other = await shared.ask('POST', '/v1/sessions', { ...question, body: {} });
    expect([other.status, other.code]).toEqual([409, 'idempotency_conflict']);
    expect((await shared.platform.backend.running()).length).toBe(2);
  });
});

it('lists sessions by page, newest first, and filters them by status', async () => {
  const first = await shared.ask('GET', '/v1/sessions?limit=1');
  const second = await shared.ask('GET', `/v1/sessions?limit=1&cursor=${String(first.body['nextCursor'])}`);
  const ids = [first, second].flatMap(({ body }) =>
    (body['sessions'] as { id: string }[]).map((session) => session.id),
  );
  expect(ids).toHaveLength(2);
  expect(ids[1]).toBe(id);
  expect((await shared.ask('GET', '/v1/sessions?status=COMPLETED')).body).toEqual({ sessions: [] });
});

it('serves the API description, metrics and health checks without a key', async () => {
  const { body } = await shared.ask('GET', '/openapi.json', { key: '' });
  expect(Object.keys(body['paths'] as object)).toEqual([
    '/v1/sessions',
    '/v1/sessions/{id}',
    '/v1/sessions/{id}/downloads',
    '/v1/sessions/{id}/downloads/{name}',
    '/v1/keys/{id}/rotate',
    '/v1/keys',
    '/v1/keys/{id}',
    '/v1/cache/{name}',
    '/v1/sessions/{id}/logs',
    '/v1/sessions/{id}/questions/{question}',
    '/v1/sessions/{id}/files',
    '/v1/sessions/{id}/files/{name}',
  ]);
  const { body: metrics } = await shared.ask('GET', '/metrics', { key: '' });
  expect(metrics['text']).toMatch(/^chauffeur_sessions \d$/m);
  expect(metrics['text']).toMatch(/^chauffeur_browsers_ready 0$/m);
  expect((await shared.ask('GET', '/healthz', { key: '' })).body).toEqual({ status: 'ok' });
  expect((await shared.ask('GET', '/readyz', { key: '' })).body).toEqual({ status: 'ready', parts: [] });
});
