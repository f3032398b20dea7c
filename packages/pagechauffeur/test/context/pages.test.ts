import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  Driver,
  type DriverContext,
  DriverClosedError,
  DriverNavigationError,
  DriverNotInitializedError,
  DriverPageNotFoundError,
  type Page,
} from '../../src/index.ts';
import { firstPage, startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { startRelay } from '../support/relay.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let context: DriverContext;

beforeAll(async () => {
  server = await serve({
    '/': '<title>Site</title><button>press</button>',
    '/opens': `<title>Opens</title><button onclick="window.open('/')">open</button>`,
    '/mute': () => undefined,
    '/loading': '<title>Loading</title><img src="/mute">',
    '/file': (_request, response) => {
      response.setHeader('content-disposition', 'attachment; filename="file.txt"');
      response.end('text');
    },
  });
  test = await startDriver();
  ({ context } = test.driver);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

afterEach(async () => {
  const [first, ...others] = context.pages();
  for (const other of others) await other.close();
  if (!first) await context.newPage();
});

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return `http://127.0.0.1:${port}/`;
}

describe('pages()', () => {
  it('returns a new array each time', () => {
    context.pages().length = 0;
    expect(context.pages()).toHaveLength(1);
  });

  it('contains a page after newPage() resolves and not after close() resolves', async () => {
    const page = await context.newPage();
    expect(context.pages()).toContain(page);
    await page.close();
    expect(context.pages()).not.toContain(page);
  });

  it('is empty after all pages close, and newPage() still opens a page', async () => {
    for (const page of context.pages()) await page.close();
    expect([context.pages(), context.activePage()]).toEqual([[], undefined]);
    expect(await failureOf(test.driver.observe())).toBeInstanceOf(DriverPageNotFoundError);
    const page = await context.newPage(server.origin);
    expect([context.pages(), context.activePage(), await page.title()]).toEqual([[page], page, 'Site']);
    await page.locator('button').click();
  });

  it('keeps the opening order when the active page changes', async () => {
    const first = firstPage(test.driver);
    const opened = [await context.newPage(), await context.newPage(), await context.newPage()];
    context.setActivePage(first);
    await opened[1]?.close();
    expect(context.pages()).toEqual([first, opened[0], opened[2]]);
  });

  it('contains all pages of concurrent newPage() calls, each with its document', async () => {
    const opened = await Promise.all(Array.from({ length: 6 }, () => context.newPage(server.origin)));
    expect(new Set(context.pages())).toEqual(new Set([firstPage(test.driver), ...opened]));
    expect(await Promise.all(opened.map((page) => page.title()))).toEqual(opened.map(() => 'Site'));
  });
});

describe('newPage(url)', () => {
  it.each([
    ['has a closed port', deadAddress],
    ['is malformed', () => Promise.resolve('nowhere in particular')],
    ['has an unknown host', () => Promise.resolve('http://no-such-host.invalid/')],
    ['starts a download', () => Promise.resolve(`${server.origin}/file`)],
  ])('closes the page again when the URL %s', async (_title, address) => {
    const before = context.pages();
    const active = context.activePage();
    expect(await failureOf(context.newPage(await address()))).toBeInstanceOf(DriverNavigationError);
    expect([context.pages(), context.activePage()]).toEqual([before, active]);
  });

  it('closes the page again when the navigation times out', async () => {
    await using guest = await startDriver({
      defaultTimeout: 500,
      localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() },
    });
    const failure = await failureOf(guest.driver.context.newPage(`${server.origin}/mute`));
    expect(failure).toMatchObject({ code: 'TIMEOUT' });
    await expect.poll(() => guest.driver.context.pages()).toEqual([guest.page]);
    await expect.poll(() => context.pages()).toEqual([firstPage(test.driver)]);
  });

  it('closes a page that the browser opens after the timeout', async () => {
    await using relay = await startRelay();
    const address = new URL(test.driver.connectURL());
    relay.target = Number(address.port);
    address.port = String(relay.port);
    await using guest = await startDriver({
      defaultTimeout: 0.001,
      localBrowserLaunchOptions: { cdpUrl: address.href },
    });
    // Else the answer may come first where the process gets no time.
    relay.delay = 100;
    const opened: Page[] = [];
    guest.driver.context.on('page', (page) => opened.push(page));
    expect(await failureOf(guest.driver.context.newPage())).toMatchObject({ code: 'TIMEOUT' });
    await expect.poll(() => opened.map((page) => page.isClosed())).toEqual([true]);
    expect(guest.driver.context.pages()).toEqual([guest.page]);
  });

  it('keeps the page when the server responds with an error', async () => {
    const page = await context.newPage(`${server.origin}/no-such-page`);
    expect([context.pages().includes(page), await page.title()]).toEqual([true, 'Not found']);
  });
});

describe('active page', () => {
  // [spec: properties.context.setActivePage, properties.context.activePage]
  it.each([
    [[0, 1, 2], 2, 1],
    [[2, 1, 0], 0, 1],
    [[1, 0, 2, 1], 1, 2],
    [[0, 2, 0, 1, 0], 0, 1],
    [[2, 0], 1, 0],
  ])('falls back after setting %j and closing %i to page %i', async (order, closed, left) => {
    const pages = [firstPage(test.driver), await context.newPage(), await context.newPage()];
    for (const index of order) context.setActivePage(pages[index] as Page);
    await pages[closed]?.close();
    expect(context.activePage()).toBe(pages[left]);
  });

  it('falls back through the remaining pages as they close one by one', async () => {
    const pages = [firstPage(test.driver), await context.newPage(), await context.newPage(), await context.newPage()];
    context.setActivePage(pages[1] as Page);
    const seen: (number | undefined)[] = [];
    while (context.pages().length > 0) {
      const active = context.activePage();
      seen.push(active && pages.indexOf(active));
      await active?.close();
    }
    expect(seen).toEqual([1, 3, 2, 0]);
  });

  it('is the popup after it opens and the opener after it closes', async () => {
    const opener = await context.newPage(`${server.origin}/opens`);
    await opener.locator('button').click();
    const popup = await context.awaitActivePage();
    expect(context.activePage()).toBe(popup);
    await popup.close();
    expect(context.activePage()).toBe(opener);
  });

  // [spec: page.active]
  it('is the default page of observe()', async () => {
    const first = firstPage(test.driver);
    await first.goto(server.origin);
    const second = await context.newPage(`${server.origin}/opens`);
    const names = async (): Promise<string> =>
      (await test.driver.observe()).map(({ description }) => description).join();
    expect(await names()).toContain('open');
    context.setActivePage(first);
    expect(await names()).toContain('press');
    expect(second.isClosed()).toBe(false);
  });

  it('receives clicks in the background and does not change on bringToFront()', async () => {
    const first = firstPage(test.driver);
    await first.goto(server.origin);
    await first.evaluate(`document.querySelector('button').onclick = () => { document.title = 'pressed' }; undefined`);
    const second = await context.newPage(server.origin);
    await second.bringToFront();
    context.setActivePage(first);
    await first.locator('button').click();
    expect(await first.title()).toBe('pressed');
    await second.bringToFront();
    expect(context.activePage()).toBe(first);
  });
});

describe('page.close()', () => {
  it('resolves for concurrent and repeated calls', async () => {
    const page = await context.newPage();
    await Promise.all([page.close(), page.close()]);
    expect([page.isClosed(), context.pages().includes(page)]).toEqual([true, false]);
    await page.close();
  });

  it.each<[string, (page: Page) => Promise<unknown>]>([
    ['evaluate()', (page) => page.evaluate('new Promise(() => undefined)')],
    ['click()', (page) => page.locator('#absent').click()],
    ['waitForSelector()', (page) => page.waitForSelector('#absent')],
    ['goto()', (page) => page.goto(`${server.origin}/mute`)],
    ['waitForTimeout()', (page) => page.waitForTimeout(60_000)],
    ['waitForLoadState()', (page) => page.waitForLoadState('load')],
    ['waitForEvent()', (page) => page.waitForEvent('popup')],
  ])('rejects a pending %s with a DriverClosedError', async (_title, call) => {
    const page = await context.newPage(`${server.origin}/loading`);
    const failure = failureOf(call(page));
    await page.close();
    expect(await failure).toBeInstanceOf(DriverClosedError);
  });

  it('keeps url() and targetId() available after the page closes', async () => {
    const page = await context.newPage(server.origin);
    const id = page.targetId();
    await page.close();
    expect([page.url(), page.targetId(), page.isClosed()]).toEqual([`${server.origin}/`, id, true]);
  });
});

describe('context.close()', () => {
  it('closes the driver, emits "close" and allows another init()', async () => {
    const own = await startDriver();
    const { context: old } = own.driver;
    const closed: unknown[] = [];
    old.on('close', (gone) => closed.push(gone));
    const waiting = failureOf(own.page.evaluate('new Promise(() => undefined)'));
    await old.close();
    expect(closed).toEqual([old]);
    expect(await waiting).toBeInstanceOf(DriverClosedError);
    expect(() => own.driver.context).toThrow(DriverNotInitializedError);
    expect([old.pages(), old.activePage(), own.page.isClosed()]).toEqual([[], undefined, true]);
    await own.driver.init();
    await old.close();
    expect(own.driver.context.pages()).toHaveLength(1);
    // At the same time as close() of the driver it is one closing.
    const { context: fresh } = own.driver;
    await Promise.all([fresh.close(), own.driver.close(), fresh.close()]);
    expect(() => own.driver.context).toThrow(DriverNotInitializedError);
    expect(firstPage(test.driver).isClosed()).toBe(false);
  });

  it('leaves an attached browser running', async () => {
    const guest = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() },
    });
    await guest.init();
    await guest.context.close();
    expect(await firstPage(test.driver).evaluate('1 + 1')).toBe(2);
  });
});
