import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DriverAbortError,
  DriverClosedError,
  DriverInvalidArgumentError,
  DriverPageNotFoundError,
  DriverTimeoutError,
  type Page,
} from '../../src/index.ts';
import { firstPage, startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser('nightly');
const test = useBrowser({
  routes: {
    '/target': '<title>Target</title><button onclick="window.close()">close</button>',
    '/moved': (_request, response) => void response.writeHead(302, { location: '/target' }).end(),
    '/closes': '<script>window.close()</script>',
    '/empty-answer': (_request, response) => void response.writeHead(204).end(),
    '/nested': `<title>Nested</title><script>window.open('/target')</script>`,
  },
});
const openPage = reusedPage(test);
let page: Page;

beforeAll(() => {
  const other = test.server.otherOrigin;
  test.server.page(
    '/',
    `<title>Opener</title>
    <a id="blank" target="_blank" href="/target">_blank</a>
    <a id="opener" target="_blank" rel="opener" href="/target">with opener</a>
    <a id="noopener" target="_blank" rel="noopener noreferrer" href="/target">without</a>
    <a id="elsewhere" target="_blank" href="${other}/target">elsewhere</a>
    <a id="named" target="there" href="/target">named</a>
    <a id="redirected" target="_blank" href="/moved">redirected</a>
    <form id="form" target="_blank" action="/target"><button>send</button></form>
    <button id="open" onclick="window.open('/target')">open</button>
    <button id="features" onclick="window.open('/target', '', 'width=300,height=200,left=10,top=10')">features</button>
    <button id="noopen" onclick="window.open('/target', '', 'noopener')">noopener</button>
    <button id="process" onclick="window.open('${other}/target')">another process</button>
    <button id="later" onclick="const w = window.open(); w.location = '/target'">empty first</button>
    <button id="mail" onclick="const w = window.open(); w.location = 'mailto:ada@shop.example'">mail</button>
    <button id="empty" onclick="window.open()">empty</button>
    <button id="about" onclick="window.open('about:blank')">about:blank</button>
    <button id="closes" onclick="window.open('/closes')">closes</button>
    <button id="closed" onclick="window.open('/target').close()">closed by its opener</button>
    <button id="two" onclick="window.open('/target?1'); window.open('/target?2')">two</button>
    <button id="nothing">nothing</button>
    <iframe srcdoc="<button onclick=&quot;window.open('${test.server.origin}/target')&quot;>from a frame</button>"></iframe>`,
  );
});

beforeEach(async () => {
  page = await openPage();
  await page.waitForLoadState('load');
});

const target = (): string => `${test.server.origin}/target`;
const elsewhere = (): string => `${test.server.otherOrigin}/target`;

describe('popup of a click', () => {
  const ways: readonly (readonly [selector: string, url: () => string])[] = rows(
    [
      ['#blank', target],
      ['#noopener', target],
      ['#elsewhere', elsewhere],
      ['#redirected', target],
      ['#form button', () => `${target()}?`],
      ['#open', target],
      ['#process', elsewhere],
      ['#later', target],
      ['#mail', () => 'about:blank'],
      ['#empty', () => 'about:blank'],
      ['iframe >> button', target],
    ],
    [
      ['#opener', target],
      ['#named', target],
      ['#features', target],
      ['#noopen', target],
      ['#about', () => 'about:blank'],
    ],
  );

  it.each(ways)(
    'emits popup and page events, and activates the popup with its final URL: %s',
    async (selector, url) => {
      const told: Page[] = [];
      const ofContext: Page[] = [];
      const { context } = test.driver;
      const listener = (opened: Page): void => void ofContext.push(opened);
      context.on('page', listener);
      page.on('popup', (popup) => told.push(popup));
      await page.locator(selector).click();
      const popup = await context.awaitActivePage();
      expect(popup.url()).toBe(url());
      expect(context.activePage()).toBe(popup);
      expect(context.pages().slice(1)).toEqual([page, popup]);
      await expect.poll(() => told).toEqual([popup]);
      await expect.poll(() => ofContext).toEqual([popup]);
      context.off('page', listener);
    },
  );

  it('emits `popup` when the page is usable', async () => {
    page.once('popup', async (popup) => {
      await popup.waitForLoadState('load');
      await popup.evaluate(`document.title = 'seen by the listener'`);
    });
    await page.locator('#open').click();
    const popup = await test.driver.context.awaitActivePage();
    await expect.poll(() => popup.title()).toBe('seen by the listener');
  });

  it('emits each of two popups that one click opens', async () => {
    const told: Page[] = [];
    page.on('popup', (popup) => told.push(popup));
    await page.locator('#two').click();
    await expect.poll(() => told.length).toBe(2);
    await expect.poll(() => told.map((popup) => popup.url()).toSorted()).toEqual([`${target()}?1`, `${target()}?2`]);
    expect(test.driver.context.pages()).toHaveLength(4);
  });

  it('activates the second popup that the first one opens', async () => {
    const popped = page.waitForEvent('popup');
    await page.evaluate(`void window.open('/nested')`);
    const first = await popped;
    await expect.poll(() => test.driver.context.pages().length).toBe(4);
    const second = test.driver.context.activePage();
    expect(second).not.toBe(first);
    await expect.poll(() => second?.url()).toBe(target());
  });

  it('makes the popup the active page, and `act` reports it', async () => {
    const result = await test.driver.act({ selector: '#open', description: 'open', method: 'click' }, { page });
    expect(result).toMatchObject({
      effect: 'opened',
      message: expect.stringContaining('a new page opened and is now the active page'),
    });
    const popup = await test.driver.context.awaitActivePage();
    expect(await popup.title()).toBe('Target');
  });
});

describe('popup that closes', () => {
  it.each(['#closes', '#closed'])(
    'keeps the opener active when the popup closes immediately (%s)',
    async (selector) => {
      const told: Page[] = [];
      page.on('popup', (popup) => told.push(popup));
      await page.locator(selector).click();
      await expect.poll(() => told.length).toBe(1);
      await expect.poll(() => test.driver.context.pages().slice(1)).toEqual([page]);
      expect(test.driver.context.activePage()).toBe(page);
      expect(told[0]?.isClosed()).toBe(true);
      await expect(told[0]?.title()).rejects.toThrow(DriverClosedError);
    },
  );

  it('emits `close`, and activates the previous page again', async () => {
    await page.locator('#open').click();
    const popup = await test.driver.context.awaitActivePage();
    const closed: Page[] = [];
    popup.on('close', (gone) => closed.push(gone));
    const waited = popup.waitForEvent('close');
    // On a busy machine it may be gone before it has answered.
    await popup.evaluate('void setTimeout(() => window.close(), 100)').catch(() => undefined);
    expect(await waited).toBe(popup);
    expect(closed).toEqual([popup]);
    expect(test.driver.context.activePage()).toBe(page);
    expect(test.driver.context.pages()).not.toContain(popup);
  });

  it('activates the page that was active before it, not the opener', async () => {
    const { context } = test.driver;
    await page.locator('#open').click();
    const popup = await context.awaitActivePage();
    const third = await context.newPage();
    context.setActivePage(popup);
    await popup.close();
    expect(context.activePage()).toBe(third);
  });
});

describe('awaitActivePage()', () => {
  it('returns the active page immediately when no page is opening', async () => {
    const { context } = test.driver;
    expect(await context.awaitActivePage(1)).toBe(page);
    await page.locator('#nothing').click();
    expect(await context.awaitActivePage()).toBe(page);
  });

  it('rejects when no page is open and none opens in time', async () => {
    await using other = await startDriver();
    const { context } = other.driver;
    await firstPage(other.driver).close();
    const failure = await failureOf(context.awaitActivePage(150));
    expect(failure).toBeInstanceOf(DriverPageNotFoundError);
    expect(String(failure)).toContain('No page was opened within 150 ms');
  });

  it('waits for the page that a pending click opens', async () => {
    const { context } = test.driver;
    test.server.page('/asks', `<button onclick="confirm('sure?'); window.open('/target')">ask</button>`);
    await page.goto(`${test.server.origin}/asks`);
    const asked = page.waitForEvent('dialog');
    const clicked = page.locator('button').click();
    const dialog = await asked;
    const awaited = context.awaitActivePage();
    await dialog.accept();
    await clicked;
    expect((await awaited).url()).toBe(target());
  });

  it('returns the page that a script opens 50 ms after the click', async () => {
    await page.evaluate(
      `document.querySelector('#nothing').onclick = () => setTimeout(() => window.open('/target'), 50)`,
    );
    await page.locator('#nothing').click();
    expect((await test.driver.context.awaitActivePage()).url()).toBe(target());
  });

  it('returns the active page again after it returned the popup', async () => {
    await page.locator('#open').click();
    const { context } = test.driver;
    const popup = await context.awaitActivePage();
    expect(await context.awaitActivePage()).toBe(popup);
    context.setActivePage(page);
    expect(await context.awaitActivePage()).toBe(page);
  });

  it('keeps waiting when a page closes before it has a document', async () => {
    const { context } = test.driver;
    test.server.page('/silent', () => undefined);
    await page.evaluate(`void (window.silent = window.open('/silent'))`);
    await expect.poll(() => context.pages().length).toBe(3);
    const awaited = context.awaitActivePage();
    await page.evaluate('silent.close()');
    await expect.poll(() => context.pages().length).toBe(2);
    await page.locator('#open').click();
    expect((await awaited).url()).toBe(target());
  });

  const NO_DOCUMENT: readonly (readonly [how: string, script: string])[] = [
    ['status 204', `window.open('/empty-answer')`],
    ['status 204 after a navigation by script', `window.open().location = '/empty-answer'`],
    ['a javascript: URL', `window.open('javascript:1')`],
  ];

  it.each(NO_DOCUMENT)('returns an empty page that receives no document: %s', async (_how, script) => {
    const { context } = test.driver;
    await page.evaluate(`void (${script})`);
    const popup = await context.awaitActivePage();
    expect([popup.url(), await popup.title()]).toEqual(['about:blank', '']);
  });

  it('returns an empty page whose navigation is stopped', async () => {
    const asked = Promise.withResolvers<void>();
    test.server.page('/stopped', () => asked.resolve());
    await page.evaluate(`void (window.stopped = window.open('/stopped'))`);
    const awaited = test.driver.context.awaitActivePage();
    await asked.promise;
    await page.evaluate('stopped.stop()');
    const popup = await awaited;
    expect([popup.url(), await popup.title()]).toEqual(['about:blank', '']);
  });

  it('rejects with the network error of a page that failed to open', async () => {
    const { context } = test.driver;
    test.server.page('/refused', ({ socket }) => void socket.destroy());
    await page.evaluate(`void window.open('/refused')`);
    await expect.poll(() => context.pages().at(-1)?.url()).toMatch(/refused$/);
    await expect(context.awaitActivePage()).rejects.toThrow(/Cannot open .*\/refused: net::ERR_EMPTY_RESPONSE/);
  });

  it('times out while the server of the new page does not respond', async () => {
    const asked = Promise.withResolvers<void>();
    test.server.page('/mute', () => asked.resolve());
    await page.evaluate(`void window.open('/mute')`);
    await asked.promise;
    await expect(test.driver.context.awaitActivePage(200)).rejects.toThrow(DriverTimeoutError);
  });
});

describe('context.waitForEvent()', () => {
  it('returns the next page, or the next one that the predicate accepts', async () => {
    const { context } = test.driver;
    const [popup] = await Promise.all([context.waitForEvent('page'), page.locator('#open').click()]);
    expect(context.activePage()).toBe(popup);
    const second = context.waitForEvent('page', (opened) => opened.waitForURL('**/target?2').then(() => true));
    await page.evaluate(`void window.open('/target?2')`);
    expect((await second).url()).toBe(`${target()}?2`);
  });

  it('rejects at its timeout, on abort, and for an unknown event or an invalid predicate', async () => {
    const { context } = test.driver;
    const stop = new AbortController();
    const stopped = failureOf(context.waitForEvent('page', { signal: stop.signal }));
    stop.abort();
    expect(await stopped).toBeInstanceOf(DriverAbortError);
    const late = await failureOf(context.waitForEvent('page', { timeout: 100 }));
    expect(late).toBeInstanceOf(DriverTimeoutError);
    expect(late).toMatchObject({ operation: 'context.waitForEvent' });
    await expect(context.waitForEvent('popup' as never)).rejects.toThrow(/event must be one of page, close/);
    await expect(context.waitForEvent('page', { predicate: 5 as never })).rejects.toThrow(
      /predicate must be a function/,
    );
  });

  it('resolves `close`, and rejects a wait for `page`, when the driver closes', async () => {
    const other = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const { context } = other.driver;
    const closed = context.waitForEvent('close');
    const opened = failureOf(context.waitForEvent('page'));
    await other.driver.close();
    expect(await closed).toBe(context);
    expect(await opened).toBeInstanceOf(DriverClosedError);
    await expect(context.waitForEvent('close')).rejects.toThrow(DriverClosedError);
  });
});

describe('context listeners', () => {
  it('emits pages that the driver opens and pages that a script opens', async () => {
    const { context } = test.driver;
    const told: Page[] = [];
    const listener = (opened: Page): void => void told.push(opened);
    context.on('page', listener);
    const opened = await context.newPage();
    expect(told).toEqual([opened]);
    await page.sendCDP('Runtime.evaluate', { expression: `void window.open('/target')`, userGesture: true });
    await expect.poll(() => told.length).toBe(2);
    context.off('page', listener);
    await context.newPage();
    expect(told).toHaveLength(2);
  });

  it('calls a `once()` listener for one page only', async () => {
    const { context } = test.driver;
    const told: Page[] = [];
    context.once('page', (opened) => told.push(opened));
    const first = await context.newPage();
    await context.newPage();
    expect(told).toEqual([first]);
  });

  it('logs a listener that throws, and still opens the page', async () => {
    const { context } = test.driver;
    const before = test.lines.length;
    context.once('page', () => {
      throw new TypeError('no page for me');
    });
    const opened = await context.newPage(target());
    expect(await opened.title()).toBe('Target');
    expect(test.lines.slice(before).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('A listener for "page" threw: TypeError: no page for me'),
    );
  });

  it('emits `close` when the driver closes', async () => {
    const other = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const { context } = other.driver;
    const closed: unknown[] = [];
    context.on('close', (gone) => closed.push(gone));
    await other.driver.close();
    expect(closed).toEqual([context]);
    expect(firstPage(test.driver).isClosed()).toBe(false);
  });

  it('rejects an unknown event and a missing listener', () => {
    const { context } = test.driver;
    expect(() => context.on('popup' as never, () => undefined)).toThrow(DriverInvalidArgumentError);
    expect(() => context.on('page', undefined as never)).toThrow(/listener must be a function. Received undefined/);
  });
});
