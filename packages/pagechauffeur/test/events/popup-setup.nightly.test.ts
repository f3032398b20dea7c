import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';

/** Notes what its first script sees; the picture is asked for after it. */
const DOCUMENT = '<title>Popup</title><script>seen = [globalThis.count, innerWidth]</script><img src="/img">';

const test = useBrowser();
const openPage = reusedPage(test);
let page: Page;
/** The header `x-own` of each request for a popup's document or its picture. */
let headers: Record<string, string | undefined>;
/** Answers the request for a slow document, once it has come. */
let asked: PromiseWithResolvers<() => void>;
let isAsked: boolean;

beforeAll(() => {
  const note = (path: string, answer: (respond: () => void) => void): void =>
    void test.server.page(path, (request, response) => {
      headers[path] = request.headers['x-own'] as string | undefined;
      response.setHeader('content-type', 'text/html');
      answer(() => void response.end(path === '/img' ? '' : DOCUMENT));
    });
  test.server.page('/', '<title>Opener</title>');
  note('/quick', (respond) => respond());
  // Asked for again, it answers at once.
  note('/slow', (respond) => {
    if (isAsked) respond();
    else asked.resolve(respond);
    isAsked = true;
  });
  note('/img', (respond) => respond());
});

beforeEach(async () => {
  headers = {};
  isAsked = false;
  asked = Promise.withResolvers();
  page = await openPage();
});

type Way = readonly [how: string, open: (path: string) => string];

const other = (): string => test.server.otherOrigin;
const WAYS: readonly Way[] = [
  ['same-site popup', (path) => `window.open('${path}')`],
  ['cross-site popup', (path) => `window.open('${other()}${path}')`],
  ['popup without an opener', (path) => `window.open('${other()}${path}', '', 'noopener')`],
  ['empty popup that navigates immediately', (path) => `window.open('').location = '${other()}${path}'`],
  [
    'popup of a noopener link',
    (path) =>
      `Object.assign(document.createElement('a'), { href: '${path}', target: '_blank', rel: 'noopener' }).click()`,
  ],
];

const COUNT = 'globalThis.count = (globalThis.count ?? 0) + 1';

async function setUp(popup: Page): Promise<void> {
  await Promise.all([
    popup.setViewportSize(333, 444),
    popup.addInitScript(COUNT),
    popup.setExtraHTTPHeaders({ 'x-own': '1' }),
  ]);
}

describe('popup that a listener sets up', () => {
  it.each(WAYS)('applies viewport, init script and headers to the first document: %s', async (_how, open) => {
    const popped = page.waitForEvent('popup').then(async (popup) => {
      await setUp(popup);
      return popup;
    });
    await page.evaluate(`void (${open('/quick')})`);
    const popup = await popped;
    await popup.waitForURL('**/quick', { waitUntil: 'load' });
    expect(await popup.evaluate('[seen, count]')).toEqual([[1, 333], 1]);
    expect(headers).toEqual({ '/quick': '1', '/img': '1' });
    await popup.close();
  });

  it('applies headers and an init script that are set one after the other', async () => {
    const popped = page.waitForEvent('popup').then(async (popup) => {
      await popup.setExtraHTTPHeaders({ 'x-own': '1' });
      await popup.addInitScript(COUNT);
      return popup;
    });
    await page.evaluate(`void window.open('/quick')`);
    const popup = await popped;
    await popup.waitForURL('**/quick', { waitUntil: 'load' });
    expect([await popup.evaluate('seen[0]'), headers['/quick']]).toEqual([1, '1']);
    await popup.close();
  });

  it('fulfills the request for its first document by a route', async () => {
    const popped = page.waitForEvent('popup').then(async (popup) => {
      await popup.route('**/quick', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>From the route</title>' }),
      );
      return popup;
    });
    await page.evaluate(`void window.open('/quick')`);
    const popup = await popped;
    await popup.waitForURL('**/quick');
    expect([await popup.title(), headers]).toEqual(['From the route', {}]);
    await popup.close();
  });
});

describe('popup with a pending document', () => {
  it.each(WAYS)('applies the viewport to it, and script and headers to the next document: %s', async (_how, open) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void (${open('/slow')})`)]);
    const answer = await asked.promise;
    const done = setUp(popup);
    answer();
    await done;
    await popup.waitForURL('**/slow', { waitUntil: 'load' });
    // The answer and the script are under way at once: only the next document is sure to get the script.
    expect(await popup.evaluate('innerWidth')).toBe(333);
    await popup.reload();
    expect([await popup.evaluate('[seen, count]'), headers['/slow']]).toEqual([[[1, 333], 1], '1']);
    await popup.close();
  });

  it('accepts `goto()` and `close()`, and rejects calls after that', async () => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void window.open('/slow')`)]);
    await asked.promise;
    await popup.goto(`${test.server.origin}/quick`);
    expect(await popup.title()).toBe('Popup');
    await popup.close();
    await expect(setUp(popup)).rejects.toThrow(/was closed/);
  });

  it('rejects an init script that does not compile', async () => {
    const { context } = test.driver;
    const popped = page.waitForEvent('popup').then((popup) => failureOf(popup.addInitScript('window.x = ;')));
    await page.evaluate(`void window.open('/quick')`);
    expect(await popped).toBeInstanceOf(DriverInvalidArgumentError);
    await context.activePage()?.close();
  });
});
