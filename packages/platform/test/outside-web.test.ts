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

describe('a target outside the web', () => {
  it.each([
    EXTENSION,
    'chrome://version/',
    'devtools://devtools/x.html',
    'file:///etc/passwd',
    'chrome-untrusted://print',
  ])('of %s accepts no commands except resume and detach', (url) => {
    const guard = new TargetGuard();
    expect(guard.note(told('Target.attachedToTarget', 'S1', url))).toBeUndefined();
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S1' })).toBe(true);
    expect(guard.refuses({ method: 'Runtime.runIfWaitingForDebugger', sessionId: 'S1' })).toBe(false);
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S2' })).toBe(false);
    expect(guard.refuses({ method: 'Target.getTargets' })).toBe(false);
    guard.note(JSON.stringify({ method: 'Target.detachedFromTarget', params: { sessionId: 'S1' } }));
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S1' })).toBe(false);
  });

  it('is closed if a web tab was navigated there', () => {
    const guard = new TargetGuard();
    expect(guard.note(told('Target.attachedToTarget', 'S1', 'https://a.test/', 'page'))).toBeUndefined();
    expect(guard.refuses({ method: 'Page.captureScreenshot', sessionId: 'S1' })).toBe(false);
    expect(guard.note(told('Target.targetInfoChanged', '', 'file:///etc/passwd', 'page'))).toBe('T1');
    expect(guard.refuses({ method: 'Page.captureScreenshot', sessionId: 'S1' })).toBe(true);
    expect(guard.note(told('Target.targetCreated', '', 'file:///etc/passwd', 'page'))).toBe('T1');
  });

  it.each([
    '',
    'about:blank',
    'https://a.test/',
    'blob:https://a.test/1',
    'data:text/html,x',
    'chrome-error://chromewebdata/',
  ])('does not include %j', (url) => {
    const guard = new TargetGuard();
    guard.note(told('Target.attachedToTarget', 'S1', url, 'page'));
    expect(guard.refuses({ method: 'Runtime.evaluate', sessionId: 'S1' })).toBe(false);
  });
});

describe('the browser of a session', () => {
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

  it('downloads a PDF, so that the PDF viewer does not run', async () => {
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

  it('reveals no path of its machine in traces', async () => {
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
  ])('refuses %s', async (method) => {
    expect((await client.command(method)).error?.message).toBe(`${method} is not available on the platform.`);
  });

  it('gives DevTools no page outside the web', async () => {
    const page = `${shared.platform.url.replace('http', 'ws')}/v1/sessions/${String(session['id'])}/devtools/page/`;
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
