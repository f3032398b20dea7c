import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverHTTPHeadersError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
/** Headers of the last request for each path. */
let headersByPath = new Map<string, IncomingHttpHeaders>();

beforeAll(async () => {
  server = await serve();
  const pages: Readonly<Record<string, string>> = {
    '/': '<!doctype html><title>Start</title><body>start</body>',
    '/next': '<!doctype html><title>Next</title>',
    '/popup': '<!doctype html><title>Popup</title>',
    '/frame': '<!doctype html><title>Frame</title><script>fetch("/from-frame")</script>',
    '/from-frame': 'x',
    '/fetch': 'x',
    '/from-worker': 'x',
    '/worker.js': `const ask = () => fetch('/from-worker').then((r) => r.text());
      onmessage = async (e) => (e.source ?? self).postMessage(await ask());
      onconnect = async (e) => e.ports[0].postMessage(await ask());
      oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());`,
    '/with-frame': `<!doctype html><iframe src="${server.otherOrigin}/frame"></iframe>`,
  };
  for (const [path, text] of Object.entries(pages))
    server.page(path, (request, response) => {
      headersByPath.set(path, request.headers);
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, {
        'content-type': type,
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      });
      response.end(text);
    });
  test = await startDriver();
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await server.close();
});

beforeEach(async () => {
  page = await test.driver.context.newPage();
  headersByPath = new Map();
  return async () => {
    await page.close();
    await test.driver.context.setExtraHTTPHeaders({});
  };
});

const WORKERS: readonly (readonly [kind: string, source: string])[] = [
  [
    'dedicated worker',
    'new Promise((done) => { const w = new Worker("/worker.js"); w.onmessage = done; w.postMessage(1); }).then(() => 1)',
  ],
  [
    'shared worker',
    'new Promise((done) => { new SharedWorker("/worker.js", String(Math.random())).port.onmessage = () => done(1); })',
  ],
  [
    'service worker',
    'navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then((r) => new Promise((done) => { navigator.serviceWorker.onmessage = () => done(1); r.active.postMessage(1); }))',
  ],
];

describe('context.setExtraHTTPHeaders()', () => {
  it('adds headers to requests of open pages and of pages opened later', async () => {
    await page.goto(`${server.origin}/`);
    await test.driver.context.setExtraHTTPHeaders({ 'X-Own': 'a b' });
    await page.evaluate('fetch("/fetch")');
    const other = await test.driver.context.newPage(`${server.origin}/next`);
    expect([headersByPath.get('/fetch')?.['x-own'], headersByPath.get('/next')?.['x-own']]).toEqual(['a b', 'a b']);
    await other.close();
  });

  it('adds headers to documents and requests of cross-process frames', async () => {
    await test.driver.context.setExtraHTTPHeaders({ 'x-own': '1' });
    await page.goto(`${server.origin}/with-frame`);
    await expect.poll(() => headersByPath.get('/from-frame')?.['x-own']).toBe('1');
    expect(headersByPath.get('/frame')?.['x-own']).toBe('1');
  });

  it('adds headers to the first document of a popup', async () => {
    await test.driver.context.setExtraHTTPHeaders({ 'x-own': '1' });
    await page.goto(`${server.origin}/`);
    await page.evaluate('void window.open("/popup")');
    const popup = await test.driver.context.awaitActivePage();
    expect(headersByPath.get('/popup')?.['x-own']).toBe('1');
    await popup.close();
  });

  it.each(WORKERS)('adds headers to requests of a %s', async (_kind, source) => {
    await test.driver.context.setExtraHTTPHeaders({ 'x-own': '1' });
    await page.goto(`${server.origin}/`);
    await page.evaluate(source);
    expect(headersByPath.get('/from-worker')?.['x-own']).toBe('1');
  });

  it('replaces the headers of an earlier call', async () => {
    await test.driver.context.setExtraHTTPHeaders({ 'x-one': '1', 'x-two': '2' });
    await test.driver.context.setExtraHTTPHeaders({ 'x-two': '3' });
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')).toMatchObject({ 'x-two': '3' });
    expect(headersByPath.get('/')).not.toHaveProperty('x-one');
  });

  it('removes all headers when called with an empty object', async () => {
    await test.driver.context.setExtraHTTPHeaders({ 'x-own': '1' });
    await test.driver.context.setExtraHTTPHeaders({});
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')).not.toHaveProperty('x-own');
  });

  it("overrides the browser's own Accept-Language and User-Agent", async () => {
    await test.driver.context.setExtraHTTPHeaders({ 'Accept-Language': 'kw', 'User-Agent': 'own/1' });
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')).toMatchObject({ 'accept-language': 'kw', 'user-agent': 'own/1' });
  });
});

