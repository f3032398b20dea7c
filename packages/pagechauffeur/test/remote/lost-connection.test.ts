import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Platform, startPlatform } from '../../../platform/src/platform.ts';
import { FOR_TESTS } from '../../../platform/test/support/use-platform.ts';
import { Driver, DriverClosedError, type LogLine } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { type Relay, startRelay } from '../support/relay.ts';

let relay: Relay;
let platform: Platform;

beforeAll(async () => {
  relay = await startRelay();
  const publicUrl = `http://127.0.0.1:${relay.port}`;
  platform = await startPlatform({ ...FOR_TESTS, publicUrl, grace: 20_000 });
  relay.target = platform.port;
});

afterAll(async () => {
  await relay?.[Symbol.asyncDispose]();
  await platform?.close();
});

async function open(): Promise<{ driver: Driver; messages: () => string[] }> {
  const lines: LogLine[] = [];
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: platform.firstKey ?? '',
    remoteBaseURL: platform.url,
    logger: (line) => lines.push(line),
  });
  onTestFinished(async () => {
    relay.isClosed = false;
    await driver.close();
  });
  await driver.init();
  return { driver, messages: () => lines.map(({ message }) => message) };
}

it('resumes a cut connection repeatedly without losing messages', async () => {
  const { driver, messages } = await open();
  const page = firstPage(driver);
  const calls = Array.from({ length: 60 }, async (_, index) => {
    const value = page.evaluate(async (sent) => {
      await new Promise((done) => {
        setTimeout(done, sent % 7);
      });
      return sent;
    }, index);
    if (index % 20 === 10) setTimeout(relay.cut, index);
    return value;
  });
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  const large = page.evaluate("'x'.repeat(3_000_000).length + 'x'.repeat(2_000_000)");
  relay.cut();
  expect(String(await large)).toHaveLength(2_000_007);
  await driver.close();
  expect(messages()).toContain('Resumed the connection.');
});

it('rejects pending calls with the reason if the session cannot be resumed', async () => {
  const { driver } = await open();
  const waiting = failureOf(firstPage(driver).evaluate('new Promise(() => undefined)'));
  relay.isClosed = true;
  relay.cut();
  await platform.sessionManager.update('default', driver.remoteSessionID ?? '', { status: 'REQUEST_RELEASE' });
  relay.isClosed = false;
  const failure = await waiting;
  expect(failure).toBeInstanceOf(DriverClosedError);
  expect(String(failure)).toMatch(
    /could not be resumed\)\. Remote session \S+ has ended \(The session was released\.\)/,
  );
});
