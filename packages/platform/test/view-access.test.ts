import { once } from 'node:events';
import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ViewTokens } from '../src/view/view-tokens.ts';
import { connectRaw, refusalOf } from './support/raw-client.ts';
import { usePlatform } from './support/use-platform.ts';

const shared = usePlatform({ capacity: 2 });
type Shown = Readonly<Record<string, unknown>>;
let session: Shown;
let foreign: Shown;
let foreignKey: string;

beforeAll(async () => {
  const scopes = ['sessions:read', 'sessions:write'] as const;
  const made = await shared.platform.keys.create({ project: 'other', name: 'o', scopes, expiresAt: undefined });
  foreignKey = made.text;
  [session = {}, foreign = {}] = await Promise.all(
    [shared.key, foreignKey].map(async (key) => (await shared.ask('POST', '/v1/sessions', { key, body: {} })).body),
  );
});

const idOf = ({ id }: Shown): string => String(id);
const tokenOf = (of: Shown, name: 'sessionUrl' | 'debugUrl'): string => String(of[name]).split('#view=')[1] ?? '';
const origin = (): string => new URL(shared.platform.url).origin;
const liveOf = (of: Shown): string => `${origin().replace('http', 'ws')}/v1/sessions/${idOf(of)}/live`;

/** Opens a link as the page does. Returns the status and the cookie. */
async function open(of: Shown, token: string, headers: Record<string, string> = { origin: origin() }) {
  const path = `/v1/sessions/${idOf(of)}/view`;
  const answer = await shared.ask('POST', path, { key: '', body: { token }, headers });
  const whole = answer.headers.get('set-cookie') ?? '';
  return { status: answer.status, whole, cookie: whole.split(';')[0] ?? '' };
}

async function signIn(key: string, headers: Record<string, string> = { origin: origin() }) {
  const answer = await shared.ask('POST', '/v1/sign-in', { key: '', body: { key }, headers });
  const whole = answer.headers.get('set-cookie') ?? '';
  return { status: answer.status, whole, cookie: whole.split(';')[0] ?? '' };
}

const asked = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
  (await shared.ask(method, path, { key: '', headers })).status;

