import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPlatform } from '../../../platform/src/platform.ts';
import { connectRaw } from '../../../platform/test/support/raw-client.ts';
import { FOR_TESTS, usePlatform } from '../../../platform/test/support/use-platform.ts';
import {
  Driver,
  DriverClosedError,
  type DriverOptions,
  type LogLine,
  RemoteApiError,
  RemoteSessionNotFoundError,
} from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { runProgram } from '../support/run-program.ts';
import { serve, type TestServer } from '../support/serve.ts';

const shared = usePlatform({ allowNetworks: ['127.0.0.1'], capacity: 4, grace: 500 });
const SHOP = `<title>Shop</title><p>Cart: empty</p>
  <button onclick="document.querySelector('p').textContent = 'Cart: one mug'">Buy the mug</button>
  <a href="/report" download="report.txt">Report</a>
  <input type="file" onchange="this.files[0].text().then((text) => (document.title = text))">`;
let server: TestServer;

beforeAll(async () => {
  server = await serve({ '/': SHOP, '/report': 'the report' });
});

afterAll(() => server?.close());

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Made {
  readonly driver: Driver;
  readonly lines: readonly LogLine[];
}

/** A driver on the platform; its session ends with the test. */
function make(options: Partial<DriverOptions> = {}): Made {
  const lines: LogLine[] = [];
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    model: 'offline/lexical',
    logger: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(async () => {
    await driver.close();
    await release(driver.remoteSessionID ?? 'none');
  });
  return { driver, lines };
}

async function opened(options: Partial<DriverOptions> = {}): Promise<Made> {
  const made = make(options);
  await made.driver.init();
  return made;
}

async function release(id: string): Promise<void> {
  await shared.ask('POST', `/v1/sessions/${id}`, { body: { status: 'REQUEST_RELEASE' } });
}

async function sessionOf(id: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  return (await shared.ask('GET', `/v1/sessions/${id}`)).body;
}

