import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Driver, type DriverOptions } from '../../../pagechauffeur/src/index.ts';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { processesWith } from '../../../pagechauffeur/test/support/processes.ts';
import { serve, type TestServer } from '../../../pagechauffeur/test/support/serve.ts';
import { startPlatform } from '../../src/platform.ts';
import { Reconciler } from '../../src/sessions/reconciler.ts';
import { connectRaw } from '../support/raw-client.ts';
import { noGrid, useGrid } from '../support/use-grid.ts';

/** Grids are slow on a busy machine and send no events. */
const SOON = { timeout: 25_000, interval: 200 };
/** Time for the first browser of a new node, and for tests with several slow steps. */
const BEGIN_MS = 120_000;
const MIB = 1024 * 1024;
const BILL = '42 Euro\n'.repeat(300_000);

describe.skipIf(noGrid !== '')(`a platform with browsers of a Grid${noGrid}`, () => {
  const credentials = { username: 'platform', password: 'secret/:@ &' };
  const shared = useGrid({ slots: 2, credentials }, { allowNetworks: ['127.0.0.0/8'], grace: 300 });
  let server: TestServer;
  /** A driver that all tests share. Uses one of two slots. */
  let driver: Driver;

  beforeAll(async () => {
    server = await serve({
      '/': '<title>Shop</title><button onclick="document.title = `Bought`">Buy</button><a href="/bill" download>Bill</a>',
      '/bill': (_request, response) =>
        response.writeHead(200, { 'content-disposition': 'attachment; filename="bill.txt"' }).end(BILL),
    });
    const viewport = { width: 900, height: 650 };
    driver = await open({ keepAlive: true, remoteSessionCreateParams: { viewport, userAgent: 'Some/1.0' } });
  }, BEGIN_MS);

  afterAll(async () => {
    await driver?.close();
    await server?.close();
  });

  async function open(options: Partial<DriverOptions> = {}): Promise<Driver> {
    const opened = new Driver({
      env: 'REMOTE',
      apiKey: shared.key,
      remoteBaseURL: shared.platform.url,
      model: 'offline/lexical',
      disableLoggerBackend: true,
      ...options,
    });
    await opened.init();
    return opened;
  }

  async function create(): Promise<{ readonly id: string; readonly url: string }> {
    const { status, body } = await shared.ask('POST', '/v1/sessions', { body: { keepAlive: true } });
    expect(status).toBe(201);
    const id = String(body['id']);
    onTestFinished(() => release(id));
    return { id, url: String(body['connectUrl']) };
  }

  async function release(id: string): Promise<void> {
    await shared.ask('POST', `/v1/sessions/${id}`, { body: { status: 'REQUEST_RELEASE' } });
  }

  async function sessionOf(id: string): Promise<Record<string, unknown>> {
    return (await shared.ask('GET', `/v1/sessions/${id}`)).body;
  }

  /** Returns the Grid's id of a session, or `undefined`. */
  async function gridId(id: string): Promise<string | undefined> {
    return [...(await shared.sessions())].find(([name]) => name.endsWith(`/${id}`))?.[1];
  }

  it('reports the node of a session', async () => {
    const { id } = await create();
    const { value } = (await (await shared.grid.ask('/status')).json()) as {
      readonly value: { readonly nodes: readonly [{ readonly uri: string }] };
    };
    const node = new URL(value.nodes[0].uri).host;
    await vi.waitFor(async () => expect(await sessionOf(id)).toMatchObject({ node }), SOON);
    await release(id);
    expect(await sessionOf(id)).toMatchObject({ status: 'COMPLETED', node });
  });

  it('runs a driver in a browser with the requested settings', async () => {
    const page = firstPage(driver);
    await page.goto(server.origin);
    expect(await page.evaluate('[innerWidth, innerHeight, navigator.userAgent]')).toEqual([900, 650, 'Some/1.0']);
    expect(await driver.act('click Buy')).toMatchObject({ success: true });
    expect(await page.title()).toBe('Bought');
    await expect(page.goto('http://169.254.169.254/latest/meta-data')).rejects.toThrow(
      "the platform's network policy refuses this host",
    );
  });

  it('fetches downloads from the machine of the browser', async () => {
    const page = firstPage(driver);
    await page.goto(server.origin);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Bill').click()]);
    expect(download.suggestedFilename()).toBe('bill.txt');
    expect((await readFile(await download.path(), 'utf8')) === BILL).toBe(true);
    const missing = `/v1/sessions/${driver.remoteSessionID}/downloads/00000000-0000-4000-8000-000000000000`;
    expect(await shared.ask('GET', missing)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('keeps downloads in the session folder without a client setting', async () => {
    const { id, url } = await create();
    const client = await connectRaw(url);
    await client.command('Target.createTarget', { url: `${server.origin}/bill` });
    const path = `/v1/sessions/${id}/downloads`;
    const listed = async () => (await shared.ask('GET', path)).body['downloads'] as Record<string, unknown>[];
    await expect.poll(listed, SOON).toEqual([expect.objectContaining({ fileName: 'bill.txt', state: 'completed' })]);
    const [file] = await listed();
    const headers = { authorization: `Bearer ${shared.key}` };
    const content = await fetch(`${shared.platform.url}${path}/${String(file?.['name'])}`, { headers });
    expect((await content.text()) === BILL).toBe(true);
    client.socket.close();
  });

  it('forwards a message of 30 MiB, and answers one of 40 MiB with an error', async () => {
    const client = await connectRaw(String((await sessionOf(driver.remoteSessionID ?? ''))['connectUrl']));
    const question = (characters: number): string =>
      JSON.stringify({ id: 1, method: 'Runtime.callFunctionOn', params: { filler: 'x'.repeat(characters) } });
    // The browser session has no page commands, so its answer is an error.
    expect((await client.send(question(30 * MIB), 1)).error?.message).toContain('Runtime.callFunctionOn');
    expect((await client.send(question(40 * MIB), 1)).error?.message).toContain(String(31 * MIB));
    expect((await client.command('Browser.getVersion')).result).toBeDefined();
    client.socket.close();
  });

  it('leaves no folder on the node when a session ends', { timeout: BEGIN_MS }, async () => {
    const folders = async (): Promise<string[]> =>
      (await readdir(shared.grid.folder)).filter((name) => name.startsWith('org.chromium')).toSorted();
    const before = await folders();
    const other = await open();
    expect((await folders()).length).toBeGreaterThan(before.length);
    await other.close();
    await expect.poll(folders, SOON).toEqual(before);
  });

  it('reports a full Grid with a retry time, and removes orphaned sessions there', async () => {
    const options = { database: ':memory:', port: 0, logLevel: 'silent', egressPort: 0, queueTimeout: 100 };
    await using other = await startPlatform({ ...options, grid: [shared.grid.url] });
    const headers = { authorization: `Bearer ${other.firstKey ?? ''}`, 'content-type': 'application/json' };
    const refused = await fetch(`${other.url}/v1/sessions`, { method: 'POST', headers, body: '{}' }).then(
      async (first) => (first.status === 201 ? fetch(first.url, { method: 'POST', headers, body: '{}' }) : first),
    );
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ error: { code: 'no_capacity' } });
    // Neither platform sees the other's sessions.
    expect((await shared.platform.backend.running()).map(({ sessionId }) => sessionId)).toEqual([
      driver.remoteSessionID,
    ]);
    const [lost] = await other.backend.running();
    const [live] = other.sessionManager.live.values();
    expect(lost?.sessionId).toBe(live?.row.id);
    // A session that ended while its server was down.
    await other.store.changeSession(live?.row ?? { id: '', owner: '' }, { status: 'ERROR', endedAt: 1 });
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    using reconciler = new Reconciler({ ...other, log, lease: { owner: 'another', timeout: 10_000 } });
    await vi.waitFor(async () => {
      await reconciler.run();
      expect(await other.backend.running()).toEqual([]);
    }, SOON);
  });

  it('supports a proxy of the tenant', async () => {
    const seen: IncomingMessage[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request);
      response.end('<title>Through the proxy</title>');
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const settings = { server: `127.0.0.1:${port}`, username: 'me', password: 'pass' };
    const proxied = await open({ remoteSessionCreateParams: { proxy: settings } });
    await firstPage(proxied).goto('http://example.invalid/somewhere');
    expect(await firstPage(proxied).title()).toBe('Through the proxy');
    expect(seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('me:pass').toString('base64')}`);
    await proxied.close();
    proxy.close();
  });

  it(
    'resumes a session for another driver or server, never reveals its Grid id, and ends it there',
    { timeout: BEGIN_MS },
    async () => {
      const id = driver.remoteSessionID ?? '';
      const secret = (await gridId(id)) ?? '';
      expect(secret).toMatch(/^[\da-f]{32}$/);
      await driver.close();
      const second = await open({ remoteSessionID: id, keepAlive: false });
      expect(await firstPage(second).title()).toBe('Shop');
      const told = JSON.stringify([await sessionOf(id), (await shared.ask('GET', '/v1/sessions')).body]);
      expect(told).toContain(id);
      expect(told).not.toContain(secret);
      const { signal } = new AbortController();
      const held = shared.platform.sessionManager.live.get(id)?.browser;
      const { handle = '', url = '' } = held ?? {};
      const { backend } = shared.platform;
      await held?.leave?.();
      const taken = await backend.adopt?.(id, handle, signal);
      expect(taken).toMatchObject({ sessionId: id, url });
      await second.close();
      expect((await sessionOf(id))['status']).toBe('COMPLETED');
      expect(await backend.adopt?.(id, handle, signal)).toBeUndefined();
      await taken?.end();
      await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
      await vi.waitFor(() => expect(processesWith(`--user-data-dir=${shared.grid.folder}`)).toEqual([]), SOON);
    },
  );

  it('detects a killed browser and one that the Grid removed', { timeout: BEGIN_MS }, async () => {
    const [killed, expired] = await Promise.all([create(), create()]);
    const clients = await Promise.all([connectRaw(killed.url), connectRaw(expired.url)]);
    const { browser } = shared.platform.sessionManager.live.get(killed.id) ?? {};
    const profile = browser?.downloads.replace(/\/[^/]*$/, '') ?? 'none';
    const [pid = 0] = processesWith(`--user-data-dir=${profile}`);
    process.kill(pid, 'SIGKILL');
    await shared.grid.ask(`/session/${await gridId(expired.id)}`, { method: 'DELETE' });
    for (const { closed } of clients) expect(await closed).toEqual([4001, 'Its browser was lost.']);
    await vi.waitFor(async () => expect(await shared.sessions()).toEqual(new Map()), SOON);
    for (const { id } of [killed, expired])
      expect(await sessionOf(id)).toMatchObject({ status: 'ERROR', endReason: 'Its browser was lost.' });
  });

  it('loses the sessions of a dead node', { timeout: BEGIN_MS }, async () => {
    const { id, url } = await create();
    const client = await connectRaw(url);
    await shared.grid.kill('node');
    // The router may report it at once or not at all.
    expect(await client.closed).toEqual([expect.any(Number), expect.stringMatching(/was (cut|lost)/)]);
    await vi.waitFor(async () => expect((await sessionOf(id))['status']).toBe('ERROR'), SOON);
    await shared.grid.endOrphans();
    await vi.waitFor(() => expect(processesWith(`--user-data-dir=${shared.grid.folder}`)).toEqual([]), SOON);
  });
});
