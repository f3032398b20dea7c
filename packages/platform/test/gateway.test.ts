import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleOn } from '../src/gateway/command-rules.ts';
import { ConnectTokens } from '../src/gateway/connect-token.ts';
import { filterMessage } from '../src/gateway/message-filter.ts';
import { connectRaw, type RawClient, refusalOf } from './support/raw-client.ts';
import { usePlatform } from './support/use-platform.ts';

const shared = usePlatform({ capacity: 3 });
let session: Readonly<Record<string, unknown>>;
let other: Readonly<Record<string, unknown>>;
let client: RawClient;

beforeAll(async () => {
  [session = {}, other = {}] = await Promise.all(
    ['a', 'b'].map(async () => (await shared.ask('POST', '/v1/sessions', { body: {} })).body),
  );
  client = await connectRaw(urlOf(session));
});

afterAll(() => client?.socket.close());

function urlOf({ connectUrl }: Readonly<Record<string, unknown>>): string {
  return String(connectUrl);
}

function tokenOf(of: Readonly<Record<string, unknown>>): string {
  return new URL(urlOf(of)).searchParams.get('token') ?? '';
}

function withToken(token: string, of = session): string {
  const url = new URL(urlOf(of));
  url.searchParams.set('token', token);
  return url.href;
}

describe('connect token', () => {
  it('admits a second client while the session runs', async () => {
    const second = await connectRaw(urlOf(session));
    expect((await second.command('Browser.getVersion')).result).toMatchObject({
      product: expect.stringMatching(/^(Headless)?Chrome\//),
    });
    second.socket.close();
  });

  it.each<[string, () => string]>([
    ['that is missing', () => ''],
    ['that is malformed', () => 'a.b.c'],
    ['that was modified', () => tokenOf(session).replace(/^./, (first) => (first === 'e' ? 'f' : 'e'))],
    ['with a truncated signature', () => tokenOf(session).slice(0, -1)],
    ['without a signature', () => `${tokenOf(session).split('.')[0]}.`],
    ['for another session', () => tokenOf(other)],
    ['signed with another secret', () => new ConnectTokens('guess').sign(grantOf(session, 60_000))],
    ['signed for another purpose', () => signedFor('view')],
  ])('rejects a token %s', async (_what, token) => {
    expect(await refusalOf(withToken(token()))).toMatch(/^401 .*"unauthorized"/);
  });

  it('rejects a token after it expires or its key is revoked', async () => {
    const tokens = new ConnectTokens('secret');
    const grant = grantOf(session, 60_000);
    expect(tokens.read(tokens.sign(grant))).toEqual(grant);
    expect(tokens.read(tokens.sign(grant), grant.expiresAt)).toBeUndefined();
    const { body } = await shared.ask('POST', '/v1/keys', {
      body: { name: 'short', scopes: ['sessions:read', 'sessions:write'] },
    });
    const seen = await shared.ask('GET', `/v1/sessions/${String(session['id'])}`, { key: String(body['key']) });
    (await connectRaw(urlOf(seen.body))).socket.close();
    expect((await shared.ask('DELETE', `/v1/keys/${String(body['id'])}`)).status).toBe(204);
    expect(await refusalOf(urlOf(seen.body))).toMatch(/^401 /);
  });

  it('rejects a token on another path', async () => {
    const url = new URL(urlOf(session));
    for (const path of [
      '/',
      '/v1/sessions',
      `//evil/v1/sessions/${String(session['id'])}/cdp`,
      `${url.pathname}/`,
      `${url.pathname}/..`,
      url.pathname.toUpperCase(),
      `/v1/sessions/..%2f${String(session['id'])}/cdp`,
    ])
      expect(await refusalOf(url.origin + path + url.search), path).toMatch(/^(404|401) /);
  });
});

function grantOf(of: Readonly<Record<string, unknown>>, ms: number): Parameters<ConnectTokens['sign']>[0] {
  return { sessionId: String(of['id']), keyId: shared.key.slice(3, 19), expiresAt: Date.now() + ms };
}

function signedFor(purpose: string): string {
  const [text = ''] = tokenOf(session).split('.');
  return `${text}.${createHmac('sha256', 'guess').update(`${purpose}.${text}`).digest('base64url')}`;
}

describe('CDP command to the gateway', () => {
  it.each([
    ['Page.navigate', { url: 'file:///etc/passwd' }],
    ['Page.navigate', { url: 'FILE:/etc/passwd' }],
    ['Page.navigate', { url: 'fi\tle:///etc/passwd' }],
    ['Page.navigate', { url: ' view-source:file:///etc/passwd' }],
    ['Page.navigate', { url: 'view-source:view-source:file:///etc/passwd' }],
    ['Page.navigate', { url: 'chrome://version' }],
    ['Page.navigate', { url: 'devtools://devtools/bundled/inspector.html' }],
    ['Page.navigate', { url: ['file:///etc/passwd'] }],
    ['Target.createTarget', { url: 'file:///etc/passwd' }],
    ['Target.createTarget', { url: 'chrome-untrusted://terminal' }],
    ['Network.loadNetworkResource', { url: 'file:///etc/passwd', options: {} }],
    ['Fetch.continueRequest', { requestId: '1', url: 'file:///etc/passwd' }],
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'], backendNodeId: 1 }],
    [
      'Input.dispatchDragEvent',
      { type: 'drop', x: 1, y: 1, data: { items: [], files: ['/etc/passwd'], dragOperationsMask: 1 } },
    ],
    ['Target.createBrowserContext', { proxyServer: 'direct://' }],
    ['Target.createBrowserContext', { proxyBypassList: '127.0.0.1' }],
    ['Target.exposeDevToolsProtocol', { targetId: 'x' }],
    ['Target.sendMessageToTarget', { message: '{}' }],
    ['Target.setRemoteLocations', { locations: [] }],
    ['Browser.getBrowserCommandLine', {}],
    ['SystemInfo.getProcessInfo', {}],
    ['Tethering.bind', { port: 9999 }],
    ['Extensions.loadUnpacked', { path: '/tmp' }],
  ])('rejects %s with %j', async (method, params) => {
    const { error } = await client.command(method, params);
    expect(error?.code).toBe(-32_000);
    expect(error?.message).toContain(method);
  });

  it('checks the value that takes effect for duplicate and escaped keys', async () => {
    const twice =
      '{"id":1,"method":"Target.createTarget","params":{"url":"file:///etc/passwd"},"params":{"url":"about:blank"}}';
    const { result } = await client.send(twice, 1);
    const { result: targets } = await client.command('Target.getTargets');
    const made = (targets as unknown as { targetInfos: { targetId: string; url: string }[] }).targetInfos.find(
      ({ targetId }) => targetId === result?.['targetId'],
    );
    expect(made?.url).toBe('about:blank');
    const hidden = '{"id":2,"method":"Target.getTargets","\\u006dethod":"SystemInfo.getInfo"}';
    expect((await client.send(hidden, 2)).error?.message).toContain('SystemInfo.getInfo');
  });

  it('replaces the download folder with the session folder, and keeps `deny`', () => {
    const params = { behavior: 'allow', downloadPath: '/etc' };
    const ruling = ruleOn({ method: 'Browser.setDownloadBehavior', params }, { downloads: '/tmp/own' });
    expect(ruling).toEqual({ params: { behavior: 'allowAndName', downloadPath: '/tmp/own' } });
    const anyhow = { behavior: 'default', eventsEnabled: true };
    expect(ruleOn({ method: 'Browser.setDownloadBehavior', params: anyhow }, { downloads: '/tmp/own' })).toEqual({
      params: { behavior: 'allowAndName', downloadPath: '/tmp/own', eventsEnabled: true },
    });
    expect(ruleOn({ method: 'Page.setDownloadBehavior', params }, { downloads: '/tmp/own' })).toEqual({ done: true });
    const none = { behavior: 'deny' };
    for (const method of ['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])
      expect(ruleOn({ method, params: none }, { downloads: '/tmp/own' })).toEqual({ params: none });
  });

  it('responds with an error to a command that is too large for the browser', () => {
    const text = JSON.stringify({ id: 3, method: 'Page.enable', sessionId: 'S', params: { x: 'ä'.repeat(40) } });
    const filtered = filterMessage(text, { downloads: '/tmp', maxMessageBytes: 100 });
    expect(filtered).toEqual({
      answer: '{"id":3,"error":{"code":-32600,"message":"A message can have at most 100 bytes."},"sessionId":"S"}',
    });
    expect(filterMessage(text, { downloads: '/tmp', maxMessageBytes: 200 })).toEqual({ forward: expect.any(String) });
  });

  it.each<[string, string | Buffer]>([
    ['invalid JSON', '{'],
    ['an array', '[1]'],
    ['a binary message', Buffer.from('{}')],
  ])('closes only the socket that sends %s', async (_what, message) => {
    const broken = await connectRaw(urlOf(session));
    broken.socket.send(message);
    expect((await broken.closed)[0]).toBe(4003);
    expect((await client.command('Browser.getVersion')).result).toBeDefined();
  });
});

describe('session', () => {
  it('accepts at most 10 connections', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => connectRaw(urlOf(other))));
    expect(await refusalOf(urlOf(other))).toMatch(/^429 .*"quota_exceeded"/);
    await Promise.all(clients.map(({ socket, closed }) => (socket.close(), closed)));
    (await connectRaw(urlOf(other))).socket.close();
  });

  it('rejects new clients after it ends, notifies connected ones, and ends once', async () => {
    const late = await connectRaw(urlOf(other));
    const path = `/v1/sessions/${String(other['id'])}`;
    const release = { body: { status: 'REQUEST_RELEASE' } };
    const [first, second] = await Promise.all([shared.ask('POST', path, release), shared.ask('POST', path, release)]);
    expect([first.body['status'], second.body['status']]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await late.closed).toEqual([4001, 'The session was released.']);
    expect(await refusalOf(urlOf(other))).toMatch(/^410 .*"session_ended"/);
    const after = await shared.ask('POST', path, { body: { keepAlive: true } });
    expect([after.status, after.code]).toEqual([410, 'session_ended']);
    expect((await shared.ask('GET', path)).body).not.toHaveProperty('connectUrl');
  });
});
