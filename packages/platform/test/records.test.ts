import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqlStore } from '../src/store/sql-store.ts';
import { SqliteDatabase } from '../src/store/sqlite-database.ts';
import { simulatedBackend } from './support/simulated-backend.ts';
import { type SimulatedBrowsers, simulateBrowsers } from './support/simulated-browsers.ts';
import { type Answer, ask, type Question } from './support/use-platform.ts';
import { type Platform, startPlatform } from '../src/platform.ts';

let platform: Platform;
let browsers: SimulatedBrowsers;
let id: string;
let foreignKey: string;

beforeAll(async () => {
  browsers = await simulateBrowsers();
  platform = await startPlatform(
    { database: ':memory:', port: 0, logLevel: 'silent', firstClientTimeout: 60_000 },
    simulatedBackend(browsers.origin, 'own', 2),
  );
  const { text } = await platform.keys.create({
    project: 'other',
    name: 'o',
    scopes: ['sessions:read', 'sessions:write'],
    expiresAt: undefined,
  });
  foreignKey = text;
  id = String((await sent('POST', '/v1/sessions', { body: {} })).body['id']);
});

afterAll(async () => {
  await platform?.close();
  await browsers?.[Symbol.asyncDispose]();
});

function sent(method: string, path: string, question: Question = {}): Promise<Answer> {
  return ask(platform, { method, path, ...question });
}

const event = (number: number, more: object = {}): object => ({
  kind: 'act',
  title: `step ${number}`,
  outcome: '</script><b>done\u0000',
  isFailed: false,
  time: new Date(number).toISOString(),
  ...more,
});

describe('event log of a session', () => {
  it('returns events unchanged, and only later ones with `after`', async () => {
    const path = `/v1/sessions/${id}/logs`;
    const full = event(2, { effect: 'changed', cacheStatus: 'HIT', modelCalls: 0, promptTokens: 1, milliseconds: 5 });
    expect((await sent('POST', path, { body: { events: [event(1), full] } })).status).toBe(204);
    await sent('POST', path, { body: { events: [event(3)] } });
    const { body } = await sent('GET', path);
    const events = body['events'] as { number: number }[];
    expect(events).toMatchObject([event(1), full, event(3)]);
    const after = await sent('GET', `${path}?after=${events[0]?.number}&limit=1`);
    expect(after.body['events']).toMatchObject([full]);
  });

  it.each<[string, unknown]>([
    ['no events', { events: [] }],
    ['too many events', { events: Array.from({ length: 101 }, (_, number) => event(number)) }],
    ['an unknown kind', { events: [event(1, { kind: 'script' })] }],
    ['an unknown field', { events: [event(1, { html: 'x' })] }],
    ['a text that is too long', { events: [event(1, { title: 'x'.repeat(2001) })] }],
    ['an invalid time', { events: [event(1, { time: 'now' })] }],
  ])('rejects %s', async (_what, body) => {
    expect((await sent('POST', `/v1/sessions/${id}/logs`, { body })).status).toBe(400);
  });

  it('keeps the last 2000 events of a session', async () => {
    const database = new SqliteDatabase(':memory:');
    const { records } = new SqlStore(database);
    const rows = Array.from({ length: 2050 }, (_, time) => ({ time, body: '{}' }));
    await records.addEvents('a', rows);
    await records.addEvents('b', rows.slice(0, 1));
    const kept = await records.events('a', 0, 5000);
    expect([kept.length, kept[0]?.time]).toEqual([2000, 50]);
    expect(await records.events('b', 0, 10)).toHaveLength(1);
    await database.close();
  });
});

