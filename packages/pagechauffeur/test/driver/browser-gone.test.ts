import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Driver, DriverClosedError, type LogLine, type Page } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { firstPage, startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { launchedDriver } from '../support/launched-driver.ts';
import { openHandles, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;

beforeAll(async () => {
  server = await serve({
    '/': '<title>Here</title><button disabled>Later</button><textarea></textarea>',
    '/never': () => undefined,
  });
});

afterAll(() => server.close());

/** Calls that none of them ends by itself. */
function callsInFlight(driver: Driver, page: Page): Promise<unknown>[] {
  return [
    page.evaluate('new Promise(() => undefined)'),
    page.locator('button').click(),
    page.waitForSelector('#never'),
    page.waitForTimeout(600_000),
    driver.act({ selector: 'button', description: 'Later', method: 'click', arguments: [] }, { page }),
    page.sendCDP('Runtime.evaluate', { expression: 'new Promise(() => undefined)', awaitPromise: true }),
  ];
}

async function outcomes(calls: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((outcome) =>
    outcome.status === 'fulfilled' ? `fulfilled with ${String(outcome.value)}` : String(outcome.reason?.name),
  );
}

/** One after the other, with the same driver. */
describe('killed browser', () => {
  let handlesBefore: readonly string[];
  let lines: readonly LogLine[];
  let driver: Driver;
  let page: Page;
  let profile: string;

  beforeAll(() => {
    handlesBefore = openHandles();
  });

  afterAll(() => driver?.close());

  it('rejects everything in flight, including an instruction waiting for its model', async () => {
    // A model that never answers: what waits for it ends with the browser all the same.
    const model = new ScriptedModel(() => Promise.withResolvers().promise);
    const launched = await launchedDriver({}, { llmClient: model, defaultTimeout: 0 });
    ({ driver, page, lines } = launched);
    await page.goto(server.origin);
    profile = profileOf(launched.browser);
    const told: string[] = [];
    page.on('close', () => told.push('page'));
    driver.context.on('close', () => told.push('context'));
    const acting = driver.act('click later');
    await expect.poll(() => model.requests.length).toBe(1);
    const calls = [
      acting,
      page.goto(`${server.origin}/never`),
      page.waitForEvent('popup'),
      driver.context.waitForEvent('page', { timeout: 0 }),
      ...callsInFlight(driver, page),
    ];
    process.kill(-launched.browser, 'SIGKILL');
    expect(await outcomes(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    await expect(calls.at(-1)).rejects.toThrow(/The connection to the browser was lost/);
    expect(model.requests[0]?.signal.aborted).toBe(true);
    expect(told).toEqual(['page', 'context']);
    expect(driver.context.pages()).toEqual([]);
    expect(page.isClosed()).toBe(true);
  });

  it('rejects later calls, and logs the loss at every verbosity', async () => {
    await expect(page.title()).rejects.toThrow(DriverClosedError);
    await expect(page.goto(server.origin)).rejects.toThrow(DriverClosedError);
    await expect(page.locator('button').count()).rejects.toThrow(DriverClosedError);
    await expect(page.screenshot()).rejects.toThrow(DriverClosedError);
    await expect(driver.context.newPage()).rejects.toThrow(DriverClosedError);
    await expect(driver.observe()).rejects.toThrow(/was lost \(the socket closed.*Call close\(\) and init\(\)/);
    expect(lines.filter(({ level }) => level === 0)).toMatchObject([
      { category: 'driver', message: expect.stringContaining('The browser was lost') },
    ]);
  });

  it('leaves no process, profile or handle after close()', async () => {
    await driver.close();
    await expect.poll(() => remainsOf(profile), { timeout: 5000 }).toEqual([]);
    await expect.poll(openHandles, { timeout: 5000 }).toEqual(handlesBefore);
  });

  it('init() starts a new browser', async () => {
    await driver.init();
    await firstPage(driver).goto(server.origin);
    expect(await firstPage(driver).title()).toBe('Here');
  });
});

const LONG_TEXT = 'x'.repeat(20_000);

it('locator.type() rejects when the browser is killed while it types', async () => {
  const { driver, page, browser } = await launchedDriver({}, { defaultTimeout: 0 });
  await page.goto(server.origin);
  const typing = outcomes([page.locator('textarea').type(LONG_TEXT)]);
  await expect.poll(() => page.locator('textarea').inputValue()).toContain('x');
  process.kill(-browser, 'SIGKILL');
  expect(await typing).toEqual(['DriverClosedError']);
  await driver.close();
});

describe('driver with a running browser', () => {
  let test: TestDriver;
  let driver: Driver;
  let page: Page;

  beforeAll(async () => {
    test = await startDriver({ defaultTimeout: 0 });
    ({ driver } = test);
    await test.page.close();
  });

  afterAll(() => test?.driver.close());

  beforeEach(async () => {
    page = await driver.context.newPage(server.origin);
  });

  afterEach(async () => {
    for (const other of driver.context.pages()) await other.close();
  });

  it('a lost connection rejects everything in flight', async () => {
    const proxy = await CdpProxy.start(driver.connectURL());
    const other = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: proxy.url },
    });
    await other.init();
    const calls = [
      firstPage(other).evaluate('new Promise(() => undefined)'),
      firstPage(other).locator('#never').click(),
    ];
    await proxy[Symbol.asyncDispose]();
    expect(await outcomes(calls)).toEqual(['DriverClosedError', 'DriverClosedError']);
    await other.close();
    expect(await page.title()).toBe('Here');
  });

  it('a closed page rejects what was in flight on it, and other pages continue', async () => {
    const second = await driver.context.newPage(server.origin);
    const calls = callsInFlight(driver, page);
    await page.close();
    expect(await outcomes(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    expect(driver.context.pages()).toEqual([second]);
    await expect(page.title()).rejects.toThrow(/The page was closed/);
    expect(await second.title()).toBe('Here');
  });

  it('locator.type() rejects when its page is closed while it types', async () => {
    await driver.context.newPage();
    const typing = outcomes([page.locator('textarea').type(LONG_TEXT)]);
    await expect.poll(() => page.locator('textarea').inputValue()).toContain('x');
    await page.close();
    expect(await typing).toEqual(['DriverClosedError']);
  });

  it('opens another page after its last page closed', async () => {
    await page.close();
    await page.close();
    expect(driver.context.pages()).toEqual([]);
    expect(driver.context.activePage()).toBeUndefined();
    await expect(driver.observe()).rejects.toMatchObject({
      code: 'PAGE_NOT_FOUND',
      message: expect.stringContaining('context.newPage()'),
    });
    const opened = await driver.context.newPage();
    expect(driver.context.pages()).toEqual([opened]);
  });
});
