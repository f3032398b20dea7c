import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Driver, DriverClosedError, type LogLine, type Page } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { openHandles, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

let handlesBefore: string[];
let server: TestServer;
let model: ScriptedModel;
let driver: Driver;
let page: Page;
let browser: number;
let profile: string;
let lines: LogLine[];

beforeEach(async () => {
  handlesBefore = openHandles();
  server = await serve({ '/': '<title>Here</title><button disabled>Later</button>', '/never': () => undefined });
  lines = [];
  // A model that never answers: what waits for it ends with the browser all the same.
  model = new ScriptedModel(() => Promise.withResolvers().promise);
  driver = new Driver({ env: 'LOCAL', logger: (line) => lines.push(line), llmClient: model, defaultTimeout: 0 });
  await driver.init();
  page = firstPage(driver);
  await page.goto(server.origin);
  browser = Number(lines.find(({ auxiliary }) => auxiliary?.['pid'])?.auxiliary?.['pid']);
  profile = profileOf(browser);
});

afterEach(async () => {
  await driver.close();
  await server.close();
});

/** Calls that none of them ends by itself. */
function callsInFlight(): Promise<unknown>[] {
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

describe('a browser that is killed', () => {
  it('rejects everything in flight, and close() cleans up behind it', async () => {
    const calls = [page.goto(`${server.origin}/never`), ...callsInFlight()];
    process.kill(-browser, 'SIGKILL');
    expect(await outcomes(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    expect(driver.context.pages()).toEqual([]);
    expect(page.isClosed()).toBe(true);
    await driver.close();
    await expect.poll(() => remainsOf(profile), { timeout: 5000 }).toEqual([]);
    await server.close();
    await expect.poll(openHandles, { timeout: 5000 }).toEqual(handlesBefore);
  });

  it('rejects later calls too, says so in the log at every verbosity, and another can be started', async () => {
    const gone = page.evaluate('new Promise(() => undefined)');
    process.kill(-browser, 'SIGKILL');
    await expect(gone).rejects.toThrow(/The connection to the browser is gone/);
    await expect(page.title()).rejects.toThrow(DriverClosedError);
    await expect(page.goto(server.origin)).rejects.toThrow(DriverClosedError);
    await expect(page.locator('button').count()).rejects.toThrow(DriverClosedError);
    await expect(page.screenshot()).rejects.toThrow(DriverClosedError);
    await expect(driver.context.newPage()).rejects.toThrow(DriverClosedError);
    await expect(driver.observe()).rejects.toThrow(/The browser is gone\. Call close\(\) and init\(\)/);
    expect(lines.filter(({ level }) => level === 0)).toMatchObject([
      { category: 'driver', message: expect.stringContaining('The browser is gone') },
    ]);
    await driver.close();
    await driver.init();
    await firstPage(driver).goto(server.origin);
    expect(await firstPage(driver).title()).toBe('Here');
  });

  it('ends an instruction that waits for its model', async () => {
    const acting = driver.act('click later');
    await expect.poll(() => model.requests.length).toBe(1);
    process.kill(-browser, 'SIGKILL');
    await expect(acting).rejects.toThrow(DriverClosedError);
    expect(model.requests[0]?.signal.aborted).toBe(true);
  });
});

describe('a connection that drops', () => {
  it('rejects everything in flight while the browser lives on', async () => {
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
});

describe('a page that goes away', () => {
  it('rejects what was in flight on it, and other pages live on', async () => {
    const second = await driver.context.newPage(server.origin);
    const calls = callsInFlight();
    await page.close();
    expect(await outcomes(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    expect(driver.context.pages()).toEqual([second]);
    await expect(page.title()).rejects.toThrow(/The page was closed/);
    expect(await second.title()).toBe('Here');
  });

  it('by a crash rejects what was in flight on it, and other pages live on', async () => {
    const second = await driver.context.newPage(server.origin);
    const calls = [...callsInFlight(), page.sendCDP('Page.crash')];
    expect(await outcomes(calls)).toEqual(calls.map(() => 'DriverClosedError'));
    await expect(page.evaluate('1')).rejects.toThrow(/The page crashed/);
    expect(driver.context.pages()).toEqual([second]);
    expect(driver.context.activePage()).toBe(second);
    expect(await second.title()).toBe('Here');
  });

  it('by a crash of one frame leaves the rest of the page in use', async () => {
    server.page('/frame', '<button>Inside</button>');
    server.page('/frames', `<title>Frames</title><p>Outside</p><iframe src="${server.otherOrigin}/frame"></iframe>`);
    await page.goto(`${server.origin}/frames`);
    const inside = page.locator('iframe >> button');
    await inside.waitFor();
    const failure = failureOf(page.locator('iframe >> #never').waitFor());
    const [, frame] = page.target.frames.frames;
    await expect(frame?.session.send('Page.crash')).rejects.toThrow(DriverClosedError);
    expect(await failure).toMatchObject({
      name: 'DriverIframeError',
      message: expect.stringMatching(/The frame http:\/\/localhost.* crashed/),
    });
    expect(await page.title()).toBe('Frames');
    expect((await page.snapshot()).text).toContain('Outside');
    await page.reload();
    await inside.waitFor();
    expect((await page.snapshot()).text).toContain('Inside');
  });

  it('with the last one leaves a driver that opens another', async () => {
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
