import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Driver, DriverError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { browserIn } from '../support/launched-driver.ts';
import { processesWith, profileOf, remainsOf } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
beforeAll(async () => {
  server = await serve({
    '/': '<title>Here</title><button>Buy</button><input><iframe srcdoc="<p>Inside</p>"></iframe>',
  });
});
afterAll(() => server.close());

const LIMIT = { timeout: 100 };

type Call = (page: Page, driver: Driver) => Promise<unknown>;

/** A call of each kind that needs the browser. */
const calls: Readonly<Record<string, Call>> = {
  goto: (page) => page.goto(server.origin, LIMIT),
  reload: (page) => page.reload(LIMIT),
  goBack: (page) => page.goBack(LIMIT),
  title: (page) => page.title(),
  content: (page) => page.content(),
  evaluate: (page) => page.evaluate('1'),
  click: (page) => page.click(5, 5, LIMIT),
  type: (page) => page.type('a', LIMIT),
  keyPress: (page) => page.keyPress('Enter', LIMIT),
  snapshot: (page) => page.snapshot(LIMIT),
  screenshot: (page) => page.screenshot(LIMIT),
  waitForSelector: (page) => page.waitForSelector('button', LIMIT),
  bringToFront: (page) => page.bringToFront(),
  sendCDP: (page) => page.sendCDP('Page.getFrameTree'),
  'locator.click': (page) => page.locator('button').click(LIMIT),
  'locator.fill': (page) => page.locator('input').fill('a', LIMIT),
  'locator.count': (page) => page.locator('button').count(LIMIT),
  'locator.textContent': (page) => page.locator('button').textContent(LIMIT),
  'locator.isVisible': (page) => page.locator('button').isVisible(LIMIT),
  'locator.boundingBox': (page) => page.locator('button').boundingBox(LIMIT),
  'locator.screenshot': (page) => page.locator('button').screenshot(LIMIT),
  'locator in a frame': (page) => page.locator('iframe >> p').textContent(LIMIT),
  newPage: (_page, driver) => driver.context.newPage(),
};
/** Verbs take a page that is open; one that is not is a wrong argument. */
const verbs: Readonly<Record<string, Call>> = {
  act: (page, driver) =>
    driver.act({ selector: 'button', description: '', method: 'click', arguments: [] }, { page, ...LIMIT }),
  extract: (page, driver) => driver.extract({ page, ...LIMIT }),
  observe: (page, driver) => driver.observe({ page, ...LIMIT }),
};

let alive: TestDriver;
beforeAll(async () => {
  alive = await startDriver({ defaultTimeout: 15_000 });
});
afterAll(() => alive.driver.close());

describe('closed page', () => {
  let closed: Page;
  beforeAll(async () => {
    closed = await alive.driver.context.newPage(server.origin);
    await closed.close();
  });

  it.each(Object.entries(calls).filter(([name]) => name !== 'newPage'))('%s rejects as closed', async (_name, call) => {
    expect(await failureOf(call(closed, alive.driver))).toMatchObject({
      name: 'DriverClosedError',
      message: expect.stringContaining('The page was closed'),
    });
  });

  it.each(Object.entries(verbs))('%s rejects the page as an invalid argument', async (_name, call) => {
    expect(await failureOf(call(closed, alive.driver))).toMatchObject({
      name: 'DriverInvalidArgumentError',
      argument: 'page',
    });
  });

  it('isClosed(), url(), targetId() and close() still work', async () => {
    expect([closed.isClosed(), closed.url(), closed.targetId().length]).toEqual([true, `${server.origin}/`, 32]);
    await closed.close();
    expect(await alive.page.evaluate('1 + 1')).toBe(2);
  });
});

describe('unresponsive browser', () => {
  let started: TestDriver;
  let profile: string;
  beforeAll(async () => {
    started = await startDriver({ defaultTimeout: LIMIT.timeout });
    await started.page.goto(server.origin, { waitUntil: 'load', timeout: 20_000 });
    profile = profileOf(browserIn(started.lines));
    for (const pid of processesWith(profile)) process.kill(pid, 'SIGSTOP');
  });

  it.each(Object.entries({ ...calls, ...verbs }))('%s rejects at its timeout', async (_name, call) => {
    const failure = await failureOf(call(started.page, started.driver));
    expect(failure).toBeInstanceOf(DriverError);
    expect(failure).toMatchObject({ code: 'TIMEOUT', ...LIMIT });
  });

  it('driver.close() with `force: true` leaves no process or profile', async () => {
    await started.driver.close({ force: true });
    await expect.poll(() => remainsOf(profile), { timeout: 10_000 }).toEqual([]);
  });
});

/** Time to look for an element. */
const SHORT = { timeout: 400 };

describe('removed frame', () => {
  it.each<readonly [name: string, call: (page: Page) => Promise<unknown>]>([
    ['click', (page) => page.locator('iframe >> p').click(SHORT)],
    ['textContent', (page) => page.locator('iframe >> p').textContent(SHORT)],
    ['fill', (page) => page.locator('iframe >> input').fill('a', SHORT)],
    ['waitForSelector', (page) => page.waitForSelector('iframe >> p', SHORT)],
  ])('%s reports that no element matches', async (_name, call) => {
    await alive.page.goto(server.origin, { waitUntil: 'load', timeout: 20_000 });
    await alive.page.evaluate('document.querySelector("iframe").remove()');
    expect(await failureOf(call(alive.page))).toMatchObject({
      message: expect.stringMatching(/No element matches|did not become|no document/),
    });
    expect(await alive.page.locator('button').count()).toBe(1);
  });
});

/** The last block: it ends the browser of the others. */
describe('killed browser', () => {
  beforeAll(async () => {
    await alive.page.goto(server.origin);
    const gone = failureOf(alive.page.evaluate('new Promise(() => undefined)'));
    process.kill(-browserIn(alive.lines), 'SIGKILL');
    await gone;
  });

  it.each(Object.entries({ ...calls, ...verbs }))('%s rejects because the connection was lost', async (_name, call) => {
    expect(await failureOf(call(alive.page, alive.driver))).toMatchObject({
      name: 'DriverClosedError',
      message: expect.stringMatching(/connection to the browser was lost/),
    });
  });
});
