import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverNavigationError, type Page, type Response } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

const LARGE = 20_000_000;

beforeAll(async () => {
  server = await serve({
    '/': '<!doctype html><title>Start</title><p>é🚕</p>',
    '/framed': '<title>Framed</title><iframe name="inside" src="/"></iframe>',
    '/headers': (_request, response) => {
      response.writeHead(200, [
        ...['content-type', 'text/html', 'set-cookie', 'a=1; HttpOnly', 'set-cookie', 'b=2, Expires=never'],
        ...['X-List', 'one', 'x-list', 'two', 'X-Once', 'only'],
      ]);
      response.end('<title>Headers</title>');
    },
    '/redirect': (_request, response) =>
      response.writeHead(302, { location: '/second', 'x-hop': '1', 'set-cookie': 'hop=1' }).end('moved'),
    '/second': (_request, response) => response.writeHead(301, { location: '/headers', 'x-hop': '2' }).end('moved'),
    '/large': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!--${'x'.repeat(LARGE - 4)}`),
    '/json': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":[1,null]}'),
    '/bytes': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/octet-stream' })
        .end(Buffer.from([0, 255, 1, 128, 13, 10])),
    '/nothing': (_request, response) => response.writeHead(204).end(),
    '/broken': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100' }).write('<title>Broken</title>');
      setTimeout(() => response.destroy(), 50);
    },
    '/cached': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=1000' }).end('p { color: red }'),
    '/uses-cached': '<title>Uses</title><link rel="stylesheet" href="/cached">',
    '/worker.js': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
        self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
        self.addEventListener('fetch', (event) => {
          if (event.request.url.endsWith('/from-worker'))
            event.respondWith(new Response('<title>By the worker</title>', { status: 203, headers: { 'content-type': 'text/html', 'x-by': 'worker' } }));
        });`),
    '/with-worker': `<title>With worker</title><script>
      navigator.serviceWorker.register('/worker.js');
      navigator.serviceWorker.ready.then(() => { document.title = 'Ready'; });
    </script>`,
  });
  test = await startDriver();
  ({ page } = test);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

async function open(path: string): Promise<Response> {
  const response = await page.goto(server.origin + path);
  if (!response) throw new TypeError('no response');
  return response;
}

/** The answer to what a script of the page fetches. */
async function fetched(path: string, settings = '{}'): Promise<Response> {
  const waiting = page.waitForEvent('response', { predicate: (response) => response.url().endsWith(path) });
  await page.evaluate(`fetch('${path}', ${settings}).then((r) => r.arrayBuffer()).then(() => 0, () => 0)`);
  return waiting;
}

describe('response headers', () => {
  it('returns script-readable headers by lower-case name', async () => {
    const response = await open('/headers');
    expect(response.headers()).toMatchObject({ 'content-type': 'text/html', 'x-list': 'one, two', 'x-once': 'only' });
    expect(response.headers()['set-cookie']).toBeUndefined();
  });

  it('returns all headers, including cookies, from allHeaders() and headerValues()', async () => {
    const response = await open('/headers');
    expect(await response.allHeaders()).toMatchObject({
      'set-cookie': 'a=1; HttpOnly\nb=2, Expires=never',
      'x-list': 'one, two',
    });
    expect(await response.headerValues('Set-Cookie')).toEqual(['a=1; HttpOnly', 'b=2, Expires=never']);
    expect(await response.headerValues('x-LIST')).toEqual(['one', 'two']);
    expect(await response.headerValues('absent')).toEqual([]);
    expect(await response.headerValue('X-Once')).toBe('only');
    expect(await response.headerValue('absent')).toBeNull();
    expect((await response.headersArray()).filter(({ name }) => /^x-list$/i.test(name))).toHaveLength(2);
  });

  it.each([[5], ['']])('rejects the header name %o', async (name) => {
    const response = await open('/');
    expect(await failureOf(response.headerValue(name as never))).toMatchObject({ argument: 'name' });
    expect(await failureOf(response.headerValues(name as never))).toMatchObject({ argument: 'name' });
  });
});

describe('redirects', () => {
  it('resolves `page.goto()` with the last response', async () => {
    const response = await open('/redirect');
    expect([response.url(), response.status(), response.ok()]).toEqual([`${server.origin}/headers`, 200, true]);
    expect(await response.headerValue('x-hop')).toBeNull();
    expect(await response.headerValues('set-cookie')).toHaveLength(2);
    expect(await response.text()).toBe('<title>Headers</title>');
  });

  it('reports every redirect response with its own headers and no body', async () => {
    const seen: Response[] = [];
    const note = (response: Response): void => void seen.push(response);
    page.on('response', note);
    await open('/redirect');
    page.off('response', note);
    expect(seen.map((response) => [response.url().replace(server.origin, ''), response.status()])).toEqual([
      ['/redirect', 302],
      ['/second', 301],
      ['/headers', 200],
    ]);
    const hops = seen.slice(0, 2);
    expect(await Promise.all(hops.map((response) => response.headerValue('x-hop')))).toEqual(['1', '2']);
    expect(await hops[0]?.headerValue('set-cookie')).toBe('hop=1');
    for (const hop of hops)
      expect(await failureOf(hop.body())).toMatchObject({
        code: 'NAVIGATION',
        message: expect.stringContaining('followed the redirect'),
      });
  });
});

describe('response body', () => {
  it('returns the bytes and text of the document', async () => {
    const response = await open('/');
    expect(await response.text()).toBe('<!doctype html><title>Start</title><p>é🚕</p>');
    expect((await response.body()).toString()).toBe(await response.text());
  });

  it('returns a body of 20 MB completely', async () => {
    expect((await (await open('/large')).body()).length).toBe(LARGE);
    await open('/');
    expect((await (await fetched('/large')).body()).length).toBe(LARGE);
  });

  it('returns the bytes of a binary response', async () => {
    await open('/');
    expect([...(await (await fetched('/bytes')).body())]).toEqual([0, 255, 1, 128, 13, 10]);
  });

  it('parses JSON and rejects a body that is not JSON', async () => {
    expect(await (await open('/json')).json()).toEqual({ a: [1, null] });
    const response = await open('/');
    const failure = await failureOf(response.json());
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(String(failure)).toContain('is not JSON: it begins with "<!doctype html>');
  });

  it('returns an empty body for a 204 and for a HEAD request', async () => {
    await open('/');
    expect(await (await fetched('/nothing')).body()).toHaveLength(0);
    expect(await (await fetched('/json', "{ method: 'HEAD' }")).body()).toHaveLength(0);
  });

  it('keeps a body after a first read and rejects one whose document is replaced unread', async () => {
    const [kept, dropped] = [await open('/'), await open('/headers')];
    await failureOf(kept.body());
    const first = await open('/');
    await first.body();
    await page.goto(server.otherOrigin);
    expect(await first.text()).toContain('Start');
    const failure = await failureOf(dropped.body());
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(String(failure)).toMatch(/The body of .*\/headers is gone: .*Read it earlier/);
  });

  it('rejects when the connection breaks', async () => {
    const response = await page.goto(`${server.origin}/broken`, { waitUntil: 'commit' });
    const reason = await response?.finished();
    expect(reason).toBeInstanceOf(DriverNavigationError);
    expect(String(reason)).toMatch(/\/broken did not arrive: net::ERR_/);
    expect(String(await failureOf(response?.body() ?? Promise.resolve()))).toMatch(/did not arrive: net::ERR_/);
  });
});

describe('response.finished()', () => {
  it('waits until the response is complete', async () => {
    let finish = (): void => undefined;
    server.page('/slow', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Slow</title>');
      finish = () => response.end('<p>end');
    });
    const response = await page.goto(`${server.origin}/slow`, { waitUntil: 'commit' });
    const order: string[] = [];
    const finished = response?.finished().then((reason) => order.push(`finished ${reason}`));
    order.push('asked');
    finish();
    await finished;
    expect(order).toEqual(['asked', 'finished null']);
    expect(await response?.text()).toBe('<title>Slow</title><p>end');
  });

  it('times out on a response that never ends', async () => {
    server.page(
      '/half',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
    );
    const response = await page.goto(`${server.origin}/half`, { waitUntil: 'commit' });
    for (const method of ['finished', 'body', 'text', 'json'] as const)
      expect(await failureOf(response?.[method]({ timeout: 30 }) ?? Promise.resolve())).toMatchObject({
        code: 'TIMEOUT',
      });
  });
});

