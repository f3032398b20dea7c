import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Driver,
  DriverInvalidArgumentError,
  DriverNavigationError,
  DriverTimeoutError,
  type Page,
} from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { useBrowser } from '../support/use-browser.ts';

const test = useBrowser({
  routes: {
    '/': `<title>Opener</title>
      <a target="_blank" href="/target">new tab</a>
      <button id="popup" onclick="window.open('/target')">popup</button>
      <button id="blank" onclick="window.open('about:blank').document.write('<title>Written</title>')">blank</button>
      <button id="closing" onclick="window.open('/closes')">closing</button>
      <button id="nothing">nothing</button>`,
    '/target': '<title>Target</title><button onclick="window.close()">close me</button>',
    '/closes': '<script>window.close()</script>',
  },
});
let page: Page;

beforeEach(async () => {
  page = firstPage(test.driver);
  await page.goto(test.server.origin, { waitUntil: 'load' });
});

afterEach(async () => {
  const [, ...others] = test.driver.context.pages();
  for (const other of others) await other.close();
});

describe('context.pages()', () => {
  // [spec: properties.context.newPage, properties.context.pages, properties.context.activePage]
  it('returns the same page objects, oldest first, and activates the page of newPage()', async () => {
    const { context } = test.driver;
    const second = await context.newPage();
    const third = await context.newPage(`${test.server.origin}/target`);
    expect(context.pages()).toEqual([page, second, third]);
    expect(context.pages()[1]).toBe(second);
    expect(context.activePage()).toBe(third);
    expect([second.url(), third.url(), await third.title()]).toEqual([
      'about:blank',
      `${test.server.origin}/target`,
      'Target',
    ]);
  });

  it('activates the previously active page when a page closes', async () => {
    const { context } = test.driver;
    const second = await context.newPage();
    const third = await context.newPage();
    context.setActivePage(page);
    context.setActivePage(third);
    await third.close();
    expect(context.activePage()).toBe(page);
    await second.close();
    expect(context.activePage()).toBe(page);
    expect([third.isClosed(), page.isClosed()]).toEqual([true, false]);
    expect(context.pages()).toEqual([page]);
  });

  it('lists pages that another driver opens until it closes them', async () => {
    const { context } = test.driver;
    const other = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() },
    });
    await other.init();
    expect(other.context.pages()).toHaveLength(1);
    const opened = await other.context.newPage(`${test.server.origin}/target`);
    await expect.poll(() => context.pages().length).toBe(2);
    const seen = context.pages()[1];
    expect(seen?.targetId()).toBe(opened.targetId());
    await expect.poll(() => seen?.url()).toBe(`${test.server.origin}/target`);
    expect(await seen?.title()).toBe('Target');
    await opened.close();
    await expect.poll(() => context.pages().length).toBe(1);
    await other.close();
  });

  it('rejects a closed or foreign page as an argument', async () => {
    const { context } = test.driver;
    const gone = await context.newPage();
    await gone.close();
    for (const wrong of [gone, {}, undefined])
      expect(() => context.setActivePage(wrong as Page)).toThrow(DriverInvalidArgumentError);
    await expect(test.driver.observe({ page: gone })).rejects.toThrow(/page must be an open page of this driver/);
  });
});

describe('context.newPage(url)', () => {
  it('closes the page again when the URL cannot be opened', async () => {
    const { context } = test.driver;
    for (const url of ['not an address', 'http://no-such-host.invalid/']) {
      await expect(context.newPage(url)).rejects.toThrow(DriverNavigationError);
    }
    await expect(context.newPage('')).rejects.toThrow(DriverInvalidArgumentError);
    expect(context.pages()).toEqual([page]);
    expect(context.activePage()).toBe(page);
  });
});

describe('popup', () => {
  it.each(['a', '#popup'])('becomes the active page with its final URL when %s opens it', async (selector) => {
    const { context } = test.driver;
    await page.locator(selector).click();
    const popup = await context.awaitActivePage();
    expect(popup).not.toBe(page);
    expect(context.activePage()).toBe(popup);
    expect(context.pages()).toEqual([page, popup]);
    expect([popup.url(), await popup.title()]).toEqual([`${test.server.origin}/target`, 'Target']);
  });

  it('has its final URL after `awaitActivePage()` when the server is slow', async () => {
    const { context } = test.driver;
    const asked = Promise.withResolvers<() => void>();
    test.server.page('/slow', (_request, response) => asked.resolve(() => response.end('<title>At last</title>')));
    await page.evaluate("void window.open('/slow')");
    const popup = context.awaitActivePage();
    (await asked.promise)();
    expect([(await popup).url(), await (await popup).title()]).toEqual([`${test.server.origin}/slow`, 'At last']);
  });

  it('shows the document that its opener writes', async () => {
    await page.locator('#blank').click();
    const popup = await test.driver.context.awaitActivePage();
    expect([popup.url(), await popup.title()]).toEqual(['about:blank', 'Written']);
  });

  it('leaves the opener active when it closes itself', async () => {
    const { context } = test.driver;
    await page.locator('#closing').click();
    await expect.poll(() => context.pages()).toEqual([page]);
    expect(context.activePage()).toBe(page);
    await page.locator('#popup').click();
    const popup = await context.awaitActivePage();
    await popup.locator('button').click();
    await expect.poll(() => context.pages()).toEqual([page]);
    expect(popup.isClosed()).toBe(true);
    expect(await page.title()).toBe('Opener');
  });
});

describe('context.awaitActivePage()', () => {
  it('returns the active page when no popup opens', async () => {
    await page.locator('#nothing').click();
    expect(await test.driver.context.awaitActivePage(200)).toBe(page);
  });

  it('times out while a popup gets no response', async () => {
    const asked = Promise.withResolvers<void>();
    test.server.page('/mute', () => asked.resolve());
    await page.evaluate("void window.open('/mute')");
    await asked.promise;
    const failure = test.driver.context.awaitActivePage(300);
    await expect(failure).rejects.toThrow(DriverTimeoutError);
    await expect(failure).rejects.toMatchObject({ operation: 'context.awaitActivePage' });
  });
});

describe('dialogs', () => {
  it.each([
    ['alert("hello")', undefined],
    ['confirm("sure?")', false],
    ['prompt("name?", "Ann")', null],
  ])('dismisses and logs %s', async (script, value) => {
    const before = test.lines.length;
    expect(await page.evaluate(script)).toBe(value);
    expect(test.lines.slice(before)).toMatchObject([
      {
        category: 'page',
        level: 1,
        message: expect.stringMatching(/^Dismissed a dialog \((alert|confirm|prompt)\): "/),
      },
    ]);
  });

  it('dismisses dialogs in a frame and during load', async () => {
    test.server.page(
      '/alerts',
      `<title>Alerts</title><script>alert('loading')</script><iframe srcdoc="<script>alert('framed')</script>"></iframe>`,
    );
    await page.goto(`${test.server.origin}/alerts`, { waitUntil: 'load' });
    expect(await page.title()).toBe('Alerts');
  });

  it('accepts beforeunload dialogs on navigation and on close', async () => {
    test.server.page(
      '/stay',
      `<title>Stay</title><button>touch</button><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
    );
    await page.goto(`${test.server.origin}/stay`, { waitUntil: 'load' });
    await page.locator('button').click();
    await page.goto(`${test.server.origin}/target`);
    expect(await page.title()).toBe('Target');
    const tab = await test.driver.context.newPage(`${test.server.origin}/stay`);
    await tab.locator('button').click();
    await tab.close();
    expect(tab.isClosed()).toBe(true);
  });
});
