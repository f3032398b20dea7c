import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  Driver,
  DriverAbortError,
  DriverNotInitializedError,
  type DriverOptions,
  type LogLine,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeProgram } from '../support/fake-program.ts';
import { commandLine, isRunning, openHandles, processesWith, profileOf, remainsOf } from '../support/processes.ts';

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

function make(options: Partial<DriverOptions> = {}): Made {
  const lines: LogLine[] = [];
  const driver = new Driver({ env: 'LOCAL', verbose: 1, logger: (line) => lines.push(line), ...options });
  drivers.push(driver);
  return { driver, browser: () => Number(lines.findLast(({ auxiliary }) => auxiliary?.['pid'])?.auxiliary?.['pid']) };
}

describe('before init() and after close()', () => {
  const calls: Readonly<Record<string, (driver: Driver) => unknown>> = {
    act: (driver) => driver.act('click the button'),
    'act with an action': (driver) =>
      driver.act({ selector: 'a', description: 'a link', method: 'click', arguments: [] }),
    observe: (driver) => driver.observe(),
    extract: (driver) => driver.extract(),
    context: (driver) => driver.context,
    connectURL: (driver) => driver.connectURL(),
  };

  // [spec: states.before-init, errors.DriverNotInitializedError]
  it.each(Object.entries(calls))('%s says that the driver is not initialized', async (_name, call) => {
    const { driver } = make();
    await expect(async () => call(driver)).rejects.toThrow(DriverNotInitializedError);
    await expect(async () => call(driver)).rejects.toThrow(/call `await driver.init\(\)` first/);
  });

  it('nothing works any more after close(), and what was held rejects', async () => {
    const { driver } = make();
    await driver.init();
    const [page] = driver.context.pages();
    await driver.close();
    for (const call of Object.values(calls))
      await expect(async () => call(driver)).rejects.toThrow(DriverNotInitializedError);
    expect(page?.isClosed()).toBe(true);
    await expect(page?.title()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  // [spec: properties.remoteSessionID, properties.remoteSessionURL, properties.remoteDebugURL, properties.metrics]
  // [spec: properties.history]
  it('close() without init() does nothing, and metrics and history are there', async () => {
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

describe('init() and close()', () => {
  // [spec: states.init, life-calls.init, service.first-page, service.launches-browser]
  it('opens exactly one page, and a second init() is the same promise', async () => {
    const { driver, browser } = make();
    const first = driver.init();
    expect(driver.init()).toBe(first);
    await first;
    expect(driver.init()).toBe(first);
    expect(driver.context.pages()).toHaveLength(1);
    expect(driver.context.activePage()).toBe(driver.context.pages()[0]);
    expect(isRunning(browser())).toBe(true);
    expect(driver.connectURL()).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/devtools\/browser\//);
  });

  // [spec: states.close, life-calls.close, states.close-twice]
  it('leaves no process, no profile and no handle behind, and the second close() is the same promise', async () => {
    const before = openHandles();
    const { driver, browser } = make();
    await driver.init();
    const profile = profileOf(browser());
    expect(profile).toContain(join(tmpdir(), 'chauffeur-profile-'));
    const closing = driver.close();
    expect(driver.close()).toBe(closing);
    await closing;
    await driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    await expect.poll(openHandles, { timeout: 5000 }).toEqual(before);
  });

  // [spec: states.close-force]
  it('kills at once with force, also while it is closing already', async () => {
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

  it('starts anew after close(), with new pages', async () => {
    const { driver, browser } = make();
    await driver.init();
    const [oldPage] = driver.context.pages();
    const oldBrowser = browser();
    const closing = driver.close();
    await driver.init();
    await closing;
    expect(isRunning(oldBrowser)).toBe(false);
    expect(isRunning(browser())).toBe(true);
    expect(driver.context.pages()).toHaveLength(1);
    expect(driver.context.pages()[0]).not.toBe(oldPage);
    expect(await driver.context.pages()[0]?.evaluate('1 + 1')).toBe(2);
  });

  it('closes while it still starts: init() first comes to its end', async () => {
    const { driver, browser } = make();
    const starting = driver.init();
    await driver.close();
    await starting;
    expect(() => driver.context).toThrow(DriverNotInitializedError);
    expect(isRunning(browser())).toBe(false);
  });

  it('with force, ends an init() that is under way', async () => {
    await using program = await fakeProgram('exec sleep 600');
    const { driver } = make({ localBrowserLaunchOptions: { executablePath: program.path } });
    const failure = failureOf(driver.init());
    await driver.close({ force: true });
    expect(await failure).toBeInstanceOf(DriverAbortError);
  });

  it('closes at the end of an `await using` block', async () => {
    const { driver, browser } = make();
    {
      await using used = driver;
      await used.init();
      expect(isRunning(browser())).toBe(true);
    }
    expect(isRunning(browser())).toBe(false);
  });

  // [spec: states.close-keep-alive, driver-options.keepAlive]
  it('with keepAlive leaves the browser to be come back to', async () => {
    const { driver, browser } = make({ keepAlive: true });
    await driver.init();
    const [pid, cdpUrl] = [browser(), driver.connectURL()];
    const profile = profileOf(pid);
    await driver.context.newPage('data:text/html,<title>Kept</title>');
    await driver.close();
    expect(isRunning(pid)).toBe(true);
    const second = make({ localBrowserLaunchOptions: { cdpUrl } }).driver;
    await second.init();
    expect(await Promise.all(second.context.pages().map((page) => page.title()))).toContain('Kept');
    process.kill(-pid, 'SIGKILL');
    await second.close({ force: true });
    await expect.poll(() => processesWith(profile), GONE_WITHIN).toEqual([]);
    await rm(profile, { recursive: true });
  });

  it('runs two drivers side by side that do not touch each other', async () => {
    const [one, two] = [make(), make()];
    await Promise.all([one.driver.init(), two.driver.init()]);
    expect(profileOf(one.browser())).not.toBe(profileOf(two.browser()));
    await two.driver.context.newPage();
    expect(one.driver.context.pages()).toHaveLength(1);
    await one.driver.close();
    expect(isRunning(two.browser())).toBe(true);
    expect(await two.driver.context.activePage()?.evaluate('2 * 21')).toBe(42);
  });
});

describe('launch options', () => {
  it('keeps a profile folder of the user, written, and finds it again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chauffeur-own-profile-'));
    const visit = async (script: string): Promise<unknown> => {
      const { driver } = make({ localBrowserLaunchOptions: { userDataDir: folder } });
      await driver.init();
      const [page] = driver.context.pages();
      await page?.goto('chrome://version');
      const value = await page?.evaluate(script);
      await driver.close();
      return value;
    };
    await visit("localStorage.setItem('kept', 'yes')");
    expect(existsSync(folder)).toBe(true);
    expect(await readdir(folder)).toContain('Default');
    expect(await visit("localStorage.getItem('kept')")).toBe('yes');
    await rm(folder, { recursive: true });
  });

  // [spec: driver-options.localBrowserLaunchOptions, launch-options.args]
  it('puts its arguments after the defaults and leaves out those to be ignored', async () => {
    const { driver, browser } = make({
      localBrowserLaunchOptions: {
        args: ['--lang=fr'],
        ignoreDefaultArgs: ['--mute-audio'],
        viewport: { width: 700, height: 500 },
      },
    });
    await driver.init();
    const line = commandLine(browser());
    expect(line).not.toContain('--mute-audio');
    expect(line.indexOf('--lang=fr')).toBeGreaterThan(line.indexOf('--site-per-process'));
    for (const expected of [
      '--remote-allow-origins=*',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-dev-shm-usage',
    ])
      expect(line).toContain(expected);
    expect(await driver.context.activePage()?.evaluate('[innerWidth, innerHeight]')).toEqual([700, 500]);
    const popup = await driver.context.newPage();
    expect(await popup.evaluate('[innerWidth, innerHeight]')).toEqual([700, 500]);
  });
});
