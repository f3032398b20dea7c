import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  Driver,
  DriverAbortError,
  DriverNotInitializedError,
  type DriverOptions,
  type LogLine,
  type Page,
} from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeProgram } from '../support/fake-program.ts';
import { browserIn } from '../support/launched-driver.ts';
import { childrenOf, isRunning, openHandles, processesWith, profileOf, remainsOf } from '../support/processes.ts';

/** A killed process is gone a moment after it was killed. */
const GONE_WITHIN = { timeout: 5000 };

const drivers: Driver[] = [];

afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.close()));
});

interface Made {
  readonly driver: Driver;
  /** Process of the browser that was started last. */
  browser(): number;
}

/** A driver that is closed after its test. */
function make(options: Partial<DriverOptions> = {}): Made {
  const made = unregistered(options);
  drivers.push(made.driver);
  return made;
}

function unregistered(options: Partial<DriverOptions> = {}): Made {
  const lines: LogLine[] = [];
  const driver = new Driver({ env: 'LOCAL', verbose: 1, logger: (line) => lines.push(line), ...options });
  return { driver, browser: () => browserIn(lines) };
}

/** What needs a driver that is initialized. */
const calls: Readonly<Record<string, (driver: Driver) => unknown>> = {
  act: (driver) => driver.act('click the button'),
  'act with an action': (driver) =>
    driver.act({ selector: 'a', description: 'a link', method: 'click', arguments: [] }),
  observe: (driver) => driver.observe(),
  extract: (driver) => driver.extract(),
  context: (driver) => driver.context,
  connectURL: (driver) => driver.connectURL(),
};

describe('before init()', () => {
  // [spec: states.before-init, errors.DriverNotInitializedError]
  it.each(Object.entries(calls))('%s reports that the driver is not initialized', async (_name, call) => {
    const { driver } = make();
    await expect(async () => call(driver)).rejects.toThrow(DriverNotInitializedError);
    await expect(async () => call(driver)).rejects.toThrow(/Call `await driver.init\(\)` first/);
  });

  // [spec: properties.remoteSessionID, properties.remoteSessionURL, properties.remoteDebugURL, properties.metrics]
  // [spec: properties.history]
  it('close() without init() does nothing, and metrics and history are available', async () => {
    const { driver } = make();
    await driver.close();
    await driver.close({ force: true });
    expect(await driver.history).toEqual([]);
    expect(await driver.metrics).toMatchObject({ totalPromptTokens: 0 });
    expect([driver.remoteSessionID, driver.remoteSessionURL, driver.remoteDebugURL]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

/** One after the other, with the same driver. */
describe('init() and close()', () => {
  let before: readonly string[];
  let driver: Driver;
  let browser: () => number;
  let page: Page;

  beforeAll(() => {
    before = openHandles();
    ({ driver, browser } = unregistered());
  });

  afterAll(() => driver.close());

  // [spec: states.init, life-calls.init, service.first-page, service.launches-browser]
  it('opens exactly one page, and a second init() returns the same promise', async () => {
    const first = driver.init();
    expect(driver.init()).toBe(first);
    await first;
    expect(driver.init()).toBe(first);
    expect(driver.context.pages()).toHaveLength(1);
    page = firstPage(driver);
    expect(driver.context.activePage()).toBe(page);
    expect(isRunning(browser())).toBe(true);
    expect(driver.connectURL()).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/devtools\/browser\//);
  });

  it('`init()` during `close()` starts a new browser with new pages', async () => {
    const oldBrowser = browser();
    const closing = driver.close();
    await driver.init();
    await closing;
    expect(isRunning(oldBrowser)).toBe(false);
    expect(isRunning(browser())).toBe(true);
    expect(driver.context.pages()).toHaveLength(1);
    expect(firstPage(driver)).not.toBe(page);
    page = firstPage(driver);
    expect(await page.evaluate('1 + 1')).toBe(2);
  });

  // [spec: states.close, life-calls.close, states.close-twice]
  it('leaves no process, profile or handle, and a second close() returns the same promise', async () => {
    const profile = profileOf(browser());
    expect(profile).toContain(join(tmpdir(), 'chauffeur-profile-'));
    const closing = driver.close();
    expect(driver.close()).toBe(closing);
    await closing;
    await driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    await expect.poll(openHandles, { timeout: 5000 }).toEqual(before);
  });

  it('rejects every call after close(), including calls to earlier pages', async () => {
    for (const call of Object.values(calls))
      await expect(async () => call(driver)).rejects.toThrow(DriverNotInitializedError);
    expect(page.isClosed()).toBe(true);
    await expect(page.title()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('close()', () => {
  // [spec: states.close-force]
  it('`force: true` kills a hanging browser, even while it is closing', async () => {
    const { driver, browser } = make();
    await driver.init();
    const profile = profileOf(browser());
    // A browser that hangs does not answer when it is asked to close.
    process.kill(browser(), 'SIGSTOP');
    const closing = driver.close();
    await driver.close({ force: true });
    await closing;
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
  });

  it('`force: true` rejects a pending init()', async () => {
    await using program = await fakeProgram('exec sleep 600');
    const { driver } = make({ localBrowserLaunchOptions: { executablePath: program.path } });
    const failure = failureOf(driver.init());
    await driver.close({ force: true });
    expect(await failure).toBeInstanceOf(DriverAbortError);
  });

  // [spec: states.close-keep-alive, driver-options.keepAlive]
  it('`keepAlive` leaves the browser running for a later driver', async () => {
    const before = childrenOf(process.pid);
    const { driver, browser } = make({ keepAlive: true });
    await driver.init();
    const [pid, cdpUrl] = [browser(), driver.connectURL()];
    const profile = profileOf(pid);
    await driver.context.newPage('data:text/html,<title>Kept</title>');
    await driver.close();
    expect(isRunning(pid)).toBe(true);
    // What lives on needs no watchdog.
    const started = (): number[] => childrenOf(process.pid).filter((child) => !before.includes(child));
    await expect.poll(started, GONE_WITHIN).toEqual([pid]);
    const second = make({ localBrowserLaunchOptions: { cdpUrl } }).driver;
    await second.init();
    expect(await Promise.all(second.context.pages().map((page) => page.title()))).toContain('Kept');
    process.kill(-pid, 'SIGKILL');
    await second.close({ force: true });
    await expect.poll(() => processesWith(profile), GONE_WITHIN).toEqual([]);
    await rm(profile, { recursive: true });
  });
});
