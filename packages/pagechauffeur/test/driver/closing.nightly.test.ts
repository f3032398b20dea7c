import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  Driver,
  DriverAbortError,
  DriverClosedError,
  DriverNotInitializedError,
  type LogLine,
  type Page,
} from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn, launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { isRunning, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

const GONE_WITHIN = { timeout: 5000 };

let server: TestServer;
/** Settled when the address of `page.goto` was asked for. */
let asked = Promise.withResolvers<void>();

beforeAll(async () => {
  server = await serve({
    '/': '<title>Here</title><button disabled>Later</button>',
    '/never': () => undefined,
    '/never-either': () => asked.resolve(),
  });
});

afterAll(() => server.close());

interface Started extends LaunchedDriver {
  /** Pages on which nothing else goes on. */
  readonly other: Page;
  readonly asking: Page;
}

/** A driver on a page, with a model that never answers and calls without a limit of time. */
async function start(signal?: AbortSignal): Promise<Started> {
  const launched = await launchedDriver(
    {},
    {
      llmClient: new ScriptedModel(() => Promise.withResolvers().promise),
      defaultTimeout: 0,
      ...(signal ? { signal } : {}),
    },
  );
  onTestFinished(() => launched.driver.close({ force: true }));
  const { page, driver } = launched;
  const [other, asking] = [await driver.context.newPage(), await driver.context.newPage()];
  // It hears of dialogs, and answers none.
  asking.on('dialog', () => undefined);
  driver.context.setActivePage(page);
  await page.goto(server.origin);
  return { ...launched, other, asking };
}

/** Calls none of which ends by itself, by name. */
const endless: Readonly<Record<string, (started: Started) => Promise<unknown>>> = {
  'page.evaluate': ({ page }) => page.evaluate('new Promise(() => undefined)'),
  'page.goto': ({ other }) => other.goto(`${server.origin}/never-either`),
  'page.evaluate with a dialog': ({ asking }) => asking.evaluate('alert("stays")'),
  'page.waitForSelector': ({ page }) => page.waitForSelector('#never'),
  'page.waitForTimeout': ({ page }) => page.waitForTimeout(600_000),
  'page.sendCDP': ({ page }) =>
    page.sendCDP('Runtime.evaluate', { expression: 'new Promise(() => undefined)', awaitPromise: true }),
  'locator.click': ({ page }) => page.locator('button').click(),
  'locator.fill': ({ page }) => page.locator('#never').fill('x'),
  'context.newPage': ({ driver }) => driver.context.newPage(`${server.origin}/never`),
  'driver.act': ({ driver }) => driver.act('click later'),
  'driver.act of an action': ({ driver }) =>
    driver.act({ selector: 'button', description: 'Later', method: 'click', arguments: [] }, { timeout: 600_000 }),
  'driver.observe': ({ driver }) => driver.observe('the buttons'),
  'driver.extract': ({ driver }) => driver.extract('the title'),
};

interface Calls {
  /** What each call that was begun comes to, after its name. */
  readonly ended: Promise<readonly string[]>;
}

/** Begins calls that do not end by themselves; they are under way, not only asked for, when this is done. */
async function begin(started: Started, names: readonly string[]): Promise<Calls> {
  asked = Promise.withResolvers<void>();
  const opened = started.asking.waitForEvent('dialog');
  const calls = names.map(async (name) => `${name}: ${await outcome(endless[name]?.(started))}`);
  await Promise.all([asked.promise, opened, started.page.title()]);
  return { ended: Promise.all(calls) };
}

async function outcome(call: Promise<unknown> | undefined): Promise<string> {
  try {
    return `fulfilled with ${String(await call)}`;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

describe('driver.close()', () => {
  it.each([{}, { force: true }])('rejects all calls in flight with the options %j', async (options) => {
    const test = await start();
    const names = Object.keys(endless);
    const { ended } = await begin(test, names);
    await test.driver.close(options);
    expect(await ended).toEqual(names.map((name) => `${name}: DriverClosedError`));
  });

  it('rejects new calls immediately, keeps history and metrics, and ignores its signal', async () => {
    const controller = new AbortController();
    const { driver, page, lines } = await start(controller.signal);
    const closing = driver.close();
    await expect(driver.act('click later')).rejects.toThrow(DriverNotInitializedError);
    expect(() => driver.context).toThrow(DriverNotInitializedError);
    expect(() => driver.connectURL()).toThrow(DriverNotInitializedError);
    await closing;
    await expect(page.title()).rejects.toThrow(DriverClosedError);
    // The call that was refused is told too.
    expect((await driver.history).map(({ method }) => method)).toEqual(['navigate', 'act']);
    expect(await driver.metrics).toMatchObject({ totalPromptTokens: 0 });
    const before = lines.length;
    controller.abort();
    expect(lines).toHaveLength(before);
  });

  it('waits for a pending init(), and the driver can start again', async () => {
    const lines: LogLine[] = [];
    const driver = new Driver({ env: 'LOCAL', logger: (line) => lines.push(line) });
    const starting = driver.init();
    await Promise.all([driver.close(), driver.close()]);
    await starting;
    expect(() => driver.context).toThrow(DriverNotInitializedError);
    const browsers = [browserIn(lines)];
    for (let round = 0; round < 2; round++) {
      await driver.init();
      browsers.push(browserIn(lines));
      expect(await firstPage(driver).evaluate('1 + 1')).toBe(2);
      expect(driver.context.pages()).toHaveLength(1);
      await driver.close();
    }
    expect(new Set(browsers).size).toBe(3);
    expect(browsers.filter(isRunning)).toEqual([]);
  });

  it('runs at the end of an `await using` block even if the block throws', async () => {
    let browser = 0;
    const block = async (): Promise<void> => {
      await using used = await launchedDriver();
      browser = used.browser;
      expect(isRunning(browser)).toBe(true);
      throw new TypeError('meant');
    };
    await expect(block()).rejects.toThrow('meant');
    expect(isRunning(browser)).toBe(false);
  });
});

describe('`signal` of a driver', () => {
  it('rejects everything in flight, closes the browser, and prevents a restart', async () => {
    const controller = new AbortController();
    const test = await start(controller.signal);
    const profile = profileOf(test.browser);
    const names = Object.keys(endless).filter((name) => name !== 'page.sendCDP');
    const { ended } = await begin(test, names);
    controller.abort('the user went home');
    expect(await ended).toEqual(names.map((name) => `${name}: DriverAbortError`));
    expect(() => test.driver.context).toThrow(DriverNotInitializedError);
    const failure = await failureOf(test.driver.init());
    expect(failure).toBeInstanceOf(DriverAbortError);
    expect(failure).toMatchObject({ cause: 'the user went home' });
    await test.driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    expect(test.lines.map(({ message }) => message)).toContain("Closing the browser: the driver's signal was aborted.");
  });

  it('aborts a starting browser', async () => {
    const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true, signal: AbortSignal.timeout(20) });
    await expect(driver.init()).rejects.toThrow(DriverAbortError);
    await driver.close();
  });
});
