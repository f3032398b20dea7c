import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  Driver,
  type DriverOptions,
  DriverUnsupportedFeatureError,
  RemoteApiError,
  RemoteSessionNotFoundError,
} from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';

/** The browser that every service hands out. */
const shared = useBrowser();
const asked: Asked[] = [];
const services: AsyncDisposable[] = [];

interface Asked {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** What a service answers, by the line of the request; the status stands before the body. */
type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

beforeEach(() => {
  asked.splice(0);
});

afterAll(() => Promise.all(services.map((each) => each[Symbol.asyncDispose]())));

/** A server that answers as a service does. */
async function service(answers: Answers): Promise<string> {
  const paths = Object.keys(answers).map((line) => new URL(line.split(' ')[1] ?? '', 'http://service').pathname);
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const line = `${request.method} ${request.url}`;
    const body = await text(request);
    asked.push({ line, headers: request.headers, body: body === '' ? undefined : JSON.parse(body) });
    const [status, answer] = answers[line] ?? [404, { message: `no ${line}` }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const routes = paths.map((path) => [path, (...args: Parameters<typeof reply>) => void reply(...args)] as const);
  const server = await serve(Object.fromEntries(routes));
  services.push(server);
  return server.origin;
}

async function open(options: Partial<DriverOptions>): Promise<Driver> {
  const driver = new Driver({ env: 'REMOTE', apiKey: 'the key', disableLoggerBackend: true, ...options });
  await driver.init();
  return driver;
}

const lines = (): string[] => asked.map(({ line }) => line);

/** Works in the browser and says so by the title of the page. */
async function useIt(driver: Driver, title: string): Promise<void> {
  const page = await driver.context.newPage(shared.server.page(`/${title}`, `<title>${title}</title>`));
  expect(await page.title()).toBe(title);
  await page.close();
  expect(firstPage(driver)).toBeDefined();
}

describe('Browserbase', () => {
  const sessionAnswer = (): object => ({ id: 'bb-1', status: 'RUNNING', connectUrl: shared.driver.connectURL() });
  const debugAnswer = { debuggerUrl: 'https://bb.test/debug', debuggerFullscreenUrl: 'https://bb.test/full' };

  it('creates and releases a session with its own API', async () => {
    const remoteBaseURL = await service({
      'POST /v1/sessions': [201, { ...sessionAnswer(), projectId: 'p' }],
      'GET /v1/sessions/bb-1/debug': [200, debugAnswer],
      'POST /v1/sessions/bb-1': [200, {}],
    });
    const driver = await open({
      remoteService: 'browserbase',
      remoteBaseURL,
      remoteSessionCreateParams: {
        projectId: 'p',
        timeout: 90_500,
        viewport: { width: 800, height: 600 },
        metadata: { run: 'a' },
        proxy: { server: 'http://proxy:1', username: 'u' },
        browserSettings: { blockAds: true },
      },
    });
    expect([driver.remoteSessionID, driver.remoteSessionURL, driver.remoteDebugURL]).toEqual([
      'bb-1',
      'https://www.browserbase.com/sessions/bb-1',
      'https://bb.test/full',
    ]);
    await useIt(driver, 'browserbase');
    await driver.close();
    expect(lines()).toEqual(['POST /v1/sessions', 'GET /v1/sessions/bb-1/debug', 'POST /v1/sessions/bb-1']);
    expect(asked[0]?.headers).toMatchObject({ 'x-bb-api-key': 'the key' });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
    expect(asked.map(({ body }) => body)).toEqual([
      {
        projectId: 'p',
        timeout: 91,
        userMetadata: { run: 'a' },
        proxies: [{ type: 'external', server: 'http://proxy:1', username: 'u' }],
        browserSettings: { blockAds: true, viewport: { width: 800, height: 600 } },
      },
      undefined,
      { status: 'REQUEST_RELEASE', projectId: 'p' },
    ]);
  });

  it('resumes a session and keeps it with keepAlive', async () => {
    const remoteBaseURL = await service({ 'GET /v1/sessions/bb-1': [200, { ...sessionAnswer(), keepAlive: false }] });
    const options = { remoteService: 'browserbase', remoteBaseURL, remoteSessionID: 'bb-1' } as const;
    const driver = await open({ ...options, keepAlive: true });
    expect(driver.remoteDebugURL).toBeUndefined();
    await driver.close();
    expect(lines()).toEqual(['GET /v1/sessions/bb-1']);
  });

  it.each<[string, Answers]>([
    ['has ended', { 'GET /v1/sessions/bb-1': [200, { id: 'bb-1', status: 'COMPLETED' }] }],
    ['does not exist', { 'GET /v1/sessions/bb-1': [404, { message: 'Session not found' }] }],
  ])('rejects with RemoteSessionNotFoundError if the session %s', async (_what, answers) => {
    const remoteBaseURL = await service(answers);
    const failure = await failureOf(open({ remoteService: 'browserbase', remoteBaseURL, remoteSessionID: 'bb-1' }));
    expect(failure).toBeInstanceOf(RemoteSessionNotFoundError);
  });

  it('creates a session once and does not retry a 502', async () => {
    const remoteBaseURL = await service({ 'POST /v1/sessions': [502, { message: 'Bad gateway of theirs' }] });
    const failure = await failureOf(open({ remoteService: 'browserbase', remoteBaseURL }));
    expect(failure).toBeInstanceOf(RemoteApiError);
    expect(String(failure)).toContain('Browserbase rejected the request (502): Bad gateway of theirs');
    expect(lines()).toHaveLength(1);
  });
});

describe('Steel', () => {
  it('creates and releases a session with its own API', async () => {
    const told = {
      id: 'st-1',
      status: 'live',
      websocketUrl: shared.driver.connectURL(),
      debugUrl: 'https://steel.test/debug',
      sessionViewerUrl: 'https://steel.test/view',
    };
    const remoteBaseURL = await service({
      'POST /v1/sessions': [200, told],
      'GET /v1/sessions/st-1': [200, told],
      'POST /v1/sessions/st-1/release': [200, { success: true }],
    });
    const remoteSessionCreateParams = {
      timeout: 60_000,
      viewport: { width: 800, height: 600 },
      proxy: { server: 'proxy:1', username: 'u', password: 'p w' },
      blockAds: true,
    };
    const driver = await open({ remoteService: 'steel', remoteBaseURL, remoteSessionCreateParams });
    expect([driver.remoteSessionID, driver.remoteSessionURL, driver.remoteDebugURL]).toEqual([
      'st-1',
      'https://steel.test/view',
      'https://steel.test/debug',
    ]);
    expect(new URL(driver.connectURL()).searchParams.get('apiKey')).toBe('the key');
    await useIt(driver, 'steel');
    await driver.close();
    const resumed = await open({ remoteService: 'steel', remoteBaseURL, remoteSessionID: 'st-1' });
    await resumed.close();
    expect(lines()).toEqual([
      'POST /v1/sessions',
      'POST /v1/sessions/st-1/release',
      'GET /v1/sessions/st-1',
      'POST /v1/sessions/st-1/release',
    ]);
    expect(asked[0]?.headers).toMatchObject({ 'steel-api-key': 'the key' });
    expect(asked[0]?.body).toEqual({
      timeout: 60_000,
      dimensions: { width: 800, height: 600 },
      proxyUrl: 'http://u:p%20w@proxy:1',
      blockAds: true,
    });
  });
});

describe('Browserless', () => {
  it('creates and stops a session with its own API and keeps the key out of errors', async () => {
    const stop = 'https://elsewhere.test/session/bl-1?token=its%20own';
    const remoteBaseURL = await service({
      'POST /session?token=the%20key': [200, { id: 'bl-1', browserWSEndpoint: shared.driver.connectURL(), stop }],
      'DELETE /session/bl-1?token=its+own&force=true': [200, {}],
    });
    const driver = await open({
      remoteService: 'browserless',
      remoteBaseURL,
      remoteSessionCreateParams: { timeout: 60_000, stealth: true },
    });
    expect([driver.remoteSessionID, driver.remoteSessionURL, driver.remoteDebugURL]).toEqual([
      'bl-1',
      undefined,
      undefined,
    ]);
    expect(new URL(driver.connectURL()).searchParams.get('token')).toBe('the key');
    await useIt(driver, 'browserless');
    await driver.close();
    expect(lines()).toEqual(['POST /session?token=the%20key', 'DELETE /session/bl-1?token=its+own&force=true']);
    expect(asked[0]?.body).toEqual({ ttl: 60_000, stealth: true });
    const failure = await failureOf(open({ remoteService: 'browserless', remoteBaseURL, remoteSessionID: 'bl-1' }));
    expect(failure).toBeInstanceOf(RemoteSessionNotFoundError);
    const refused = await failureOf(
      open({ remoteService: 'browserless', remoteBaseURL, apiKey: 'other key', remoteSessionCreateParams: {} }),
    );
    expect(String(refused)).not.toMatch(/other.key/);
  });
});

describe('plain DevTools URL', () => {
  it.each([
    ['a WebSocket URL', (socket: string) => socket],
    ['an HTTP URL', (socket: string) => `http://${new URL(socket).host}`],
  ])('works with %s without a key, and leaves the browser running', async (_what, address) => {
    const driver = await open({
      remoteService: 'cdp',
      remoteBaseURL: address(shared.driver.connectURL()),
      apiKey: '',
    });
    await useIt(driver, 'bare');
    await driver.close();
    expect(await shared.page.evaluate('1 + 1')).toBe(2);
  });

  it('rejects session parameters and session ids', async () => {
    const bare = { remoteService: 'cdp', remoteBaseURL: shared.driver.connectURL() } as const;
    expect(String(await failureOf(open({ ...bare, remoteSessionCreateParams: { stealth: true } })))).toContain(
      'does not support the session parameters stealth',
    );
    expect(await failureOf(open({ ...bare, remoteSessionID: 'x' }))).toBeInstanceOf(RemoteSessionNotFoundError);
    expect(String(await failureOf(open({ remoteService: 'cdp' })))).toContain(
      "remoteService 'cdp' needs a DevTools URL",
    );
  });

  it('cannot fetch downloads, and says why', async () => {
    const driver = await open({ remoteService: 'cdp', remoteBaseURL: shared.driver.connectURL() });
    const page = await driver.context.newPage(
      shared.server.page('/export', '<title>Export</title><a download="orders.csv" href="data:text/csv,1">Export</a>'),
    );
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('a').click()]);
    const error = (await failureOf(download.path())) as Error;
    await page.close();
    await driver.close();
    expect(error.message).toContain('the location of its files is unknown. Start it again.');
    expect(error.cause).toBeInstanceOf(DriverUnsupportedFeatureError);
  });
});
