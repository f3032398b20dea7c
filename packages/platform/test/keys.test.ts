import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerOptions } from '../src/command/server-options.ts';
import { runKeysCommand } from '../src/command/keys-command.ts';
import { KeyRing } from '../src/keys/key-ring.ts';
import { RequestRates } from '../src/keys/request-rates.ts';
import { type PlatformOptions, resolvePlatformOptions } from '../src/options.ts';
import { type Platform, startPlatform } from '../src/platform.ts';
import { lockStore } from '../src/store/sqlite-lock.ts';
import { SqlStore } from '../src/store/sql-store.ts';
import { SqliteDatabase } from '../src/store/sqlite-database.ts';
import { refusalOf } from './support/raw-client.ts';
import { simulatedBackend } from './support/simulated-backend.ts';
import { type Answer, ask, type Question } from './support/use-platform.ts';

let data: string;
let platform: Platform;

function start(): Promise<Platform> {
  const options = { database: join(data, 'platform.sqlite'), port: 0, logLevel: 'silent', requestRate: 5 };
  return startPlatform(options, simulatedBackend('http://127.0.0.1:9', 'own', 1));
}

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'keys-'));
  platform = await start();
});

afterAll(() => platform?.close());

/** Requests a WebSocket of an unknown session and returns the error. */
function knockAt(path: string, key: string): Promise<string> {
  const url = `${platform.url.replace('http', 'ws')}/v1/sessions/${randomUUID()}/${path}`;
  return refusalOf(url, { headers: { authorization: `Bearer ${key}` } });
}

function sent(method: string, path: string, question: Question = {}): Promise<Answer> {
  return ask(platform, { method, path, ...question });
}

async function made(body: object): Promise<{ id: string; key: string; expiresAt?: string }> {
  const answer = await sent('POST', '/v1/keys', { body });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; key: string };
}

const command = (...args: string[]): Promise<string> => runKeysCommand([...args, '--data', data]);

