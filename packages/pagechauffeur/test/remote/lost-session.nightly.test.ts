import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { type Platform, startPlatform } from '../../../platform/src/platform.ts';
import { type DistantBrowsers, startDistantBrowsers } from '../../../platform/test/support/distant-browsers.ts';
import { Driver, DriverClosedError, type DriverOptions } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { type Relay, startRelay } from '../support/relay.ts';

const GRACE_MS = 500;

let network: Relay;
let browsers: DistantBrowsers;
let platform: Platform;

beforeAll(async () => {
  network = await startRelay();
  browsers = await startDistantBrowsers();
  const publicUrl = `http://127.0.0.1:${network.port}`;
  const options = { database: ':memory:', port: 0, logLevel: 'silent', publicUrl, grace: GRACE_MS, heartbeat: 1000 };
  platform = await startPlatform(options, browsers.backend);
  network.target = platform.port;
});

beforeEach(() => {
  browsers.state = 'alive';
  network.isClosed = false;
});

afterAll(async () => {
  await platform?.close();
  await browsers?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
});

async function open(options: Partial<DriverOptions> = {}): Promise<Driver> {
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: platform.firstKey ?? '',
    remoteBaseURL: platform.url,
    disableLoggerBackend: true,
    ...options,
  });
  onTestFinished(() => driver.close());
  await driver.init();
  return driver;
}

const idOf = (driver: Driver): string => driver.remoteSessionID ?? '';

async function release(driver: Driver): Promise<void> {
  await platform.sessionManager.update('default', idOf(driver), { status: 'REQUEST_RELEASE' });
}

/** Every way to lose a session: how it happens, whether the session goes on, and what the error advises. */
const losses: readonly (readonly [
  cause: string,
  options: Partial<DriverOptions>,
  lose: (driver: Driver) => Promise<void>,
  canResume: boolean,
  advice: RegExp,
])[] = [
  ['the connection to the browser was cut', {}, async () => browsers.way.cut(), true, /continues\. Create a driver/],
  [
    'the network was down for longer than the grace period',
    { keepAlive: true },
    async (driver) => {
      network.isClosed = true;
      network.cut();
      await expect.poll(() => platform.sessionManager.live.get(idOf(driver))?.clients).toBe(0);
      network.isClosed = false;
    },
    true,
    /continues\. Create a driver/,
  ],
  ['another client released the session', {}, release, false, /has ended.* Call close\(\) and init\(\)/],
  [
    'the session ended while the network was down',
    {},
    async (driver) => {
      network.isClosed = true;
      network.cut();
      await release(driver);
      network.isClosed = false;
    },
    false,
    /has ended \(The session was released\.\).* Call close\(\) and init\(\)/,
  ],
];

it.each(losses)('reports whether the session continues: %s', async (_cause, options, lose, canResume, advice) => {
  const driver = await open(options);
  const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
  await lose(driver);
  const facts = { canResume, remoteSessionID: driver.remoteSessionID, advice: expect.stringMatching(advice) };
  const failure = await waiting;
  expect(failure).toBeInstanceOf(DriverClosedError);
  expect(failure).toMatchObject({ ...facts, message: expect.stringMatching(advice) });
  const later = [driver.act('click "Save"'), driver.observe(), driver.extract(), driver.context.newPage()];
  for (const each of later) expect(await failureOf(each)).toMatchObject({ name: 'DriverClosedError', ...facts });
  await driver.close();
  expect(platform.sessionManager.live.has(idOf(driver))).toBe(canResume);
  if (canResume) await release(driver);
});

it('asks a second server about its session if the first does not answer', async () => {
  // With the default options, which keep a session while its client reconnects.
  await using ownPlatform = await startPlatform(
    { database: ':memory:', port: 0, logLevel: 'silent' },
    browsers.backend,
  );
  let isFrozen = false;
  const balancer = createServer((request, response) => {
    if (isFrozen) return void (isFrozen = false);
    const { method, url: path, headers } = request;
    const upstream = forward(`${ownPlatform.url}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  onTestFinished(() => {
    balancer.closeAllConnections();
    balancer.close();
  });
  const { port } = balancer.address() as AddressInfo;
  const driver = await open({ apiKey: ownPlatform.firstKey ?? '', remoteBaseURL: `http://127.0.0.1:${port}` });
  const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
  isFrozen = true;
  browsers.way.cut();
  expect(await waiting).toMatchObject({ name: 'DriverClosedError', canResume: true });
  await ownPlatform.sessionManager.update('default', idOf(driver), { status: 'REQUEST_RELEASE' });
});

it('keeps a session that another driver resumed when the first driver closes', async () => {
  let id = '';
  await using next = await (async () => {
    await using driver = await open();
    id = idOf(driver);
    await firstPage(driver).evaluate('window.mark = 7');
    const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
    browsers.way.cut();
    const { canResume, remoteSessionID = '' } = (await waiting) as DriverClosedError;
    expect(canResume).toBe(true);
    return await open({ remoteSessionID });
  })();
  expect(await firstPage(next).evaluate('window.mark')).toBe(7);
  expect(next.remoteSessionID).toBe(id);
  await next.close();
  expect(platform.sessionManager.live.has(id)).toBe(false);
});

it('reports a lost machine and the end of its session to a driver that resumes it', async () => {
  const driver = await open();
  const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
  browsers.way.isClosed = true;
  browsers.state = 'silent';
  onTestFinished(() => void (browsers.way.isClosed = false));
  browsers.way.cut();
  expect(await waiting).toMatchObject({
    name: 'DriverClosedError',
    message: expect.stringMatching(
      /was lost \(the socket closed with code \d+\)\. The connection to the browser was lost\. If the session/,
    ),
  });
  const next = new Driver({
    env: 'REMOTE',
    apiKey: platform.firstKey ?? '',
    remoteBaseURL: platform.url,
    disableLoggerBackend: true,
    remoteSessionID: idOf(driver),
  });
  onTestFinished(() => next.close());
  expect(await failureOf(next.init())).toMatchObject({
    name: 'RemoteSessionNotFoundError',
    message: expect.stringContaining('has ended (The Grid lost contact with the browser.)'),
  });
});

it('keeps a session while its browser is unreachable, beyond the grace period', async () => {
  const driver = await open();
  await firstPage(driver).evaluate('window.mark = 8');
  browsers.way.isClosed = true;
  browsers.state = 'unknown';
  onTestFinished(() => void (browsers.way.isClosed = false));
  browsers.way.cut();
  await pause(4 * GRACE_MS);
  expect(platform.sessionManager.live.has(idOf(driver))).toBe(true);
  browsers.way.isClosed = false;
  browsers.state = 'alive';
  const next = await vi.waitFor(() => open({ remoteSessionID: idOf(driver) }), { timeout: 20_000, interval: 50 });
  expect(await firstPage(next).evaluate('window.mark')).toBe(8);
  await next.close();
  expect(platform.sessionManager.live.has(idOf(driver))).toBe(false);
});