describe('response source', () => {
  it('returns the server address and no security details over HTTP', async () => {
    const { port } = new URL(server.origin);
    expect(await (await open('/')).serverAddr()).toEqual({ ipAddress: '127.0.0.1', port: Number(port) });
    expect(await (await open('/')).securityDetails()).toBeNull();
  });

  it('returns its frame, and null after the frame is detached', async () => {
    const answers: Response[] = [];
    const note = (response: Response): void => void answers.push(response);
    page.on('response', note);
    await page.goto(`${server.origin}/framed`, { waitUntil: 'load' });
    page.off('response', note);
    const inside = answers.find((response) => response.url() === `${server.origin}/`);
    expect(answers[0]?.frame()).toBe(page.mainFrame());
    expect(inside?.frame()).toBe(page.frame('inside'));
    await open('/');
    expect(inside?.frame()).toBeNull();
  });

  it('reports a response from a service worker', async () => {
    const plain = await open('/with-worker');
    expect(plain.fromServiceWorker()).toBe(false);
    await page.waitForFunction("document.title === 'Ready' && !!navigator.serviceWorker.controller");
    const response = await open('/from-worker');
    expect([response.status(), response.fromServiceWorker(), await response.headerValue('x-by')]).toEqual([
      203,
      true,
      'worker',
    ]);
    expect(await response.text()).toBe('<title>By the worker</title>');
    await page.evaluate(
      'navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister()))).then(() => 0)',
    );
  });

  it('returns the body and headers of a cached response', async () => {
    await page.goto(`${server.origin}/uses-cached`, { waitUntil: 'load' });
    await open('/');
    const again = page.waitForEvent('response', { predicate: (response) => response.url().endsWith('/cached') });
    await page.goto(`${server.origin}/uses-cached`, { waitUntil: 'load' });
    const response = await again;
    expect([response.status(), await response.text()]).toEqual([200, 'p { color: red }']);
    expect(await response.headerValue('cache-control')).toBe('max-age=1000');
  });

  it.each([
    ['data:text/html,<title>Data</title>', 200, '<title>Data</title>'],
    ['data:text/html;base64,PGI+Yg==', 200, '<b>b'],
  ])('returns a response for %s', async (url, status, text) => {
    const response = await page.goto(url);
    expect([response?.status(), await response?.text(), await response?.serverAddr()]).toEqual([status, text, null]);
  });

  it('returns a response for a file: URL', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chauffeur-file-'));
    writeFileSync(join(folder, 'page.html'), '<title>From a file</title>');
    const response = await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    expect([await response?.text(), await page.title()]).toEqual(['<title>From a file</title>', 'From a file']);
    rmSync(folder, { recursive: true });
  });
});