describe('driver on the platform', () => {
  it('passes an argument of 17 MB to a function in the page', async () => {
    const { driver } = make();
    await driver.init();
    const text = 'x'.repeat(17 * 1024 * 1024);
    const page = firstPage(driver);
    expect(await page.evaluate((given: string) => given.length, text)).toBe(text.length);
    expect(await page.evaluate((given) => given.size, new Set([text]))).toBe(1);
    expect(await page.evaluate('1 + 1')).toBe(2);
  });

  // [spec: driver-options.apiKey, authentication.wire]
  it('creates a session, works in it, and releases it', async () => {
    const { driver, lines } = make();
    const names = (): unknown[] => [driver.remoteSessionID, driver.remoteSessionURL, driver.remoteDebugURL];
    expect(names()).toEqual([undefined, undefined, undefined]);
    await driver.init();
    expect(driver.context.pages()).toHaveLength(1);
    const page = firstPage(driver);
    await page.goto(server.origin);
    expect(await driver.act('buy the mug')).toMatchObject({ success: true, effect: 'changed' });
    expect((await page.snapshot()).text).toContain('one mug');
    const id = driver.remoteSessionID;
    const pageUrl = `${shared.platform.url}/sessions/${id}`;
    expect(names()).toEqual([
      expect.any(String),
      expect.stringContaining(`${pageUrl}#view=`),
      expect.stringContaining(`${pageUrl}/debug#view=`),
    ]);
    expect(lines.map(({ auxiliary }) => JSON.stringify(auxiliary)).join()).not.toContain('view=');
    expect(await sessionOf(id)).toMatchObject({ status: 'RUNNING' });
    await driver.close();
    expect(await sessionOf(id)).toMatchObject({ status: 'COMPLETED', endReason: 'The session was released.' });
    expect(lines.at(-1)?.message).toBe(`Released remote session ${id}.`);
    expect(JSON.stringify(lines)).not.toContain(shared.key.slice(-20));
    expect(JSON.stringify(lines)).not.toContain('token=');
    await expect(driver.act('buy the mug')).rejects.toThrow('driver.act needs a browser');
  });

  // [spec: driver-options.remoteSessionCreateParams, other-types.session-create-params, authentication.platform-key]
  it('sends session parameters, reads key and URL from the environment, and transfers files', async () => {
    vi.stubEnv('REMOTE_API_KEY', shared.key);
    vi.stubEnv('REMOTE_API_URL', `${shared.platform.url}/`);
    const driver = new Driver({
      env: 'REMOTE',
      disableLoggerBackend: true,
      remoteSessionCreateParams: {
        viewport: { width: 700, height: 500 },
        userAgent: 'Tester/1.0 --no-sandbox "quoted"',
        metadata: { run: 7 },
        timeout: 60_000,
      },
    });
    onTestFinished(() => driver.close());
    await driver.init();
    const page = firstPage(driver);
    await page.goto(server.origin);
    expect(await page.evaluate('[innerWidth, innerHeight, navigator.userAgent]')).toEqual([
      700,
      500,
      'Tester/1.0 --no-sandbox "quoted"',
    ]);
    const session = await sessionOf(driver.remoteSessionID);
    expect(session).toMatchObject({ metadata: { run: 7 } });
    expect(Date.parse(String(session['expiresAt']))).toBeLessThanOrEqual(Date.now() + 60_000);
    const file = join(tmpdir(), 'note.txt');
    await writeFile(file, 'from here');
    await page.locator('input').setInputFiles(file);
    await page.waitForFunction("document.title === 'from here'");
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('a').click()]);
    const saved = join(tmpdir(), 'saved', 'report.txt');
    await download.saveAs(saved);
    expect(await readFile(saved, 'utf8')).toBe('the report');
  });

  it('prefers `apiKey` to REMOTE_API_KEY', async () => {
    vi.stubEnv('REMOTE_API_KEY', shared.key);
    const failure = await failureOf(make({ apiKey: 'ck_wrong' }).driver.init());
    expect(failure).toBeInstanceOf(RemoteApiError);
    expect(failure).toMatchObject({ status: 401, requestId: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  it.each([
    [{ args: ['--no-sandbox'] }, 'args'],
    [{ executablePath: '/bin/sh' }, 'executablePath'],
    [{ viewport: { width: 0, height: 1 } }, 'viewport.width'],
    [{ userAgent: 'a\nb' }, 'userAgent'],
  ])('rejects %j', async (remoteSessionCreateParams, place) => {
    const failure = await failureOf(make({ remoteSessionCreateParams }).driver.init());
    expect(failure).toBeInstanceOf(RemoteApiError);
    expect(failure).toMatchObject({ status: 400 });
    expect(String(failure)).toContain(place);
  });

  it('reports why another client ended its session', async () => {
    const { driver } = await opened();
    const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
    await release(driver.remoteSessionID ?? '');
    const failure = await waiting;
    expect(failure).toBeInstanceOf(DriverClosedError);
    expect(String(failure)).toContain('The session was released.');
    await driver.close();
  });
});

describe('keepAlive', () => {
  // [spec: driver-options.remoteSessionID, states.remote-reconnect]
  it('keeps the session for a later driver with the same id and pages', async () => {
    const { driver: first } = await opened({ keepAlive: true, remoteSessionCreateParams: { keepAlive: false } });
    await firstPage(first).goto(server.origin);
    await firstPage(first).evaluate('void (window.kept = 42)');
    await first.close();
    const id = first.remoteSessionID ?? '';
    expect(await sessionOf(id)).toMatchObject({ status: 'RUNNING', keepAlive: true });

    const { driver: second } = await opened({ remoteSessionID: id });
    expect(second.remoteSessionID).toBe(id);
    expect(await firstPage(second).evaluate('window.kept')).toBe(42);
    await second.close();
    expect(await sessionOf(id)).toMatchObject({ status: 'RUNNING' });

    const { driver: last } = await opened({ remoteSessionID: id, keepAlive: false });
    expect(await firstPage(last).evaluate('window.kept')).toBe(42);
    await last.close();
    expect(await sessionOf(id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('with false ends the session after its resuming driver leaves, not before it connects', async () => {
    await using hasty = await startPlatform({ ...FOR_TESTS, egressPort: 0, grace: 1 });
    const access = { remoteBaseURL: hasty.url, apiKey: hasty.firstKey ?? '' };
    const { driver: first } = await opened({ ...access, keepAlive: true });
    await first.close();
    const remoteSessionID = first.remoteSessionID ?? '';
    const { driver: last } = await opened({ ...access, remoteSessionID, keepAlive: false });
    expect(await firstPage(last).evaluate('1 + 1')).toBe(2);
    const row = hasty.sessionManager.live.get(remoteSessionID)?.row;
    expect(row).toMatchObject({ status: 'RUNNING', keepAlive: false });
    await last.close();
    expect(await hasty.store.session(remoteSessionID)).toMatchObject({ status: 'COMPLETED' });
  });

  it('stays unchanged if a driver cannot connect', async () => {
    const { driver: first } = await opened({ keepAlive: true });
    await first.close();
    const id = first.remoteSessionID ?? '';
    const { connectUrl } = await sessionOf(id);
    const clients = await Promise.all(Array.from({ length: 10 }, () => connectRaw(String(connectUrl))));
    const failure = await failureOf(make({ remoteSessionID: id, keepAlive: false }).driver.init());
    expect(String(failure)).toContain('Unexpected server response: 429');
    for (const { socket } of clients) socket.close();
    expect(await sessionOf(id)).toMatchObject({ status: 'RUNNING', keepAlive: true });
    await release(id);
  });

  it('with false overrides the session parameters', async () => {
    const { driver } = await opened({ keepAlive: false, remoteSessionCreateParams: { keepAlive: true } });
    await driver.close();
    expect(await sessionOf(driver.remoteSessionID)).toMatchObject({ status: 'COMPLETED', keepAlive: false });
  });

  it('decides whether a session survives its killed process', async () => {
    const script = new URL('./programs/hold-sessions.ts', import.meta.url);
    await using program = runProgram(script, [shared.platform.url, shared.key]);
    const [, kept, ended] = (await program.lineWith('sessions ')).split(' ');
    await program.kill();
    await vi.waitFor(async () => expect(await sessionOf(ended)).toMatchObject({ status: 'COMPLETED' }), 10_000);
    expect(await sessionOf(kept)).toMatchObject({ status: 'RUNNING' });
    await release(kept ?? '');
  });
});

describe('session that cannot be resumed', () => {
  // [spec: errors.RemoteSessionNotFoundError]
  it('throws the same error whether it does not exist or belongs to another project', async () => {
    const { text: apiKey } = await shared.platform.keys.create({
      project: 'other',
      name: 'other',
      scopes: ['sessions:read', 'sessions:write'],
      expiresAt: undefined,
    });
    const { driver } = await opened();
    const foreign = driver.remoteSessionID ?? '';
    const wrong = [foreign, 'a7b9b0d6-9a0b-4f9c-8f0a-2d1b1c1d1e1f', 'no id', '../keys', 'x'.repeat(300)];
    const messages: string[] = [];
    for (const remoteSessionID of wrong) {
      const failure = await failureOf(make({ apiKey, remoteSessionID }).driver.init());
      expect(failure).toBeInstanceOf(RemoteSessionNotFoundError);
      messages.push(String(failure).replace(remoteSessionID, 'ID'));
    }
    expect(new Set(messages).size).toBe(1);
    expect(await sessionOf(foreign)).toMatchObject({ status: 'RUNNING' });
    await driver.close();
    const ended = await failureOf(make({ remoteSessionID: foreign }).driver.init());
    expect(ended).toBeInstanceOf(RemoteSessionNotFoundError);
    expect(String(ended)).toContain('has ended (The session was released.)');
  });
});
