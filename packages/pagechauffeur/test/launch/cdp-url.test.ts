import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Driver,
  DriverInitError,
  DriverInvalidArgumentError,
  type DriverOptions,
  type LocalBrowserLaunchOptions,
} from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { isRunning, processesWith } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let owner: LaunchedDriver;
let socket: URL;

beforeAll(async () => {
  server = await serve({
    '/': `<title>Kept</title><input value="typed"><div style="height: 4000px"></div>`,
  });
  owner = await launchedDriver({ viewport: { width: 700, height: 500 } });
  socket = new URL(owner.driver.connectURL());
  await owner.page.goto(server.origin);
});

afterAll(async () => {
  await owner?.driver.close();
  await server?.close();
});

function attached(
  cdpUrl: string,
  launch: LocalBrowserLaunchOptions = {},
  options: Partial<DriverOptions> = {},
): Driver {
  return new Driver({
    env: 'LOCAL',
    disableLoggerBackend: true,
    localBrowserLaunchOptions: { cdpUrl, ...launch },
    ...options,
  });
}

async function failureOfAttach(cdpUrl: string, launch: LocalBrowserLaunchOptions = {}): Promise<unknown> {
  const driver = attached(cdpUrl, launch);
  const failure = await failureOf(driver.init());
  await driver.close();
  return failure;
}

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

async function targets(): Promise<TargetInfo[]> {
  const { targetInfos } = (await owner.page.sendCDP('Target.getTargets')) as { targetInfos: TargetInfo[] };
  return targetInfos;
}

