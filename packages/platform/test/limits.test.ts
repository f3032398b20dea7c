import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Platform, startPlatform } from '../src/platform.ts';
import type { DownloadedFile } from '../src/browsers/browser-backend.ts';
import { DownloadList } from '../src/sessions/download-list.ts';
import type { DownloadRow } from '../src/store/session-records.ts';
import { connectRaw, type RawClient, refusalOf } from './support/raw-client.ts';
import { simulatedBackend } from './support/simulated-backend.ts';
import { type SimulatedBrowsers, simulateBrowsers } from './support/simulated-browsers.ts';
import { type Answer, ask, type Question } from './support/use-platform.ts';

let browsers: SimulatedBrowsers;
let platform: Platform;

beforeAll(async () => {
  // The gateway checks connections every 15 s.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  browsers = await simulateBrowsers();
  platform = await startPlatform(
    { database: ':memory:', port: 0, logLevel: 'silent' },
    simulatedBackend(browsers.origin, 'own', 9),
  );
});

afterAll(async () => {
  await platform?.close();
  await browsers?.[Symbol.asyncDispose]();
  vi.useRealTimers();
});

function sent(method: string, path: string, question: Question = {}): Promise<Answer> {
  return ask(platform, { method, path, ...question });
}

async function createWith(key: string): Promise<string> {
  const { body } = await sent('POST', '/v1/sessions', { key, body: { keepAlive: true } });
  return String(body['connectUrl']);
}

async function connected(url: string): Promise<RawClient> {
  const client = await connectRaw(url);
  onTestFinished(() => client.socket.terminate());
  return client;
}

describe('connections to a browser', () => {
  it('accepts 10 of 30 simultaneous connections', async () => {
    const url = await createWith(platform.firstKey ?? '');
    const begun = await Promise.allSettled(Array.from({ length: 30 }, () => connected(url)));
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await refusalOf(url)).toMatch(/^429 .*A session accepts at most 10 connections/);
  });

  it('rejects commands to a non-web target, and hides its own `Target.closeTarget` from clients', async () => {
    const client = await connected(await createWith(platform.firstKey ?? ''));
    const received: Record<string, unknown>[] = [];
    client.socket.on('message', (data) => received.push(JSON.parse(String(data)) as Record<string, unknown>));
    const targetInfo = { targetId: 'T1', type: 'page', url: 'file:///etc/passwd' };
    await client.command('Test.tell', {
      event: { method: 'Target.attachedToTarget', params: { sessionId: 'S1', targetInfo } },
    });
    const refused = await client.send('{"id":7,"method":"Page.captureScreenshot","sessionId":"S1"}', 7);
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('not a web page') } });
    const passed = await client.send('{"id":8,"method":"Page.captureScreenshot","sessionId":"S2"}', 8);
    expect(passed).toMatchObject({ result: { method: 'Page.captureScreenshot' } });
    // The answer to our command that closes the tab must not reach the client.
    expect(JSON.stringify(received)).not.toContain('Target.closeTarget');
    expect(received.map(({ id, method }) => id ?? method)).toEqual(['Target.attachedToTarget', 1001, 7, 8]);
  });

  it('closes a connection after its key is revoked', async () => {
    const { body } = await sent('POST', '/v1/keys', { body: { name: 'leaked', scopes: ['sessions:write'] } });
    const leaked = await connected(await createWith(String(body['key'])));
    const other = await connected(await createWith(platform.firstKey ?? ''));
    expect((await sent('DELETE', `/v1/keys/${String(body['id'])}`)).status).toBe(204);
    vi.advanceTimersByTime(15_000);
    expect(await leaked.closed).toEqual([1008, 'The key of this connection is no longer valid.']);
    expect((await other.command('Browser.getVersion')).result).toBeDefined();
  });
});