describe('view link', () => {
  it('opens only its session, read-only, with an HttpOnly cookie', async () => {
    const { status, whole, cookie } = await open(session, tokenOf(session, 'sessionUrl'));
    expect(status).toBe(204);
    expect(whole).toMatch(
      new RegExp(`^chauffeur_view=[^;]+; Path=/v1/sessions/${idOf(session)}; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    );
    const path = `/v1/sessions/${idOf(session)}`;
    const { body } = await shared.ask('GET', path, { key: '', headers: { cookie } });
    expect(body).toMatchObject({ status: 'RUNNING' });
    expect(body).not.toHaveProperty('connectUrl');
    expect(body).not.toHaveProperty('debugUrl');
    expect(await asked(`${path}/logs`, { cookie })).toBe(200);
    expect(await asked(`/v1/sessions/${idOf(foreign)}`, { cookie })).toBe(401);
    expect(await asked('/v1/sessions', { cookie })).toBe(401);
    expect(await asked('/v1/keys', { cookie })).toBe(401);
    const release = { key: '', headers: { cookie, origin: origin() }, body: { status: 'REQUEST_RELEASE' } };
    expect((await shared.ask('POST', path, release)).status).toBe(403);
  });

  it('returns no link that expires later than itself', async () => {
    const tokens = new ViewTokens('x');
    const { cookie } = await open(session, tokenOf(session, 'sessionUrl'));
    const { body } = await shared.ask('GET', `/v1/sessions/${idOf(session)}`, { key: '', headers: { cookie } });
    const endOf = (token: string): number =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { e: number }).e;
    expect(endOf(tokenOf(body, 'sessionUrl'))).toBeLessThanOrEqual(endOf(tokenOf(session, 'sessionUrl')));
    const grant = { sessionId: idOf(session), keyId: 'k', expiresAt: 5000, mayControl: true };
    expect(tokens.readView(tokens.signView(grant), 4999)).toEqual(grant);
    expect(tokens.readView(tokens.signView(grant), 5000)).toBeUndefined();
  });

  it.each<[string, () => string]>([
    ['missing', () => ''],
    ['malformed', () => 'a.b'],
    ['modified', () => tokenOf(session, 'sessionUrl').replace(/^./, 'x')],
    ['truncated', () => tokenOf(session, 'sessionUrl').slice(0, -2)],
    ['for another session', () => tokenOf(foreign, 'sessionUrl')],
    ['for connecting', () => new URL(String(session['connectUrl'])).searchParams.get('token') ?? ''],
    [
      'signed with another secret',
      () =>
        new ViewTokens('guess').signView({
          sessionId: idOf(session),
          keyId: shared.key.slice(3, 19),
          expiresAt: Date.now() + 60_000,
          mayControl: true,
        }),
    ],
  ])('rejects a token that is %s', async (_what, token) => {
    const { status, whole } = await open(session, token());
    expect([status, whole]).toEqual([401, '']);
    expect(
      await refusalOf(liveOf(session), { headers: { cookie: `chauffeur_view=${token()}`, origin: origin() } }),
    ).toMatch(/^401 /);
  });

  it('does not admit CDP clients, and expires with its key', async () => {
    const url = new URL(String(session['connectUrl']));
    url.searchParams.set('token', tokenOf(session, 'debugUrl'));
    expect(await refusalOf(url.href)).toMatch(/^401 /);
    const scopes = ['sessions:read'] as const;
    const { row, text } = await shared.platform.keys.create({
      project: 'default',
      name: 'short',
      scopes,
      expiresAt: undefined,
    });
    const { body } = await shared.ask('GET', `/v1/sessions/${idOf(session)}`, { key: text });
    const { cookie } = await open(session, tokenOf(body, 'sessionUrl'));
    const path = `/v1/sessions/${idOf(session)}`;
    expect(await asked(path, { cookie })).toBe(200);
    await shared.platform.keys.revoke('default', row.id);
    expect(await asked(path, { cookie })).toBe(401);
  });
});

describe('signed-in user', () => {
  it('sees only the sessions of the project, and has only session scopes', async () => {
    const { status, whole, cookie } = await signIn(shared.key);
    expect(status).toBe(204);
    expect(whole).toMatch(/^chauffeur_sign_in=[^;]+; Path=\/v1; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect(whole).not.toContain(shared.key.slice(20));
    expect(await asked('/v1/sessions', { cookie })).toBe(200);
    expect(await asked(`/v1/sessions/${idOf(foreign)}`, { cookie })).toBe(404);
    expect(await asked('/v1/keys', { cookie })).toBe(403);
    expect(await refusalOf(liveOf(foreign), { headers: { cookie, origin: origin() } })).toMatch(/^404 /);
    const out = await shared.ask('POST', '/v1/sign-out', { key: '', headers: { origin: origin() } });
    expect(out.headers.get('set-cookie')).toMatch(/^chauffeur_sign_in=; Path=\/v1; Max-Age=0;/);
  });

  it('needs a valid key with a session scope', async () => {
    expect((await signIn('ck_0000000000000000.wrong')).status).toBe(401);
    const { text } = await shared.platform.keys.create({
      project: 'default',
      name: 'c',
      scopes: ['cache'],
      expiresAt: undefined,
    });
    expect((await signIn(text)).status).toBe(403);
  });
});

describe('another site in the same browser', () => {
  const evil = { origin: 'http://127.0.0.1:1' };

  it('cannot sign in, open links, read, change, or open sockets with the cookies', async () => {
    expect((await signIn(shared.key, evil)).status).toBe(403);
    expect((await signIn(shared.key, {})).status).toBe(403);
    expect((await open(session, tokenOf(session, 'sessionUrl'), evil)).status).toBe(403);
    const { cookie } = await signIn(shared.key);
    const path = `/v1/sessions/${idOf(session)}`;
    expect(await asked(path, { cookie, ...evil })).toBe(403);
    expect(await asked(path, { cookie, 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await asked(path, { cookie, 'sec-fetch-site': 'same-origin' })).toBe(200);
    for (const headers of [evil, {}] as Record<string, string>[]) {
      const body = { status: 'REQUEST_RELEASE' };
      expect((await shared.ask('POST', path, { key: '', headers: { cookie, ...headers }, body })).status).toBe(403);
      expect(await refusalOf(liveOf(session), { headers: { cookie, ...headers } })).toMatch(/^403 /);
    }
    expect(await refusalOf(liveOf(session), { headers: { cookie, origin: 'null' } })).toMatch(/^403 /);
  });

  it.each([
    ['evil.test', 403],
    ['localhost.evil.test', 403],
    ['127.0.0.1.evil.test', 403],
    ['localhost', 204],
    ['127.0.0.1', 204],
    ['[::1]', 204],
  ])('signs in only under loopback host names: %s gets %i', async (name, status) => {
    const { port } = new URL(origin());
    const host = `${name}:${port}`;
    const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
    const sent = http.request(`${origin()}/v1/sign-in`, { method: 'POST', headers });
    sent.end(JSON.stringify({ key: shared.key }));
    const [answer] = (await once(sent, 'response')) as [http.IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(status);
  });

  it('cannot frame or script the dashboard, which loads only its own resources', async () => {
    const response = await fetch(`${origin()}/sessions/${idOf(session)}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/https?:\/\/|<script(?![^>]*src=)|style=/);
  });
});

describe('live view socket', () => {
  it('rejects input from read-only viewers, and from others before they take over', async () => {
    const { cookie } = await open(session, tokenOf(session, 'sessionUrl'));
    const viewer = await listen(liveOf(session), { cookie, origin: origin() });
    expect(await viewer.next('hello')).toMatchObject({ mayControl: false });
    for (const request of [
      { type: 'take-over' },
      { type: 'text', text: 'x' },
      { type: 'navigate', url: 'about:blank' },
    ]) {
      viewer.socket.send(JSON.stringify(request));
      expect(await viewer.next('refused')).toMatchObject({ reason: expect.stringContaining('read-only') });
    }
    const worker = await listen(liveOf(session), { authorization: `Bearer ${shared.key}` });
    expect(await worker.next('hello')).toMatchObject({ mayControl: true });
    worker.socket.send(JSON.stringify({ type: 'text', text: 'x' }));
    expect(await worker.next('refused')).toMatchObject({ reason: 'Take over the browser first.' });
    for (const { socket } of [viewer, worker]) socket.terminate();
  });

  it('rejects non-web URLs of the operator, and input of clients during a takeover', async () => {
    const client = await connectRaw(String(session['connectUrl']));
    const worker = await listen(liveOf(session), { authorization: `Bearer ${shared.key}` });
    await worker.next('hello');
    worker.socket.send(JSON.stringify({ type: 'take-over' }));
    await worker.until('control', ({ holder }) => holder === 'you');
    for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:file:///etc/passwd']) {
      worker.socket.send(JSON.stringify({ type: 'navigate', url }));
      expect(await worker.next('refused')).toMatchObject({
        reason: expect.stringContaining('can only open web pages'),
      });
    }
    const refused = await client.command('Input.insertText', { text: 'late' });
    expect(refused.error?.message).toContain('An operator has taken over');
    expect((await client.command('Browser.getVersion')).result).toBeDefined();
    worker.socket.send(JSON.stringify({ type: 'hand-back' }));
    await worker.until('control', ({ holder }) => holder === 'driver');
    expect((await client.command('Target.createTarget', { url: 'about:blank' })).error).toBeUndefined();
    for (const { socket } of [client, worker]) socket.terminate();
  });

  it.each(['{', '[]', '{"type":"mouse"}', '{"type":"navigate","url":""}', '{"type":"take-over","extra":1}'])(
    'closes after the invalid message %s',
    async (message) => {
      const { socket } = await listen(liveOf(session), { authorization: `Bearer ${shared.key}` });
      const { promise, resolve } = Promise.withResolvers<number>();
      socket.on('close', resolve);
      socket.send(message);
      expect(await promise).toBe(4003);
    },
  );

  it('serves DevTools to users with control, only for pages of the session and DevTools files', async () => {
    const page = liveOf(session).replace('/live', '/devtools/page/');
    const { cookie } = await open(session, tokenOf(session, 'sessionUrl'));
    expect(await refusalOf(`${page}x`, { headers: { cookie, origin: origin() } })).toMatch(/^403 /);
    const bearer = { headers: { authorization: `Bearer ${shared.key}` } };
    expect(await refusalOf(`${page}x`, bearer)).toMatch(/^404 /);
    const client = await connectRaw(String(session['connectUrl']));
    const { result } = await client.command('Target.getTargets');
    const [target] = (result as unknown as { targetInfos: { targetId: string }[] }).targetInfos;
    const tools = new WebSocket(`${page}${target?.targetId}`, bearer);
    const said = Promise.withResolvers<string>();
    tools.on('open', () => tools.send('{"id":7,"method":"Runtime.evaluate","params":{"expression":"1 + 1"}}'));
    tools.on('message', (data) => said.resolve(String(data)));
    expect(JSON.parse(await said.promise)).toMatchObject({ id: 7, result: { result: { value: 2 } } });
    for (const socket of [client.socket, tools]) socket.terminate();
    const files = `/v1/sessions/${idOf(session)}/devtools`;
    const status = async (path: string): Promise<number> => (await shared.ask('GET', files + path)).status;
    expect(await status('/devtools_app.html')).toBe(200);
    expect(await asked(`${files}/devtools_app.html`, { cookie })).toBe(403);
    for (const path of ['/..%2fjson%2fversion', '/%2e%2e/json/version', '/x%00.html', '//json.html'])
      expect(await status(path), path).toBe(404);
  });
});

