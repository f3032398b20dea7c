import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Driver, DriverAbortError, DriverClosedError, DriverNotInitializedError } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn, launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { isRunning, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

const GONE_WITHIN = { timeout: 5000 };

let server: TestServer;
let launched: LaunchedDriver | undefined;
/** Settled when the page that never answers was asked for. */
let asked = Promise.withResolvers<void>();

beforeAll(async () => {
  server = await serve({ '/': '<title>Here</title><button disabled>Later</button>', '/never': () => asked.resolve() });
});

afterEach(async () => {
  await launched?.driver.close({ force: true });
  launched = undefined;
  asked = Promise.withResolvers<void>();
});

afterAll(() => server.close());

/** A driver on a page, with a model that never answers and calls without a limit of time. */
async function start(signal?: AbortSignal): Promise<LaunchedDriver> {
  launched = await launchedDriver(
    {},
    {
      llmClient: new ScriptedModel(() => Promise.withResolvers().promise),
      defaultTimeout: 0,
      ...(signal ? { signal } : {}),
    },
  );
  await launched.page.goto(server.origin);
  return launched;
}

/** Calls none of which ends by itself, by name. */
const endless: Readonly<Record<string, (launched: LaunchedDriver) => Promise<unknown>>> = {
  'page.evaluate': ({ page }) => page.evaluate('new Promise(() => undefined)'),
  'page.goto': ({ page }) => page.goto(`${server.origin}/never`),
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

async function outcomes(calls: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((outcome) =>
    outcome.status === 'fulfilled' ? `fulfilled with ${String(outcome.value)}` : String(outcome.reason?.name),
  );
}

describe('close()', () => {
  it.each([{}, { force: true }])('(%j) rejects whatever is in flight', async (options) => {
    const test = await start();
    const names = Object.keys(endless).filter((name) => name !== 'page.goto');
    const ended = outcomes(names.map((name) => endless[name]?.(test) ?? Promise.resolve()));
    // They are under way, not only asked for.
    await test.page.title();
    await test.driver.close(options);
    const named = (await ended).map((outcome, index) => `${names[index]}: ${outcome}`);
    expect(named).toEqual(names.map((name) => `${name}: DriverClosedError`));
  });

  it('rejects a navigation that is in flight', async () => {
    const test = await start();
    const call = failureOf(endless['page.goto']?.(test) ?? Promise.resolve());
    await asked.promise;
    await test.driver.close();
    expect(await call).toBeInstanceOf(DriverClosedError);
  });

  it('refuses new calls at once, also while it is still closing', async () => {
    const { driver, page } = await start();
    const closing = driver.close();
    await expect(driver.act('click later')).rejects.toThrow(DriverNotInitializedError);
    expect(() => driver.context).toThrow(DriverNotInitializedError);
    expect(() => driver.connectURL()).toThrow(DriverNotInitializedError);
    await closing;
    await expect(page.title()).rejects.toThrow(DriverClosedError);
  });

  it('keeps history and metrics to be read', async () => {
    const { driver } = await start();
    await driver.close();
    expect((await driver.history).map(({ method }) => method)).toEqual(['navigate']);
    expect(await driver.metrics).toMatchObject({ totalPromptTokens: 0 });
  });

  it('during init() waits for it, and the driver starts again afterwards', async () => {
    const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true });
    const starting = driver.init();
    await Promise.all([starting, driver.close(), driver.close()]);
    await driver.init();
    expect(await firstPage(driver).evaluate('1 + 1')).toBe(2);
    await driver.close();
  });

  it('can be followed by init() again and again', async () => {
    const pids = new Set<number>();
    const test = await start();
    for (let round = 0; round < 3; round++) {
      await test.driver.close();
      await test.driver.init();
      pids.add(browserIn(test.lines));
      expect(test.driver.context.pages()).toHaveLength(1);
    }
    expect(pids.size).toBe(3);
  });

  it('at the end of an `await using` block comes also when the block throws', async () => {
    let browser = 0;
    const block = async (): Promise<void> => {
      await using used = await launchedDriver();
      browser = used.browser;
      throw new TypeError('meant');
    };
    await expect(block()).rejects.toThrow('meant');
    expect(isRunning(browser)).toBe(false);
  });
});

describe('the signal of a driver', () => {
  it('ends whatever is in flight, and the browser', async () => {
    const controller = new AbortController();
    const test = await start(controller.signal);
    const profile = profileOf(test.browser);
    const names = Object.keys(endless).filter((name) => name !== 'page.goto' && name !== 'page.sendCDP');
    const ended = outcomes(names.map((name) => endless[name]?.(test) ?? Promise.resolve()));
    await test.page.title();
    controller.abort('the user went home');
    const named = (await ended).map((outcome, index) => `${names[index]}: ${outcome}`);
    expect(named).toEqual(names.map((name) => `${name}: DriverAbortError`));
    expect(() => test.driver.context).toThrow(DriverNotInitializedError);
    await test.driver.close();
    await expect.poll(() => remainsOf(profile), GONE_WITHIN).toEqual([]);
    expect(test.lines.map(({ message }) => message)).toContain('Aborted by the signal of the driver.');
  });

  it('that is aborted lets no other browser start', async () => {
    const controller = new AbortController();
    const test = await start(controller.signal);
    controller.abort('enough');
    const failure = await failureOf(test.driver.init());
    expect(failure).toBeInstanceOf(DriverAbortError);
    expect(failure).toMatchObject({ cause: 'enough' });
  });

  it('that is aborted while the browser starts ends the start', async () => {
    const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true, signal: AbortSignal.timeout(20) });
    await expect(driver.init()).rejects.toThrow(DriverAbortError);
    await driver.close();
  });

  it('that is aborted after close() does nothing more', async () => {
    const controller = new AbortController();
    const test = await start(controller.signal);
    await test.driver.close();
    const before = test.lines.length;
    controller.abort();
    expect(test.lines).toHaveLength(before);
  });
});
