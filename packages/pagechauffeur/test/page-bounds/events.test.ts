import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleMessage, Dialog, Page, Request } from '../../src/index.ts';
import { PAGE_BOUNDS } from '../../src/page-bounds.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({
  routes: {
    '/': '<!doctype html><title>Shop</title><button>Save</button>',
    '/file': (_request, response) => {
      response.setHeader('content-disposition', `attachment; filename="${'n'.repeat(5000)}.txt"`);
      response.end('x');
    },
    '/headers': (_request, response) => {
      response.setHeader('x-long', 'h'.repeat(100_000));
      response.setHeader('content-type', 'text/html');
      response.end('<title>Headers</title>');
    },
  },
});
/** What a note of missing characters may add. */
const NOTE = 60;
/** In the page: two million characters. */
const LONG = `'x'.repeat(2_000_000)`;
let page: Page;

beforeAll(() => ({ page } = browser));
beforeEach(() => page.goto(`${browser.server.origin}/`));
afterAll(() => page.close());

describe('request URLs', () => {
  it('truncates `data:` URLs of 2 MB in request and network events', async () => {
    const urls: string[] = [];
    const stop = listen('request', (request) => urls.push(request.url()));
    const kept: number[] = [];
    const stopKeeping = page.target.network.events.on('ended', ({ url, sent }) => {
      if (url.startsWith('data:text')) kept.push(JSON.stringify(sent).length + url.length);
    });
    await page.evaluate(
      `(async () => { for (let i = 1; i <= 6; i += 1) await fetch('data:text/plain,' + i + ${LONG}); })()`,
    );
    await expect.poll(() => kept.length).toBe(6);
    stop();
    stopKeeping();
    expect(urls.filter((url) => url.startsWith('data:text/plain,6x'))).toHaveLength(1);
    expect(Math.max(...urls.map((url) => url.length))).toBeLessThan(PAGE_BOUNDS.url + NOTE);
    expect(Math.max(...kept)).toBeLessThan(3 * PAGE_BOUNDS.url);
  });

  it('keeps at most `PAGE_BOUNDS.requestsInFlight` requests in flight', async () => {
    const { network } = page.target;
    await page.evaluate(
      `for (let i = 0; i < 2500; i += 1) fetch('data:text/plain,' + i + 'x'.repeat(20_000)).catch(() => 0)`,
    );
    expect(network.inFlight.length).toBeLessThanOrEqual(PAGE_BOUNDS.requestsInFlight);
    await page.waitForLoadState('networkidle');
    expect(network.inFlight).toEqual([]);
  });

  it('uses one `Request` object for a long URL in the event, the route and the response', async () => {
    const seen: Request[] = [];
    const stop = listen('request', (request) => seen.push(request));
    let routed: Request | undefined;
    await page.route('**/long*', (route) => {
      routed = route.request();
      return route.fulfill({ body: 'whole' });
    });
    const answer = await page.evaluate(`fetch('/long?' + 'q'.repeat(200_000)).then((answer) => answer.text())`);
    stop();
    await page.unroute('**/long*');
    expect(answer).toBe('whole');
    const [request] = seen.filter((one) => one.url().includes('/long?'));
    expect(routed).toBe(request);
    expect(await (await request?.response())?.text()).toBe('whole');
  });
});

describe('text from the page', () => {
  it('truncates console messages, their arguments and arrays of a million entries', async () => {
    const told: ConsoleMessage[] = [];
    const stop = listen('console', (message) => told.push(message));
    await page.evaluate(
      `console.log(${LONG}); console.log({ a: ${LONG} }); console.log(Array(1_000_000).fill(1)); console.log('last')`,
    );
    await expect.poll(() => told.at(-1)?.text()).toBe('last');
    stop();
    expect(told.map((message) => message.text().length < PAGE_BOUNDS.text + NOTE + 20)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(told[2]?.text()).toContain('Array(1000000)');
  });

  it('delivers 3,000 console objects in order, more than 1,000 of them as descriptions', async () => {
    const told: string[] = [];
    const stop = listen('console', (message) => told.push(message.text()));
    await page.evaluate(
      `for (let n = 0; n < 3000; n += 1) console.log(n, { n }); setTimeout(() => console.log('last'), 500)`,
    );
    await expect.poll(() => told.at(-1)).toBe('last');
    stop();
    expect(told.slice(0, -1).map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: 3000 }, (_, n) => n),
    );
    expect(told.filter((text) => text.endsWith(' Object')).length).toBeGreaterThan(1000);
  });

  it('truncates dialog messages, uncaught errors and frame names', async () => {
    const messages: string[] = [];
    const answer = (dialog: Dialog): void => {
      messages.push(dialog.message());
      void dialog.accept();
    };
    const stops = [listen('dialog', answer), listen('pageerror', (error) => messages.push(error.message))];
    await page.evaluate(`alert(${LONG}); setTimeout(() => { throw new Error(${LONG}); }); window.name = ${LONG}`);
    await expect.poll(() => messages.length).toBe(2);
    for (const stop of stops) stop();
    expect(Math.max(...messages.map((message) => message.length))).toBeLessThan(PAGE_BOUNDS.text + NOTE);
    await page.goto(`${browser.server.origin}/?again`);
    expect(page.mainFrame().name().length).toBeLessThan(PAGE_BOUNDS.name + NOTE);
  });

  it('truncates download names and response headers', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.evaluate(`location.href = '/file'`)]);
    expect(download.suggestedFilename().length).toBeLessThan(PAGE_BOUNDS.fileName + NOTE);
    await download.path();
    const response = await page.goto(`${browser.server.origin}/headers`);
    const header = (await response?.headerValue('x-long')) ?? '';
    expect(header.slice(0, 10)).toBe('hhhhhhhhhh');
    expect(header.length).toBeLessThan(PAGE_BOUNDS.text + NOTE);
  });

  it('truncates a URL hash of 1 MB, and still takes snapshots and acts', async () => {
    await page.evaluate(`location.hash = 'h'.repeat(1_000_000)`);
    expect(page.url().startsWith(`${browser.server.origin}/#hhh`)).toBe(true);
    expect(page.url().length).toBeLessThan(2 * PAGE_BOUNDS.url + 2 * NOTE);
    expect((await page.snapshot()).text).toContain('button "Save"');
    expect((await browser.driver.act('click Save')).success).toBe(true);
  });
});

function listen<E extends 'request' | 'console' | 'dialog' | 'pageerror'>(
  event: E,
  listener: Parameters<typeof page.on<E>>[1],
): () => void {
  page.on(event, listener);
  return () => page.off(event, listener);
}
