import { once } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { withoutTracePaths } from '../src/gateway/trace-paths.ts';
import { TargetGuard } from '../src/gateway/target-guard.ts';
import { connectRaw, type RawClient, refusalOf } from './support/raw-client.ts';
import { usePlatform } from './support/use-platform.ts';

const EXTENSION = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html';

function told(method: string, sessionId: string, url: string, type = 'iframe'): string {
  return JSON.stringify({ method, params: { sessionId, targetInfo: { targetId: 'T1', type, url } } });
}

const NONE = { isEmpty: true, has: () => false };

describe('TargetGuard', () => {
  it.each([
    EXTENSION,
    'chrome://version/',
    'devtools://devtools/x.html',
    'file:///etc/passwd',
    'chrome-untrusted://print',
  ])('refuses commands except resume to a target at %s until it detaches', (url) => {
    const guard = new TargetGuard(NONE);
    guard.note(told('Target.attachedToTarget', 'S1', url));
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S1' })).toBe(true);
    expect(guard.refuses({ method: 'Runtime.runIfWaitingForDebugger', sessionId: 'S1' })).toBe(false);
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S2' })).toBe(false);
    expect(guard.refuses({ method: 'Target.getTargets' })).toBe(false);
    guard.note(JSON.stringify({ method: 'Target.detachedFromTarget', params: { sessionId: 'S1' } }));
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S1' })).toBe(false);
  });

  it('refuses commands to a tab that left the web, even if only the platform observed it', () => {
    const known = new Set<string>();
    const outside = { isEmpty: false, has: (target: string) => known.has(target) };
    const guard = new TargetGuard(outside);
    const photo = { method: 'Page.captureScreenshot', sessionId: 'S1' };
    guard.note(told('Target.attachedToTarget', 'S1', 'https://a.test/', 'page'));
    expect(guard.refuses(photo)).toBe(false);
    known.add('T1');
    expect(guard.refuses(photo)).toBe(true);
    known.delete('T1');
    expect(guard.refuses(photo)).toBe(false);
    guard.note(told('Target.targetInfoChanged', '', 'file:///etc/passwd', 'page'));
    expect(guard.refuses(photo)).toBe(true);
  });

  it.each<[string, object, string]>([
    ['drops an event of a non-web target', { method: 'Runtime.consoleAPICalled', sessionId: 'S1' }, 'dropped'],
    ['refuses a reply with content of a non-web target', { id: 1, result: { data: 'x' }, sessionId: 'S1' }, 'refused'],
    ['passes an empty reply of a non-web target', { id: 1, result: {}, sessionId: 'S1' }, 'passed'],
    ['passes an error of a non-web target', { id: 1, error: { code: 1, message: 'x' }, sessionId: 'S1' }, 'passed'],
    ['passes the detach event of a non-web target', { method: 'Target.detachedFromTarget', sessionId: 'S1' }, 'passed'],
    ['passes an event of another target', { method: 'Runtime.consoleAPICalled', sessionId: 'S2' }, 'passed'],
    ['passes a reply of the browser', { id: 1, result: { data: 'x' } }, 'passed'],
  ])('%s', (_name, message, fate) => {
    const guard = new TargetGuard(NONE);
    guard.note(told('Target.attachedToTarget', 'S2', 'https://a.test/', 'page'));
    guard.note(told('Target.attachedToTarget', 'S1', EXTENSION).replace('T1', 'T2'));
    const text = JSON.stringify(message);
    const fates = { dropped: undefined, passed: text, refused: expect.stringContaining('"error"') as unknown };
    expect(guard.visible(text)).toEqual(fates[fate as keyof typeof fates]);
  });

  it.each([
    '',
    'about:blank',
    'https://a.test/',
    'blob:https://a.test/1',
    'data:text/html,x',
    'chrome-error://chromewebdata/',
  ])('accepts commands to a target at %j', (url) => {
    const guard = new TargetGuard(NONE);
    guard.note(told('Target.attachedToTarget', 'S1', url, 'page'));
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S1' })).toBe(false);
  });
});