describe('cdpUrl', () => {
  // [spec: launch-options.cdpUrl]
  it.each([
    ['the WebSocket URL', () => socket.href],
    ['a ws: URL without a path', () => `ws://${socket.host}`],
    ['a ws: URL with a slash', () => `ws://${socket.host}/`],
    ['an http: URL without a path', () => `http://${socket.host}`],
    ['an http: URL with a slash', () => `http://${socket.host}/`],
    ['an http: URL in capitals', () => `HTTP://${socket.host}`],
    ['the URL of /json/version', () => `http://${socket.host}/json/version`],
    ['localhost instead of the IP address', () => `http://localhost:${socket.port}`],
  ])('accepts %s', async (_what, cdpUrl) => {
    await using driver = attached(cdpUrl());
    await driver.init();
    expect(new URL(driver.connectURL()).pathname).toBe(socket.pathname);
    expect(await firstPage(driver).title()).toBe('Kept');
  });

  it.each([
    ['a wrong path', () => `ws://${socket.host}/devtools/browser/wrong`, /Cannot connect to DevTools .*404/],
    [
      'the WebSocket URL of a page',
      () => `ws://${socket.host}/devtools/page/${owner.page.targetId()}`,
      /WebSocket URL of a single page/,
    ],
    [
      'http: with a wrong path',
      () => `http://${socket.host}/elsewhere`,
      /\/elsewhere\/json\/version responded with 404/,
    ],
    ['https: without TLS', () => `https://${socket.host}`, /No browser responded at https:/],
    ['wss: without TLS', () => `wss://${socket.host}`, /Cannot connect to DevTools at wss:/],
    ['a port without a listener', () => 'http://127.0.0.1:9', /Start one with --remote-debugging-port/],
    ['a host that does not exist', () => 'ws://no-such-host.invalid:9222/x', /Check that a browser is listening there/],
  ])('rejects %s', async (_what, cdpUrl, sentence) => {
    const before = await targets();
    const failure = await failureOfAttach(cdpUrl());
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(String(failure)).toMatch(sentence);
    expect(await targets()).toEqual(before);
  });

  it.each(['localhost:9222', 'http://', 'http://[', 'ws://', 'file:///etc/passwd', ''])(
    'rejects %j in the constructor',
    (cdpUrl) => {
      expect(() => attached(cdpUrl)).toThrow(DriverInvalidArgumentError);
      expect(() => attached(cdpUrl)).toThrow(/localBrowserLaunchOptions\.cdpUrl must be a URL such as "ws:/);
    },
  );

  it('rejects a server that is not a browser', async () => {
    await using program = await startInspectedProgram();
    const byHttp = await failureOfAttach(`http://${new URL(program.address).host}`);
    const bySocket = await failureOfAttach(program.address);
    expect(String(byHttp)).toContain(
      'returned no DevTools WebSocket URL. Check that a Chromium browser listens there.',
    );
    expect(bySocket).toBeInstanceOf(DriverInitError);
    expect(String(bySocket)).toContain('Check that a Chromium browser listens there.');
  });
});

/** A Node.js that speaks the protocol of its inspector. It is one of its own: opening the inspector here can end this process. */
async function startInspectedProgram(): Promise<AsyncDisposable & { address: string }> {
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', '--eval', 'setInterval(() => {}, 1_000)']);
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  const ended = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { address: /ws:\S+/.exec(said)?.[0] ?? '', [Symbol.asyncDispose]: end };
}

/** A server before a browser that lets in who knows the word, and notes what it was asked with. */
async function startGate(word: string): Promise<AsyncDisposable & { url: string; asked: string[] }> {
  const asked: string[] = [];
  const isLetIn = ({ headers, url }: IncomingMessage): boolean => {
    asked.push(`${url} ${String(headers['x-word'])}`);
    return headers['x-word'] === word;
  };
  const gate = createServer((request, response) => {
    if (!isLetIn(request)) return void response.writeHead(403).end('no');
    const { host = '' } = request.headers;
    const inner = httpRequest({ port: socket.port, path: request.url?.replace('/room', ''), headers: { host } });
    inner.on('response', (answer) => answer.pipe(response));
    inner.end();
  });
  gate.on('upgrade', (request, client) => {
    if (!isLetIn(request)) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const browser = connect(Number(socket.port), '127.0.0.1');
    const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
    browser.write([`GET ${request.url} HTTP/1.1`, ...head, '', ''].join('\r\n'));
    client.pipe(browser).pipe(client);
    client.on('error', () => browser.destroy());
    browser.on('error', () => client.destroy());
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const end = async (): Promise<void> => {
    gate.closeAllConnections();
    gate.close();
    await once(gate, 'close');
  };
  return { url: `127.0.0.1:${(gate.address() as AddressInfo).port}`, asked, [Symbol.asyncDispose]: end };
}

describe('cdpHeaders', () => {
  it('sends the headers with the version request and the WebSocket handshake', async () => {
    await using gate = await startGate('sesame');
    {
      await using driver = attached(`http://${gate.url}/room?key=1`, { cdpHeaders: { 'X-Word': 'sesame' } });
      await driver.init();
      expect(await firstPage(driver).title()).toBe('Kept');
    }
    expect(gate.asked).toEqual([`/room/json/version?key=1 sesame`, `${socket.pathname} sesame`]);
  });

  it('reports the server response if headers are missing or wrong', async () => {
    await using gate = await startGate('sesame');
    expect(String(await failureOfAttach(`http://${gate.url}`))).toContain('responded with 403 Forbidden');
    const failure = await failureOfAttach(`ws://${gate.url}${socket.pathname}`, { cdpHeaders: { 'x-word': 'open' } });
    expect(String(failure)).toContain('Unexpected server response: 403');
  });
});

describe('attached browser', () => {
  it('keeps its targets and page state after close()', async () => {
    await owner.page.evaluate('scrollTo(0, 1200); document.querySelector("input").value = "half done"; 0');
    const state = `[innerWidth, innerHeight, scrollY, document.querySelector('input').value, location.href]`;
    const before = { state: await owner.page.evaluate(state), targets: await targets() };
    const driver = attached(socket.href);
    await driver.init();
    expect(await firstPage(driver).evaluate(state)).toEqual(before.state);
    await driver.observe();
    await driver.close();
    await expect.poll(() => owner.page.evaluate(state)).toEqual(before.state);
    expect(await targets()).toEqual(before.targets);
  });

  it.each([{}, { force: true }])('survives close(%j)', async (options) => {
    const driver = attached(socket.href);
    await driver.init();
    await driver.close(options);
    expect(isRunning(owner.browser)).toBe(true);
    expect(await owner.page.title()).toBe('Kept');
  });

  it('survives an abort of the driver, with the pages the driver opened', async () => {
    const controller = new AbortController();
    const driver = attached(socket.href, {}, { signal: controller.signal });
    await driver.init();
    await driver.context.newPage(`${server.origin}/?opened`);
    controller.abort();
    await driver.close();
    const opened = owner.driver.context.pages().find((page) => page.url().endsWith('?opened'));
    expect(await opened?.title()).toBe('Kept');
    await opened?.close();
  });

  it('ignores the launch options of an attached driver', async () => {
    const driver = attached(socket.href, {
      args: ['--user-agent=Mine'],
      userDataDir: '/proc/nowhere',
      headless: false,
    });
    await driver.init();
    expect(await firstPage(driver).evaluate('navigator.userAgent')).not.toBe('Mine');
    expect(processesWith('--user-agent=Mine')).toEqual([]);
    await driver.close();
  });

  it('shows several drivers the same pages and lets each leave independently', async () => {
    const drivers = await Promise.all(
      [1, 2, 3].map(async () => {
        const driver = attached(socket.href);
        await driver.init();
        return driver;
      }),
    );
    const ids = drivers.map((driver) => driver.context.pages().map((page) => page.targetId()));
    expect(new Set(ids.map(String)).size).toBe(1);
    await drivers[0]?.close();
    expect(await drivers[1]?.context.pages()[0]?.title()).toBe('Kept');
    await Promise.all(drivers.map((driver) => driver.close()));
    expect(await owner.page.title()).toBe('Kept');
  });

  it('rejects pending calls of an attached driver with CLOSED when its owner closes it', async () => {
    const short = await launchedDriver();
    const driver = attached(short.driver.connectURL());
    await driver.init();
    const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
    await short.driver.close();
    expect(await waiting).toMatchObject({ code: 'CLOSED' });
    await driver.close();
  });
});
