import { beforeEach, describe, expect, it } from 'vitest';
import {
  DriverAbortError,
  DriverClosedError,
  DriverInvalidArgumentError,
  DriverTimeoutError,
  type Page,
  type PageEventMap,
} from '../../src/index.ts';
import { CdpProxy } from '../support/cdp-proxy.ts';
import { firstPage, startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';

const EVENTS: readonly (keyof PageEventMap<Page>)[] = [
  'console',
  'dialog',
  'download',
  'popup',
  'request',
  'response',
  'pageerror',
  'framenavigated',
  'close',
];

const test = useBrowser({
  routes: { '/': '<title>Here</title><iframe src="/inner"></iframe>', '/inner': '<p>inner</p>' },
});
const openPage = reusedPage(test);
let page: Page;

beforeEach(async () => {
  page = await openPage();
  await page.waitForLoadState('load');
});

async function log(...texts: readonly string[]): Promise<void> {
  await page.evaluate(texts.map((text) => `console.log(${JSON.stringify(text)})`).join(';'));
}

describe('page listeners', () => {
  it('calls listeners in the order and as often as they were added', async () => {
    const calls: string[] = [];
    const first = (): void => void calls.push('first');
    page.on('console', first);
    page.on('console', () => calls.push('second'));
    page.on('console', first);
    await log('x');
    expect(calls).toEqual(['first', 'second', 'first']);
    page.off('console', first);
    await log('y');
    expect(calls.slice(3)).toEqual(['first', 'second']);
  });

  it('calls a `once()` listener for one event only', async () => {
    const texts: string[] = [];
    page.once('console', (message) => texts.push(message.text()));
    await log('one', 'two');
    expect(texts).toEqual(['one']);
  });

  it('allows listeners to remove themselves and to add others', async () => {
    const calls: string[] = [];
    const listener = (): void => {
      calls.push('gone after this');
      page.off('console', listener);
      page.on('console', () => calls.push('added'));
    };
    page.on('console', listener);
    await log('one');
    await log('two');
    expect(calls).toEqual(['gone after this', 'added']);
  });

  it('returns the page from `on()`, `once()` and `off()`', () => {
    const nothing = (): void => undefined;
    expect(page.on('console', nothing).once('close', nothing).off('console', nothing)).toBe(page);
  });

  it('logs listeners that throw or reject, and still calls the others', async () => {
    const before = test.lines.length;
    const texts: string[] = [];
    page.on('console', () => {
      throw new TypeError('sync');
    });
    page.on('console', () => Promise.reject(new TypeError('async')));
    page.on('console', (message) => texts.push(message.text()));
    await log('heard');
    expect(texts).toEqual(['heard']);
    await expect
      .poll(() =>
        test.lines.slice(before).filter(({ message }) => message.startsWith('A listener for "console" threw')),
      )
      .toHaveLength(2);
    expect(await page.title()).toBe('Here');
  });

  it.each(EVENTS)('ignores `off()` for a %s listener that was never added', (event) => {
    expect(page.off(event, () => undefined)).toBe(page);
  });

  it('rejects invalid events, listeners and options', async () => {
    for (const wrong of ['', 'Console', 'toString', 5, undefined, null])
      expect(() => page.on(wrong as never, () => undefined)).toThrow(DriverInvalidArgumentError);
    expect(() => page.on('load' as never, () => undefined)).toThrow(
      /event must be one of console, dialog, download, popup, request, response, pageerror, framenavigated, close. Received the string "load"/,
    );
    for (const wrong of [undefined, null, 'f', {}])
      expect(() => page.once('close', wrong as never)).toThrow(/listener must be a function/);
    await expect(page.waitForEvent('load' as never)).rejects.toThrow(DriverInvalidArgumentError);
    await expect(page.waitForEvent('close', { predicate: 5 as never })).rejects.toThrow(/predicate must be a function/);
    await expect(page.waitForEvent('close', { timeout: -1 })).rejects.toThrow(DriverInvalidArgumentError);
    await expect(page.waitForEvent('close', 5 as never)).rejects.toThrow(/options must be an object/);
  });

  it('adds no CDP commands without listeners, nor for request, popup or dialog listeners', async () => {
    await using proxy = await CdpProxy.start(test.driver.connectURL());
    const other = await startDriver({ localBrowserLaunchOptions: { cdpUrl: proxy.url } });
    await firstPage(other.driver).goto(test.server.origin, { waitUntil: 'load' });
    await firstPage(other.driver).snapshot();
    const commands = proxy.read().commands;
    expect(commands).not.toContain('Log.enable');
    expect(commands).not.toContain('Runtime.enable');
    expect(commands).not.toContain('Browser.setDownloadBehavior');
    proxy.start();
    const heard = (): void => undefined;
    for (const event of ['request', 'response', 'framenavigated', 'popup', 'dialog', 'close'] as const)
      other.page.on(event, heard);
    await other.page.title();
    expect(proxy.read().commands).toEqual(['Runtime.evaluate']);
    await other.driver.close();
  });
});

describe('waitForEvent()', () => {
  it('returns the first event that a sync or async predicate accepts', async () => {
    const isThree = (message: { text(): string }): boolean => message.text() === 'three';
    const waits = [
      page.waitForEvent('console'),
      page.waitForEvent('console', isThree),
      page.waitForEvent('console', { predicate: isThree }),
      page.waitForEvent('console', { predicate: (message) => Promise.resolve(message.text() === 'two') }),
    ];
    await log('one', 'two', 'three');
    const texts = (await Promise.all(waits)).map((message) => message.text());
    expect(texts).toEqual(['one', 'three', 'three', 'two']);
  });

  it.each(EVENTS)('times out and names the event %s', async (event) => {
    const failure = await failureOf(page.waitForEvent(event, { timeout: 50 }));
    expect(failure).toBeInstanceOf(DriverTimeoutError);
    expect(failure).toMatchObject({ operation: 'page.waitForEvent', timeout: 50 });
    expect(String(failure)).toContain(`waiting for the event "${event}"`);
  });

  it('rejects with the error that the predicate throws', async () => {
    const waiting = failureOf(
      page.waitForEvent('console', () => {
        throw new TypeError('no opinion');
      }),
    );
    await log('x');
    expect(await waiting).toMatchObject({ name: 'TypeError', message: 'no opinion' });
  });

  it('rejects when its signal aborts', async () => {
    const controller = new AbortController();
    const waiting = failureOf(page.waitForEvent('popup', { signal: controller.signal }));
    controller.abort();
    expect(await waiting).toBeInstanceOf(DriverAbortError);
  });

  it('rejects when the page closes, except for `close`', async () => {
    const waiting = failureOf(page.waitForEvent('popup'));
    const closing = page.waitForEvent('close');
    await page.close();
    expect(await waiting).toBeInstanceOf(DriverClosedError);
    expect(await closing).toBe(page);
  });
});

describe('framenavigated event', () => {
  it('fires for new documents and for same-document navigations', async () => {
    const urls: string[] = [];
    page.on('framenavigated', (frame) => urls.push(frame.url().replace(test.server.origin, '')));
    await page.goto(`${test.server.origin}/?again`, { waitUntil: 'load' });
    await page.evaluate(`location.hash = 'there'`);
    await page.evaluate(`history.pushState(null, '', '/pushed')`);
    expect(urls).toEqual(['/?again', '/inner', '/?again#there', '/pushed']);
  });

  it('passes the same frame object as `mainFrame()`', async () => {
    const [frame] = await Promise.all([page.waitForEvent('framenavigated'), page.reload({ waitUntil: 'load' })]);
    expect(frame).toBe(page.mainFrame());
  });
});

describe('close event', () => {
  it('fires once with the page, even after repeated `close()` calls', async () => {
    const closed: Page[] = [];
    page.on('close', (gone) => closed.push(gone));
    await Promise.all([page.close(), page.close()]);
    await page.close();
    expect(closed).toEqual([page]);
    expect(page.isClosed()).toBe(true);
  });
});