it.concurrent.each([
  ['is revoked', 'DELETE', ''],
  ['is replaced', 'POST', '/rotate'],
])('closes live view, DevTools and driver connections after their key %s', async (_what, method, path) => {
  const made = await shared.ask('POST', '/v1/keys', {
    body: { name: 'short', scopes: ['sessions:read', 'sessions:write'] },
  });
  const key = String(made.body['key']);
  const { body } = await shared.ask('GET', `/v1/sessions/${idOf(session)}`, { key });
  const driver = await connectRaw(String(body['connectUrl']));
  const { result } = await driver.command('Target.getTargets');
  const [target] = (result as unknown as { targetInfos: { targetId: string }[] }).targetInfos;
  const headers = { authorization: `Bearer ${key}` };
  const { socket: view } = await listen(liveOf(session), headers);
  const tools = new WebSocket(liveOf(session).replace('/live', `/devtools/page/${target?.targetId}`), { headers });
  await once(tools, 'open');
  const stays = await connectRaw(String(session['connectUrl']));
  const closed = [view, tools].map(async (socket) => Number((await once(socket, 'close'))[0]));
  const question = method === 'POST' ? { body: { overlap: 0 } } : {};
  const { status } = await shared.ask(method, `/v1/keys/${String(made.body['id'])}${path}`, question);
  expect(status).toBeLessThan(300);
  expect(await Promise.all([...closed, driver.closed.then(([code]) => code)])).toEqual([1008, 1008, 1008]);
  expect((await stays.command('Browser.getVersion')).result).toBeDefined();
  stays.socket.terminate();
});

interface Listening {
  readonly socket: WebSocket;
  /** Returns the next unread message of a type. */
  next(type: string): Promise<Record<string, unknown>>;
  until(type: string, fits: (news: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

/** Opens a live view and collects its messages. */
async function listen(url: string, headers: Record<string, string>): Promise<Listening> {
  const socket = new WebSocket(url, { headers });
  const told: Record<string, unknown>[] = [];
  let wake = Promise.withResolvers<void>();
  socket.on('message', (data, isBinary) => {
    if (!isBinary) told.push(JSON.parse(String(data)) as Record<string, unknown>);
    wake.resolve();
    wake = Promise.withResolvers();
  });
  await once(socket, 'open');
  const until: Listening['until'] = async (type, fits) => {
    for (;;) {
      const index = told.findIndex((news) => news['type'] === type && fits(news));
      if (index >= 0) return told.splice(index, 1)[0] ?? {};
      await wake.promise;
    }
  };
  return { socket, until, next: (type) => until(type, () => true) };
}