describe('page.setExtraHTTPHeaders()', () => {
  it('adds headers to requests of its own page only', async () => {
    await page.setExtraHTTPHeaders({ 'x-page': '1' });
    const other = await test.driver.context.newPage(`${server.origin}/next`);
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')?.['x-page']).toBe('1');
    expect(headersByPath.get('/next')).not.toHaveProperty('x-page');
    await other.close();
  });

  it('overrides context headers regardless of header name case', async () => {
    await test.driver.context.setExtraHTTPHeaders({ 'X-Own': 'context', 'x-other': 'context' });
    await page.setExtraHTTPHeaders({ 'x-own': 'page' });
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')).toMatchObject({ 'x-own': 'page', 'x-other': 'context' });
  });

  it('keeps overriding context headers that are set later', async () => {
    await page.setExtraHTTPHeaders({ 'x-own': 'page' });
    await test.driver.context.setExtraHTTPHeaders({ 'X-OWN': 'context' });
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')?.['x-own']).toBe('page');
  });

  it('adds headers to requests of an existing cross-process frame', async () => {
    await page.goto(`${server.origin}/with-frame`);
    await expect.poll(() => headersByPath.has('/from-frame')).toBe(true);
    await page.setExtraHTTPHeaders({ 'x-page': '1' });
    await page.frames()[1]?.evaluate('fetch("/fetch").then((r) => r.text())');
    expect(headersByPath.get('/fetch')?.['x-page']).toBe('1');
  });

  it('adds headers to requests of a dedicated worker', async () => {
    await page.setExtraHTTPHeaders({ 'x-page': '1' });
    await page.goto(`${server.origin}/`);
    await page.evaluate(WORKERS[0]?.[1] ?? '');
    expect(headersByPath.get('/from-worker')?.['x-page']).toBe('1');
  });

  it.each<[headers: unknown, sentence: RegExp]>([
    [null, /must be an object of strings by header name. Received null/],
    ['x-own: 1', /Received the string/],
    [[['x-own', '1']], /Received an array of 1/],
    [{ '': '1' }, /"" is not a valid header name/],
    [{ 'x own': '1' }, /"x own" is not a valid header name/],
    [{ 'x:own': '1' }, /is not a valid header name/],
    [{ 'x-ä': '1' }, /is not a valid header name/],
    [{ 'x-own\r\nx-two': '1' }, /is not a valid header name/],
    [{ 'x-own': 1 }, /The value of header x-own must be a string. Received the number 1/],
    [{ 'x-own': undefined }, /Received undefined/],
    [{ 'x-own': 'a\r\nx-two: b' }, /must be one line/],
    [{ 'x-own': 'a\nb' }, /must be one line/],
    [{ 'x-own': 'a\0b' }, /zero byte/],
    [{ Host: 'elsewhere' }, /the browser controls it/],
    [{ 'Content-Length': '5' }, /the browser controls it/],
  ])('rejects %j with DriverHTTPHeadersError', async (headers, sentence) => {
    for (const holder of [page, test.driver.context]) {
      const call = holder.setExtraHTTPHeaders(headers as Record<string, string>);
      await expect(call).rejects.toThrow(DriverHTTPHeadersError);
      await expect(call).rejects.toThrow(sentence);
    }
  });
});

describe('page.goto() with `referer`', () => {
  it.each([
    ['of the same site', (): string => `${server.origin}/from?a=b`],
    ['of another site with its full path', (): string => 'https://elsewhere.test/deep/path?a=b'],
  ])('sends a referer %s', async (_what, referer) => {
    await page.goto(`${server.origin}/`, { referer: referer() });
    expect(headersByPath.get('/')?.referer).toBe(referer());
    expect(await page.evaluate('document.referrer')).toBe(referer());
  });

  it('sends no referer by default', async () => {
    await page.goto(`${server.origin}/`);
    expect(headersByPath.get('/')).not.toHaveProperty('referer');
  });
});