describe('API keys', () => {
  it('creates one first key when three servers start simultaneously', async () => {
    const store = new SqlStore(new SqliteDatabase(':memory:'));
    const rings = [1, 2, 3].map(() => new KeyRing(store));
    const firsts = await Promise.all(rings.map((ring) => ring.createFirst()));
    const [key, ...more] = firsts.filter((first) => first !== undefined);
    expect(more).toEqual([]);
    expect(await rings[2]?.authenticate(key)).toMatchObject({ project: 'default', name: 'first' });
    await store.close();
  });

  it('creates, lists and revokes keys of a new project by command while the server runs', async () => {
    const key = (await command('create', '--project', 'shop', '--scopes', 'sessions:read,keys')).split('\n', 1)[0];
    expect((await sent('GET', '/v1/sessions', { key: key ?? '' })).body).toEqual({ sessions: [] });
    expect((await sent('POST', '/v1/sessions', { key: key ?? '', body: {} })).code).toBe('forbidden');
    const listed = await command('list', '--project', 'shop');
    expect(listed).toMatch(/^[\da-f]{16} {2}sessions:read,keys {2}does not expire {2}created by command\n$/);
    expect(listed).not.toContain(key?.split('.')[1]);
    const id = listed.slice(0, 16);
    await expect(command('revoke', id, '--project', 'other')).rejects.toMatchObject({ code: 'key_not_found' });
    expect(await command('revoke', id, '--project', 'shop')).toBe(`Revoked ${id}.\n`);
    expect((await sent('GET', '/v1/sessions', { key: key ?? '' })).code).toBe('unauthorized');
    expect(await command('list', '--project', 'shop')).toContain('revoked');
    expect(await command('create', '--project', 'shop', '--days', '2', '--name', 'ci')).toMatch(/^ck_/);
    expect(await command('list', '--project', 'shop')).toMatch(/expires \S+Z {2}ci\n/);
  });

  it('prints the usage of the command for `--help` and `-h`', async () => {
    for (const words of [['--help'], ['create', '-h']])
      expect(await command(...words)).toContain('keys create --project');
  });

  it.each([
    [['create']],
    [['create', '--project', '../x']],
    [['create', '--project', 'a', '--scopes', 'all']],
    [['create', '--project', 'a', '--days', '0']],
    [['create', '--project', 'a', '--days', 'x']],
    [['create', 'more', '--project', 'a']],
    [['revoke', '--project', 'a']],
    [['rotate', '--project', 'a']],
  ])('rejects the command %j', async (args) => {
    await expect(command(...args)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('rotates a key with an overlap, and forbids rotating a key with more scopes', async () => {
    const old = await made({ name: 'ci', scopes: ['sessions:read', 'keys'] });
    const soon = await sent('POST', `/v1/keys/${old.id}/rotate`, { body: { overlap: 60_000 } });
    expect(soon.body).toMatchObject({ name: 'ci', scopes: ['sessions:read', 'keys'] });
    const keys = [old.key, String(soon.body['key'])];
    for (const key of keys) expect((await sent('GET', '/v1/sessions', { key })).status).toBe(200);
    const shown = (await sent('GET', '/v1/keys')).body['keys'] as { id: string; expiresAt?: string }[];
    expect(Date.parse(shown.find(({ id }) => id === old.id)?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
    expect((await sent('POST', `/v1/keys/${old.id}/rotate`, { body: { overlap: 0 } })).status).toBe(201);
    expect((await sent('GET', '/v1/sessions', { key: old.key })).code).toBe('unauthorized');
    expect((await sent('POST', `/v1/keys/${old.id}/rotate`, { body: {} })).code).toBe('key_not_found');
    const first = platform.firstKey?.slice(3, 19);
    const more = await sent('POST', `/v1/keys/${first}/rotate`, { key: keys[1] ?? '', body: {} });
    expect([more.code, (await sent('GET', '/v1/keys')).status]).toEqual(['forbidden', 200]);
  });

  it('limits keys that a key creates or rotates to its own expiry', async () => {
    const short = await made({ name: 'short', scopes: ['keys'], timeout: 60_000 });
    for (const path of ['/v1/keys', `/v1/keys/${short.id}/rotate`]) {
      const body = path === '/v1/keys' ? { name: 'child', scopes: ['keys'], timeout: 90_000 } : {};
      const child = await sent('POST', path, { key: short.key, body });
      expect(String(child.body['expiresAt']) <= String(short.expiresAt)).toBe(true);
    }
    expect((await sent('POST', '/v1/keys', { body: { name: 'x', scopes: ['keys'], timeout: 9e15 } })).status).toBe(400);
  });

  it('applies the request rate to all keys of a project together', async () => {
    const scopes = ['keys'] as const;
    const [one, other, foreign] = await Promise.all(
      ['busy', 'busy', 'quiet'].map((project) =>
        platform.keys.create({ project, name: 'k', scopes, expiresAt: undefined }),
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_none, at) =>
        sent('GET', '/v1/keys', { key: (at % 2 === 0 ? one : other)?.text ?? '' }),
      ),
    );
    const refused = answers.filter(({ code }) => code === 'rate_limited');
    expect(refused.length).toBeGreaterThan(0);
    expect([refused[0]?.status, refused[0]?.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await sent('GET', '/v1/keys', { key: foreign?.text ?? '' })).status).toBe(200);
  });

  it.each<[string, (key: string) => Promise<string>]>([
    ['live views', (key) => knockAt('live', key)],
    ['DevTools', (key) => knockAt('devtools/page/T1', key)],
    [
      'signing in',
      async (key) => {
        const headers = { origin: platform.url };
        return String((await sent('POST', '/v1/sign-in', { key: '', headers, body: { key } })).status);
      },
    ],
  ])('counts requests for %s against the rate of the project', async (what, knock) => {
    const scopes = ['sessions:read', 'sessions:write'] as const;
    const { text } = await platform.keys.create({ project: what, name: 'k', scopes, expiresAt: undefined });
    const answers = await Promise.all(Array.from({ length: 100 }, () => knock(text)));
    expect(answers.filter((answer) => answer.startsWith('429')).length).toBeGreaterThan(0);
    expect((await sent('GET', '/v1/sessions')).status).toBe(200);
  });

  it('limits a project to 100 valid keys, and still rotates one of them', async () => {
    const store = new SqlStore(new SqliteDatabase(':memory:'));
    const keys = new KeyRing(store);
    const wanted = { project: 'p', name: 'k', scopes: ['keys'] as const, expiresAt: undefined };
    const [first] = await Promise.all(Array.from({ length: 100 }, () => keys.create(wanted)));
    await expect(keys.create(wanted)).rejects.toThrow(
      'A project can have at most 100 valid keys. Revoke one that is no longer used.',
    );
    await keys.create({ ...wanted, project: 'q' });
    const id = first?.row.id ?? '';
    const replace = { project: 'p', id, overlap: 60_000, expiresAt: undefined, isAllowed: () => undefined };
    const { row } = await keys.rotate(replace);
    await expect(keys.rotate({ ...replace, id: row.id })).rejects.toThrow('A project can have at most 100 valid keys');
    await keys.revoke('p', id);
    await keys.revoke('p', row.id);
    await keys.create(wanted);
    await store.close();
  });

  it('allows one more request after 500 ms at a rate of 2 per second', () => {
    const rates = new RequestRates(2);
    const count = (now: number) => () => rates.count('a', now);
    for (let asked = 0; asked < 20; asked += 1) count(0)();
    expect(count(0)).toThrow('2 requests per second');
    expect(count(499)).toThrow('2 requests per second');
    expect(count(500)).not.toThrow();
    expect(count(500)).toThrow('2 requests per second');
    expect(() => rates.count('b', 500)).not.toThrow();
  });
});

describe('store file', () => {
  it('rejects a second server until the first one closes', async () => {
    const path = join(data, 'platform.sqlite');
    expect(() => lockStore(path, 10)).toThrow(`Another server uses ${path}.`);
    await platform.close();
    lockStore(path, 10)();
    platform = await start();
    expect(platform.firstKey).toBeUndefined();
  });
});

describe('platform options', () => {
  it.each<[Partial<PlatformOptions>, string]>([
    [{ port: 65_536 }, 'port must be at most 65535'],
    [{ port: Number.NaN }, 'port must be an integer'],
    [{ capacity: 0, sessionsPerProject: 1 }, 'capacity must be an integer of at least 1'],
    [{ sessionsPerProject: 0 }, 'sessionsPerProject'],
    [{ requestRate: 0 }, 'requestRate'],
    [{ logLevel: 'loud' }, 'logLevel must be one of trace'],
    [{ region: '' }, 'region'],
    [{ publicUrl: 'https://' }, 'publicUrl'],
    [{ internalUrl: 'ftp://x' }, 'internalUrl'],
    [{ redis: 'redis://127.0.0.1' }, 'redis requires a shared database'],
    [{ grid: ['http://10.0.0.9:4444'] }, 'egressHost'],
  ])('rejects %j and names the option', (options, message) => {
    expect(() => resolvePlatformOptions({ database: ':memory:', ...options })).toThrow(message);
  });

  it.each([
    [['--port', 'x'], '--port must be a non-negative integer'],
    [['--port='], '--port must be a non-negative integer'],
    [['--nonsense'], 'Unknown option'],
    [['more'], 'Unexpected argument'],
    [['--database', 'mysql://x'], 'must be a postgres:// URL'],
    [['--data', '/dev/null/x'], '--data: '],
  ])('rejects the command line %j', (args, message) => {
    expect(() => readServerOptions(args)).toThrow(message);
  });

  it('maps command line options to server options', () => {
    const args = ['--port', '1', '--rate', '7', '--grid', 'http://a', '--grid', 'http://b', '--data', data];
    expect(readServerOptions(args)).toMatchObject({
      port: 1,
      requestRate: 7,
      grid: ['http://a', 'http://b'],
      allowNoSandbox: false,
      database: join(data, 'platform.sqlite'),
    });
    const more = [
      '--allow-no-sandbox',
      '--download-quota',
      '3',
      '--egress-listen',
      '10.0.0.5',
      '--egress-from',
      '10.0.9.1',
    ];
    expect(readServerOptions([...more, '--data', data])).toMatchObject({
      allowNoSandbox: true,
      downloadQuota: 3 * 1024 * 1024,
      egressListen: '10.0.0.5',
      egressFrom: ['10.0.9.1'],
    });
    expect([readServerOptions(['-h']), readServerOptions(['--version'])]).toEqual(['help', 'version']);
  });
});