describe('list of downloads', () => {
  it('contains each reported download once, with its latest state', () => {
    const kept: DownloadRow[] = [];
    const list = new DownloadList([], (download) => kept.push(download));
    const say = (method: string, params: object): void => list.note(JSON.stringify({ method, params }), 7);
    const begun = { guid: 'a', suggestedFilename: 'report.txt' };
    say('Browser.downloadWillBegin', begun);
    say('Browser.downloadWillBegin', begun);
    say('Browser.downloadProgress', { guid: 'a', receivedBytes: 5, state: 'inProgress' });
    say('Browser.downloadProgress', { guid: 'a', receivedBytes: 9, state: 'completed' });
    say('Browser.downloadProgress', { guid: 'a', receivedBytes: 5, state: 'inProgress' });
    say('Browser.downloadProgress', { guid: 'unknown', receivedBytes: 5, state: 'inProgress' });
    say('Browser.downloadWillBegin', {});
    say('Page.downloadWillBegin', { guid: 'b' });
    expect(list.list()).toEqual([{ name: 'a', fileName: 'report.txt', size: 9, state: 'completed', startedAt: 7 }]);
    expect(kept.map(({ size, state }) => [size, state])).toEqual([
      [0, 'inProgress'],
      [9, 'completed'],
    ]);
  });

  it('checks only the files of unfinished downloads without recent events', async () => {
    const known = { name: 'known', fileName: 'k', size: 3, startedAt: 1 };
    const list = new DownloadList(
      [
        { ...known, state: 'inProgress' },
        { ...known, name: 'whole', state: 'completed' },
      ],
      () => undefined,
    );
    const begin = (guid: string, now: number): void =>
      list.note(
        JSON.stringify({ method: 'Browser.downloadWillBegin', params: { guid, suggestedFilename: guid } }),
        now,
      );
    for (const guid of ['lost', 'late', 'broken', 'heard']) begin(guid, 10_000);
    const said = { guid: 'heard', receivedBytes: 5, state: 'inProgress' };
    list.note(JSON.stringify({ method: 'Browser.downloadProgress', params: said }), 12_500);
    const asked: string[] = [];
    const open = async (name: string): Promise<DownloadedFile | undefined> => {
      asked.push(name);
      if (name === 'broken') throw new TypeError('no browser');
      return name === 'late' ? undefined : { size: 8, content: Readable.from([]) };
    };
    await list.checkSilent(open, 13_000);
    expect(asked).toEqual(['known', 'lost', 'late', 'broken']);
    await list.checkSilent(open, 13_100);
    expect(asked).toHaveLength(4);
    expect(list.list().map(({ name, size, state }) => [name, size, state])).toEqual([
      ['known', 8, 'completed'],
      ['whole', 3, 'completed'],
      ['lost', 8, 'completed'],
      ['late', 0, 'inProgress'],
      ['broken', 0, 'inProgress'],
      ['heard', 5, 'inProgress'],
    ]);
  });

  it('keeps the last 1000 downloads and 255 characters of a file name', () => {
    const list = new DownloadList([], () => undefined);
    for (let guid = 0; guid < 1100; guid += 1)
      list.note(JSON.stringify({ method: 'Browser.downloadWillBegin', params: { guid: `${guid}` } }));
    expect([list.list().length, list.list()[0]?.name]).toEqual([1000, '100']);
    const params = { guid: 'long', suggestedFilename: 'x'.repeat(100_000) };
    list.note(JSON.stringify({ method: 'Browser.downloadWillBegin', params }));
    expect(list.list().at(-1)?.fileName).toHaveLength(255);
  });

  it('rejects an invalid `limit`, and responds with `session_ended` after the session ends', async () => {
    const { body } = await sent('POST', '/v1/sessions', { body: {} });
    const path = `/v1/sessions/${String(body['id'])}/downloads`;
    expect((await sent('GET', path)).body).toEqual({ downloads: [], mayFetch: true });
    for (const limit of ['0', '1001', 'x']) expect((await sent('GET', `${path}?limit=${limit}`)).status).toBe(400);
    await sent('POST', `/v1/sessions/${String(body['id'])}`, { body: { status: 'REQUEST_RELEASE' } });
    expect((await sent('GET', path)).code).toBe('session_ended');
  });
});

it('reports metrics, and responds with 503 to `/readyz` while the server stops', async () => {
  const { body } = await sent('GET', '/metrics', { key: '' });
  for (const line of [
    /^chauffeur_slots 9$/m,
    /^chauffeur_sessions_created_total [1-9]/m,
    /^chauffeur_sessions_failed_total 0$/m,
    /^chauffeur_viewers 0$/m,
    /^process_cpu_seconds_total [\d.]+$/m,
    /^process_resident_memory_bytes [1-9]/m,
  ])
    expect(body['text']).toMatch(line);
  const closing = platform.sessionManager.close();
  expect((await sent('GET', '/healthz', { key: '' })).body).toEqual({ status: 'ending' });
  const readiness = await sent('GET', '/readyz', { key: '' });
  expect([readiness.status, readiness.body]).toEqual([503, { status: 'ending', parts: [] }]);
  await closing;
});
