import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { processesWith } from '../../../pagechauffeur/test/support/processes.ts';
import { startPlatform } from '../../src/platform.ts';
import { Reconciler } from '../../src/sessions/reconciler.ts';
import { BEGIN_MS, BILL, SOON, useGridSessions } from '../support/grid-sessions.ts';
import { connectRaw } from '../support/raw-client.ts';
import { noGrid } from '../support/use-grid.ts';

const MIB = 1024 * 1024;

describe.skipIf(noGrid !== '')(`platform with Grid browsers${noGrid}`, () => {
  const shared = useGridSessions();

  it('reports the node of a session', async () => {
    const { id } = await shared.create();
    const { value } = (await (await shared.grid.ask('/status')).json()) as {
      readonly value: { readonly nodes: readonly [{ readonly uri: string }] };
    };
    const node = new URL(value.nodes[0].uri).host;
    await vi.waitFor(async () => expect(await shared.sessionOf(id)).toMatchObject({ node }), SOON);
    await shared.release(id);
    expect(await shared.sessionOf(id)).toMatchObject({ status: 'COMPLETED', node });
  });

  it('keeps downloads in the session folder without a client setting', async () => {
    const { id, url } = await shared.create();
    const client = await connectRaw(url);
    await client.command('Target.createTarget', { url: `${shared.server.origin}/bill` });
    const path = `/v1/sessions/${id}/downloads`;
    const listed = async () => (await shared.ask('GET', path)).body['downloads'] as Record<string, unknown>[];
    await expect.poll(listed, SOON).toEqual([expect.objectContaining({ fileName: 'bill.txt', state: 'completed' })]);
    const [file] = await listed();
    const headers = { authorization: `Bearer ${shared.key}` };
    const content = await fetch(`${shared.platform.url}${path}/${String(file?.['name'])}`, { headers });
    expect((await content.text()) === BILL).toBe(true);
    client.socket.close();
  });

  it('forwards a message of 30 MiB, and responds to one of 40 MiB with an error', async () => {
    const client = await connectRaw(
      String((await shared.sessionOf(shared.driver.remoteSessionID ?? ''))['connectUrl']),
    );
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
    const other = await shared.open();
    expect((await folders()).length).toBeGreaterThan(before.length);
    await other.close();
    await expect.poll(folders, SOON).toEqual(before);
  });

  it('responds with a retry time if the Grid is full, and removes its orphaned sessions', async () => {
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
      shared.driver.remoteSessionID,
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

  it('sends requests through the tenant proxy with its credentials', async () => {
    const seen: IncomingMessage[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request);
      response.end('<title>Through the proxy</title>');
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const settings = { server: `127.0.0.1:${port}`, username: 'me', password: 'pass' };
    const proxied = await shared.open({ remoteSessionCreateParams: { proxy: settings } });
    await firstPage(proxied).goto('http://example.invalid/somewhere');
    expect(await firstPage(proxied).title()).toBe('Through the proxy');
    expect(seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('me:pass').toString('base64')}`);
    await proxied.close();
    proxy.close();
  });

  it('ends the sessions of a killed browser and of one that the Grid removed', { timeout: BEGIN_MS }, async () => {
    const { remoteSessionID = '' } = shared.driver;
    await shared.driver.close();
    await shared.release(remoteSessionID);
    const [killed, expired] = await Promise.all([shared.create(), shared.create()]);
    const clients = await Promise.all([connectRaw(killed.url), connectRaw(expired.url)]);
    const { browser } = shared.platform.sessionManager.live.get(killed.id) ?? {};
    const profile = browser?.downloads.replace(/\/[^/]*$/, '') ?? 'none';
    const [pid = 0] = processesWith(`--user-data-dir=${profile}`);
    process.kill(pid, 'SIGKILL');
    await shared.grid.ask(`/session/${await shared.gridId(expired.id)}`, { method: 'DELETE' });
    for (const { closed } of clients) expect(await closed).toEqual([4001, 'The browser was lost.']);
    await vi.waitFor(async () => expect(await shared.sessions()).toEqual(new Map()), SOON);
    for (const { id } of [killed, expired])
      expect(await shared.sessionOf(id)).toMatchObject({ status: 'ERROR', endReason: 'The browser was lost.' });
  });

  it('ends the session of a killed node with `ERROR`', { timeout: BEGIN_MS }, async () => {
    const { id, url } = await shared.create();
    const client = await connectRaw(url);
    await shared.grid.kill('node');
    // The router may report it at once or not at all.
    expect(await client.closed).toEqual([expect.any(Number), expect.stringMatching(/was (cut|lost)|lost contact/)]);
    await vi.waitFor(async () => expect((await shared.sessionOf(id))['status']).toBe('ERROR'), SOON);
    await shared.grid.endOrphans();
    await vi.waitFor(() => expect(processesWith(`--user-data-dir=${shared.grid.folder}`)).toEqual([]), SOON);
  });
});