describe('browser of a session', () => {
  // The headless shell, which most tests use, has no PDF viewer.
  const shared = usePlatform(() => {
    vi.stubEnv('CHROME_PATH', undefined);
    return { capacity: 1 };
  });
  let session: Readonly<Record<string, unknown>>;
  let client: RawClient;

  beforeAll(async () => {
    session = (await shared.ask('POST', '/v1/sessions', { body: {} })).body;
    client = await connectRaw(String(session['connectUrl']));
  });
  afterAll(() => {
    client?.socket.close();
    vi.unstubAllEnvs();
  });

  interface Target {
    readonly targetId: string;
    readonly url: string;
  }

  async function targets(): Promise<readonly Target[]> {
    const { result } = await client.command('Target.getTargets', { filter: [{}] });
    return (result as unknown as { targetInfos: readonly Target[] }).targetInfos;
  }

  it('downloads a PDF instead of opening the PDF viewer', async () => {
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF').toString(
      'base64',
    );
    const begun = Promise.withResolvers<string>();
    client.socket.on('message', (data) => {
      const { method, params } = JSON.parse(String(data)) as { method?: string; params?: { url?: string } };
      if (method === 'Browser.downloadWillBegin') begun.resolve(params?.url ?? '');
    });
    await client.command('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/x', eventsEnabled: true });
    await client.command('Target.createTarget', { url: `data:application/pdf;base64,${pdf}` });
    expect(await begun.promise).toMatch(/^data:application\/pdf/);
    expect((await targets()).filter(({ url }) => url.startsWith('chrome-extension:'))).toEqual([]);
  });

  it('removes paths from trace events', () => {
    const opened = { name: 'Database', args: { path: '/data2/p1/Default/Trust Tokens', folder: '/home/ada/x "y"' } };
    const event = (value: unknown): string => JSON.stringify({ method: 'Tracing.dataCollected', params: { value } });
    expect(withoutTracePaths(event([opened, { url: 'https://a.test/usr/x' }]), '/data2/p1/downloads')).toBe(
      event([
        { name: 'Database', args: { path: '…/Default/Trust Tokens', folder: '…' } },
        { url: 'https://a.test/usr/x' },
      ]),
    );
    const other = JSON.stringify({ method: 'Log.entryAdded', params: { text: '/home/ada' } });
    expect(withoutTracePaths(other, '/data2/p1/downloads')).toBe(other);
  });

  it('keeps the paths of its machine out of traces', async () => {
    const parts: string[] = [];
    const complete = Promise.withResolvers<void>();
    client.socket.on('message', (data) => {
      const message = String(data);
      if (message.startsWith('{"method":"Tracing.dataCollected"')) parts.push(message);
      if (message.startsWith('{"method":"Tracing.tracingComplete"')) complete.resolve();
    });
    const everything = { includedCategories: ['*', 'disabled-by-default-*'] };
    for (const params of [
      { transferMode: 'ReturnAsStream' },
      { transferMode: 'ReturnAsStream', streamFormat: 'proto' },
      { perfettoConfig: '' },
      { tracingBackend: 'system' },
    ])
      expect((await client.command('Tracing.start', params)).error?.message).toMatch(
        /only accepts transferMode 'ReportEvents'.*command line and paths.*Tracing.dataCollected instead/,
      );
    expect((await client.command('Tracing.start', { traceConfig: everything })).result).toBeDefined();
    await client.command('Target.createTarget', {
      url: 'data:text/html,<script>navigator.storage.estimate()</script>',
    });
    await client.command('Tracing.end');
    await complete.promise;
    const text = parts.join('');
    expect(text.length).toBeGreaterThan(10_000);
    const { browser } = shared.platform.sessionManager.live.get(String(session['id'])) ?? {};
    const profile = dirname(browser?.downloads ?? '');
    expect(profile).toContain('chauffeur-profile');
    for (const path of [profile, `${tmpdir()}/`, '/usr/', `${homedir()}/`]) expect(text.split(path)).toHaveLength(1);
    for (const part of parts) expect(JSON.parse(part)).toHaveProperty('params.value');
  });

  it.each([
    'SystemInfo.getInfo',
    'SystemInfo.getProcessInfo',
    'Browser.getBrowserCommandLine',
    'Memory.getBrowserSamplingProfile',
    'Memory.getAllTimeSamplingProfile',
  ])('rejects the command %s', async (method) => {
    expect((await client.command(method)).error?.message).toBe(`${method} is not available on the platform.`);
  });

  const socketOf = (path: string): string =>
    `${shared.platform.url.replace('http', 'ws')}/v1/sessions/${String(session['id'])}/${path}`;

  // Chromium blocks the extension's page, but the tab is at its address.
  const leaving = `data:text/html,<script>location = '${EXTENSION}'</script>`;

  it.each<[string, (targetId: string) => Promise<WebSocket>]>([
    ['a client without target discovery', async (targetId) => goBy(String(session['connectUrl']), targetId)],
    ['DevTools', async (targetId) => goBy(socketOf(`devtools/page/${targetId}`))],
    ['a live view', operate],
  ])('closes a tab that %s navigates to a non-web URL', async (_name, go) => {
    const { browser } = shared.platform.sessionManager.live.get(String(session['id'])) ?? {};
    const witness = await connectRaw(browser?.url ?? '');
    const closed = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { result } = await witness.command('Target.createTarget', { url: 'about:blank' });
    const targetId = String(result?.['targetId']);
    witness.socket.on('message', (data) => {
      const { method, params } = JSON.parse(String(data)) as { method?: string; params?: Target };
      if (method === 'Target.targetDestroyed') closed.add(params?.targetId ?? '');
      if (closed.has(targetId)) resolve();
    });
    await witness.command('Target.setDiscoverTargets', { discover: true });
    const socket = await go(targetId);
    await promise;
    expect([...closed]).toContain(targetId);
    socket.close();
    witness.socket.close();
  });

  async function open(url: string): Promise<WebSocket> {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${shared.key}` } });
    await once(socket, 'open');
    return socket;
  }

  async function goBy(url: string, targetId?: string): Promise<WebSocket> {
    const socket = await open(url);
    const attached = Promise.withResolvers<string | undefined>();
    socket.on('message', (data) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { sessionId: string } };
      if (id === 1) attached.resolve(result?.sessionId);
    });
    if (targetId === undefined) attached.resolve(undefined);
    else socket.send(JSON.stringify({ id: 1, method: 'Target.attachToTarget', params: { targetId, flatten: true } }));
    const sessionId = await attached.promise;
    socket.send(JSON.stringify({ id: 2, method: 'Page.navigate', params: { url: leaving }, sessionId }));
    return socket;
  }

  async function operate(targetId: string): Promise<WebSocket> {
    const socket = await open(socketOf('live'));
    const { promise: shown, resolve: show } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    socket.on('message', (data, isBinary) => {
      if (isBinary) return;
      const news = JSON.parse(String(data)) as { type: string; shown?: string; holder?: string };
      if (news.type === 'tabs' && news.shown === targetId) show();
      if (news.holder === 'you') hold();
    });
    for (const request of [{ type: 'show', tab: targetId }, { type: 'take-over' }])
      socket.send(JSON.stringify(request));
    await Promise.all([shown, held]);
    socket.send(JSON.stringify({ type: 'navigate', url: leaving }));
    return socket;
  }

  it('opens DevTools only for web pages', async () => {
    const page = socketOf('devtools/page/');
    const [blank] = (await targets()).filter(({ url }) => url === 'about:blank');
    const headers = { authorization: `Bearer ${shared.key}` };
    const tools = new WebSocket(`${page}${blank?.targetId}`, { headers });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    tools.on('open', () => resolve(true));
    tools.on('error', () => resolve(false));
    expect(await promise).toBe(true);
    tools.terminate();
    expect(await refusalOf(`${page}none`, { headers })).toMatch(/^404 /);
  });
});