describe('files of a session', () => {
  const put = (name: string, content: string, headers: Record<string, string> = {}): Promise<Answer> =>
    sent('PUT', `/v1/sessions/${id}/files/${name}`, {
      body: content,
      headers: { 'content-type': 'text/html', ...headers },
    });

  it('adds, replaces, lists, returns and removes a file', async () => {
    expect((await put('R%C3%A9sum%C3%A9%201.html', '<b>é\u0000')).body).toMatchObject({
      name: 'Résumé 1.html',
      size: 6,
    });
    await put('R%C3%A9sum%C3%A9%201.html', '<b>new', { 'content-type': 'application/x-new; v=1' });
    const { body } = await sent('GET', `/v1/sessions/${id}/files`);
    expect(body['files']).toMatchObject([{ name: 'Résumé 1.html', size: 6, type: 'application/x-new' }]);
    const path = `/v1/sessions/${id}/files/R%C3%A9sum%C3%A9%201.html`;
    const file = await sent('GET', path);
    expect(file.body['text']).toBe('<b>new');
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''R%C3%A9sum%C3%A9%201.html");
    const head = await sent('HEAD', path);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '6']);
    expect((await sent('DELETE', path)).status).toBe(204);
    expect((await sent('DELETE', path)).status).toBe(404);
    expect((await sent('GET', path)).status).toBe(404);
  });

  it('returns large and empty files completely', async () => {
    for (const content of ['', 'é'.repeat(1_000_000)]) {
      await put('a', content);
      const file = await sent('GET', `/v1/sessions/${id}/files/a`);
      expect(file.body['text']).toBe(content);
      expect(file.headers.get('content-length')).toBe(String(Buffer.byteLength(content)));
    }
    await sent('DELETE', `/v1/sessions/${id}/files/a`);
  });

  it.each([
    '..',
    '%2e%2e',
    '..%2fx',
    'a%2fb',
    'a%5cb',
    '.hidden',
    'a%00b',
    'a%0d%0ab',
    'x..y',
    'a%22b',
    '%20',
    'a.',
    'x'.repeat(201),
  ])('rejects the file name %s', async (name) => {
    expect([400, 404, 405]).toContain((await put(name, 'x')).status);
    expect((await sent('GET', `/v1/sessions/${id}/files`)).body['files']).toEqual([]);
  });

  it('limits a file to 16 MiB and a session to 50 files', async () => {
    expect((await put('large', 'x'.repeat(16 * 1024 * 1024 + 1))).status).toBe(413);
    const names = Array.from({ length: 51 }, (_, number) => `file${number}`);
    const statuses = [];
    for (const name of names) statuses.push((await put(name, 'x')).status);
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 413]);
    expect((await put('file1', 'again')).status).toBe(200);
  });

  it('hides files and log from other projects, and requires the scope to change files', async () => {
    for (const [method, path, body] of [
      ['GET', 'files', undefined],
      ['GET', 'files/file1', undefined],
      ['PUT', 'files/file1', 'x'],
      ['DELETE', 'files/file1', undefined],
      ['GET', 'logs', undefined],
      ['POST', 'logs', { events: [event(1)] }],
    ] as const) {
      const question = { ...(body === undefined ? {} : { body }), key: foreignKey };
      expect((await sent(method, `/v1/sessions/${id}/${path}`, question)).code, `${method} ${path}`).toBe(
        'session_not_found',
      );
      expect((await sent(method, `/v1/sessions/${id}/${path}`, { ...question, key: '' })).status).toBe(401);
    }
    const { text: readOnly } = await platform.keys.create({
      project: 'default',
      name: 'r',
      scopes: ['sessions:read'],
      expiresAt: undefined,
    });
    expect((await sent('PUT', `/v1/sessions/${id}/files/f`, { key: readOnly, body: 'x' })).status).toBe(403);
    expect((await sent('DELETE', `/v1/sessions/${id}/files/file1`, { key: readOnly })).status).toBe(403);
  });

  it('removes files when the session ends, and keeps its log for 7 days', async () => {
    await sent('POST', `/v1/sessions/${id}`, { body: { status: 'REQUEST_RELEASE' } });
    expect((await put('late', 'x')).status).toBe(410);
    await platform.store.prune(Date.now(), 0);
    expect((await sent('GET', `/v1/sessions/${id}/files`)).body['files']).toEqual([]);
    expect((await sent('GET', `/v1/sessions/${id}/logs`)).body['events']).toHaveLength(3);
    const week = 7 * 24 * 3600 * 1000;
    await platform.store.prune(Date.now() + week - 60_000, 0);
    expect((await sent('GET', `/v1/sessions/${id}/logs`)).body['events']).toHaveLength(3);
    await platform.store.prune(Date.now() + week, 0);
    expect((await sent('GET', `/v1/sessions/${id}/logs`)).body['events']).toEqual([]);
    await platform.store.records.addEvents(id, [{ time: 1, body: '{}' }]);
    await platform.store.prune(Date.now(), Date.now());
    expect(await platform.store.records.events(id, 0, 9)).toEqual([]);
    expect((await sent('GET', `/v1/sessions/${id}`)).code).toBe('session_not_found');
  });
});
