import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DriverInvalidArgumentError,
  DriverNavigationError,
  type Page,
  type Request,
  type Route,
} from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
/** What reached the server: method, path and body. */
let arrived: { method: string; path: string; headers: Record<string, unknown>; body: Buffer }[] = [];

beforeAll(async () => {
  server = await serve();
  for (const path of ['/echo', '/other', '/api/a', '/api/b', '/picture.png', '/style.css', '/script.js', '/redirect'])
    server.page(path, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts);
        arrived.push({ method: request.method ?? '', path, headers: request.headers, body });
        if (path === '/redirect') response.writeHead(302, { location: '/echo' });
        else
          response.writeHead(200, {
            'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/plain',
            'access-control-allow-origin': '*',
            'cache-control': 'no-store',
          });
        response.end(path === '/redirect' ? '' : `server ${request.method} ${path} ${body.length}`);
      });
    });
  server.page('/', '<!doctype html><title>Start</title><body>start</body>');
  server.page('/with-frame', `<!doctype html><iframe src="${server.otherOrigin}/inner"></iframe>`);
  server.page(
    '/inner',
    '<!doctype html><title>Inner</title><script>fetch("/echo").then((r) => r.text()).then((t) => { document.title = t; })</script>',
  );
  server.page('/worker.js', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' });
    response.end(
      `const ask = () => fetch(location.origin + '/echo').then((r) => r.text());
      onmessage = async (e) => (e.source ?? self).postMessage(await ask());
      onconnect = async (e) => e.ports[0].postMessage(await ask());
      oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());`,
    );
  });
  test = await startDriver();
  page = test.page;
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await server.close();
});

beforeEach(async () => {
  await page.goto(`${server.origin}/`);
  arrived = [];
});

afterEach(async () => {
  await page.unrouteAll();
  await test.driver.context.unrouteAll();
});

/** What a page's `fetch` of an address reads: its text, or the error. */
function fetchText(path: string, init?: object): Promise<string> {
  return page.evaluate(
    async (asked) => {
      try {
        return await (await fetch(asked.path, asked.init)).text();
      } catch (error) {
        return String(error);
      }
    },
    { path, init },
  );
}

describe('page.route()', () => {
  it.each<[sentence: string, pattern: string | RegExp | ((url: URL) => boolean), fits: boolean]>([
    ['a glob with **', '**/echo', true],
    ['a glob with ** and a query', '**/echo?a=b', false],
    ['the full URL', 'ORIGIN/echo', true],
    ['a glob with * for a host', 'http://*/echo', true],
    ['a * that must match a slash', 'http://*echo', false],
    ['matching alternatives', '**/{echo,other}', true],
    ['other alternatives', '**/{api,other}', false],
    ['a glob for every URL', '**', true],
    ['a regular expression', /\/ec.o$/, true],
    ['a global regular expression', /echo/g, true],
    ['another regular expression', /^ftp/, false],
    ['a function', (url) => url.pathname === '/echo', true],
    ['a function that returns false', () => false, false],
    ['a literal question mark', '**/ech?', false],
    ['an escaped asterisk', String.raw`**/ech\*`, false],
  ])('matches /echo against %s (%s): %s', async (_sentence, pattern, fits) => {
    const asked: typeof pattern = typeof pattern === 'string' ? pattern.replace('ORIGIN', server.origin) : pattern;
    await page.route(asked, (route) => route.fulfill({ body: 'routed' }));
    expect([await fetchText('/echo'), await fetchText('/echo')]).toEqual(
      Array(2).fill(fits ? 'routed' : 'server GET /echo 0'),
    );
  });

  it.each<[argument: string, args: unknown[]]>([
    ['pattern', ['', () => undefined]],
    ['pattern', [42, () => undefined]],
    ['pattern', [null, () => undefined]],
    ['handler', ['**', undefined]],
    ['handler', ['**', 'abort']],
    ['times', ['**', () => undefined, { times: 0 }]],
    ['options', ['**', () => undefined, 5]],
  ])('rejects an invalid `%s`: %j', async (argument, args) => {
    const error = await failureOf(page.route(...(args as unknown as Parameters<Page['route']>)));
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(error).toMatchObject({ argument });
  });

  it('runs the last registered handler first and the one before it on `fallback()`', async () => {
    const order: string[] = [];
    await page.route('**/echo', (route) => (order.push('first'), route.fulfill({ body: 'first' })));
    await page.route('**/ec*', (route) => (order.push('second'), route.fallback()));
    await page.route('**/other', (route) => (order.push('other'), route.abort()));
    await page.route('**', (route) => (order.push('third'), route.fallback()));
    expect(await fetchText('/echo')).toBe('first');
    expect(order).toEqual(['third', 'second', 'first']);
  });

  it('sends the request with all `fallback()` overrides when every handler falls back', async () => {
    await page.route('**/echo', (route) => route.fallback({ method: 'PUT' }));
    await page.route('**/echo', (route) => route.fallback({ postData: 'four' }));
    expect(await fetchText('/echo')).toBe('server PUT /echo 4');
  });

  it('removes the handler after `times` requests', async () => {
    await page.route('**/echo', (route) => route.fulfill({ body: 'routed' }), { times: 2 });
    const texts = [await fetchText('/echo'), await fetchText('/echo'), await fetchText('/echo')];
    expect(texts).toEqual(['routed', 'routed', 'server GET /echo 0']);
  });

  it('passes the request with URL, method, headers, body and navigation flag', async () => {
    const seen: unknown[] = [];
    await page.route('**/echo', (route, request) => {
      expect(route.request()).toBe(request);
      seen.push(request.url(), request.method(), request.headers()['x-one'], request.postData());
      seen.push(request.isNavigationRequest());
      return route.continue();
    });
    await fetchText('/echo', { method: 'POST', headers: { 'X-One': '1' }, body: 'büdy' });
    expect(seen).toEqual([`${server.origin}/echo`, 'POST', '1', 'büdy', false]);
  });

  it.each([
    ['document', 'location.href = "/echo"', true],
    ['image', 'new Image().src = "/picture.png"', false],
    [
      'stylesheet',
      'document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/style.css" }))',
      false,
    ],
    ['script', 'document.head.append(Object.assign(document.createElement("script"), { src: "/script.js" }))', false],
    ['ping', 'navigator.sendBeacon("/api/a", "x")', false],
  ])('reports the resource type "%s" and whether the request navigates', async (type, script, isNavigation) => {
    const asked = Promise.withResolvers<Route>();
    await page.route(/echo|picture|style|script|api/, (route) => {
      asked.resolve(route);
      return route.abort();
    });
    await page.evaluate(script);
    const request = (await asked.promise).request();
    expect([request.resourceType(), request.isNavigationRequest()]).toEqual([type, isNavigation]);
  });

  it('fulfills the document of `page.goto()`', async () => {
    await page.route('**/made-up', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Made up</title>' }),
    );
    const response = await page.goto(`${server.origin}/made-up`);
    expect([response?.status(), await page.title()]).toEqual([200, 'Made up']);
  });

  it('intercepts every request of a redirect chain', async () => {
    const seen: string[] = [];
    await page.route(
      /redirect|echo/,
      (route) => (seen.push(new URL(route.request().url()).pathname), route.continue()),
    );
    expect(await fetchText('/redirect')).toBe('server GET /echo 0');
    expect(seen).toEqual(['/redirect', '/echo']);
  });

  it('intercepts requests of a cross-process frame that loads later', async () => {
    await page.route('**/echo', (route) => route.fulfill({ body: 'routed' }));
    await page.goto(`${server.origin}/with-frame`);
    await expect.poll(() => page.frames()[1]?.title()).toBe('routed');
  });

  it('intercepts requests of an existing cross-process frame', async () => {
    await page.goto(`${server.origin}/with-frame`);
    await expect.poll(() => page.frames()[1]?.title()).toBe('server GET /echo 0');
    await page.route('**/echo', (route) => route.fulfill({ body: 'routed' }));
    expect(await page.frames()[1]?.evaluate('fetch("/echo").then((r) => r.text())')).toBe('routed');
  });

  it('intercepts requests of existing and new dedicated workers', async () => {
    await page.evaluate('void (window.old = new Worker("/worker.js"))');
    await page.route('**/echo', (route) => route.fulfill({ body: 'routed' }));
    const ask = (worker: string): Promise<unknown> =>
      page.evaluate(
        `new Promise((done) => { const w = ${worker}; w.onmessage = (e) => done(e.data); w.postMessage(1); })`,
      );
    expect([await ask('window.old'), await ask('new Worker("/worker.js")')]).toEqual(['routed', 'routed']);
  });

  it('ignores requests of another page', async () => {
    await page.route('**/echo', (route) => route.abort());
    const other = await test.driver.context.newPage(`${server.origin}/`);
    expect(await other.evaluate('fetch("/echo").then((r) => r.text())')).toBe('server GET /echo 0');
    await other.close();
  });

  it.each([
    ['a body of 2 MB', `{ body: 'x'.repeat(2e6) }`, (sent: Request) => sent.postData()?.length, 2_000_000],
    ['a file', `{ body: new Blob(['x'.repeat(20)]) }`, (sent: Request) => sent.postData()?.length, 20],
    [
      'a header of 100 KB',
      `{ headers: { 'x-long': 'x'.repeat(1e5) } }`,
      (sent: Request) => sent.headers()['x-long']?.length,
      100_000,
    ],
  ])('passes %s completely to handlers, before and after the `request` event', async (_what, init, read, whole) => {
    const event = page.waitForEvent('request', { predicate: (sent) => sent.url().endsWith('/echo') });
    const routed: Request[] = [];
    const fulfill = (route: Route, request: Request): Promise<void> => (routed.push(request), route.fulfill());
    await page.route('**/echo', fulfill);
    await page.route('**/echo', async (route, request) => (routed.push(request), await event, route.fallback()));
    await page.evaluate(`fetch('/echo', { method: 'POST', ...${init} }).then((answer) => answer.text())`);
    expect(routed.map(read)).toEqual([whole, whole]);
    expect((await routed[1]?.response())?.status()).toBe(200);
  });

  it('passes the same request to handlers as the `request` event', async () => {
    const event = page.waitForEvent('request', { predicate: (sent) => sent.url().endsWith('/echo') });
    const routed = Promise.withResolvers<Request>();
    await page.setExtraHTTPHeaders({ 'x-extra': 'yes' });
    await page.route('**/echo', (route, request) => (routed.resolve(request), route.continue()));
    await page.route('**/echo', async (route) => (await event, route.fallback()));
    expect(await fetchText('/echo', { method: 'POST', body: 'four', headers: { 'x-own': 'yes' } })).toContain('4');
    expect(await routed.promise).toBe(await event);
    await page.setExtraHTTPHeaders({});
  });

  it('keeps a binary request body intact when the handler reads it', async () => {
    let body: string | null = '';
    await page.route('**/echo', (route) => {
      body = route.request().postData();
      return route.continue();
    });
    await page.evaluate('fetch("/echo", { method: "POST", body: new Uint8Array([0, 255, 254, 65]) })');
    expect(arrived[0]?.body).toEqual(Buffer.from([0, 255, 254, 65]));
    expect(body).toContain('A');
  });
});

describe('page.unroute() and page.unrouteAll()', () => {
  it('removes the handlers of a pattern', async () => {
    await page.route('**/echo', (route) => route.abort());
    await page.unroute('**/echo');
    expect(await fetchText('/echo')).toBe('server GET /echo 0');
  });

  it('removes only the given handler of a pattern', async () => {
    const fail = (route: Route): Promise<void> => route.abort();
    await page.route(/echo/, (route) => route.fulfill({ body: 'stays' }));
    await page.route(/echo/, fail);
    await page.unroute(/echo/, fail);
    expect(await fetchText('/echo')).toBe('stays');
  });

  it('sends a pending request to the server after `unrouteAll()`', async () => {
    const asked = Promise.withResolvers<void>();
    await page.route('**/echo', () => asked.resolve());
    const text = fetchText('/echo');
    await asked.promise;
    await page.unrouteAll();
    expect(await text).toBe('server GET /echo 0');
  });

  it('ignores a late answer of a removed handler', async () => {
    const asked = Promise.withResolvers<Route>();
    await page.route('**/echo', (route) => asked.resolve(route));
    const text = fetchText('/echo');
    const route = await asked.promise;
    await page.unroute('**/echo');
    await text;
    await expect(route.fulfill({ body: 'late' })).resolves.toBeUndefined();
  });
});

describe('route.fulfill()', () => {
  it.each<
    [sentence: string, answer: Parameters<Route['fulfill']>[0], status: number, type: string | null, text: string]
  >([
    ['status 200 and no body by default', undefined, 200, null, ''],
    ['a text body', { body: 'täxt' }, 200, 'text/plain; charset=utf-8', 'täxt'],
    ['JSON', { json: { a: [1] } }, 200, 'application/json', '{"a":[1]}'],
    ['JSON null', { json: null }, 200, 'application/json', 'null'],
    ['a content type', { body: '<a>', contentType: 'text/html' }, 200, 'text/html', '<a>'],
    ['a content type from `headers`', { body: 'x', headers: { 'Content-Type': 'a/b' } }, 200, 'a/b', 'x'],
    ['a status and a body', { status: 404, body: 'gone' }, 404, 'text/plain; charset=utf-8', 'gone'],
    ['a status without a body', { status: 503 }, 503, null, ''],
    ['a file', { path: 'package.json' }, 200, 'application/json', '"name"'],
  ])('responds with %s', async (_sentence, answer, status, type, text) => {
    await page.route('**/echo', (route) => route.fulfill(answer));
    const got = await page.evaluate(async () => {
      const response = await fetch('/echo');
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    });
    expect(got).toMatchObject({ status, type });
    expect(got.text).toContain(text);
  });

  it('responds with a binary body', async () => {
    const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);
    await page.route('**/echo', (route) => route.fulfill({ body: bytes }));
    expect(await page.evaluate('fetch("/echo").then((r) => r.bytes()).then((b) => [...b])')).toEqual([...bytes]);
  });

  it('sets one cookie per line of a multi-line Set-Cookie header', async () => {
    await page.route('**/echo', (route) => route.fulfill({ headers: { 'Set-Cookie': 'a=1\nb=2' } }));
    await fetchText('/echo');
    expect(await page.evaluate('document.cookie')).toBe('a=1; b=2');
  });

  it('lets a cross-origin page read the response of a request with a preflight', async () => {
    await page.route('**/echo', (route) => route.fulfill({ json: { ok: true } }));
    expect(await fetchText(`${server.otherOrigin}/echo`, { method: 'PUT', headers: { 'x-own': '1' } })).toBe(
      '{"ok":true}',
    );
    expect(arrived).toEqual([]);
  });

  it('blocks a cross-origin read when the handler allows only another origin', async () => {
    await page.route('**/echo', (route) =>
      route.fulfill({ body: 'secret', headers: { 'access-control-allow-origin': 'https://elsewhere.test' } }),
    );
    expect(await fetchText(`${server.otherOrigin}/echo`)).toBe('TypeError: Failed to fetch');
  });

  it.each([
    ['status', { status: 99 }],
    ['status', { status: '200' }],
    ['body', { body: 5 }],
    ['body', { body: 'a', json: {} }],
    ['path', { path: '/nowhere/at/all' }],
    ['contentType', { contentType: 7 }],
  ])('rejects an invalid `%s` and lets the handler answer again: %j', async (argument, answer) => {
    const outcome = Promise.withResolvers<unknown>();
    await page.route('**/echo', async (route) => {
      outcome.resolve(await failureOf(route.fulfill(answer as object)));
      await route.fulfill({ body: 'after all' });
    });
    expect(await fetchText('/echo')).toBe('after all');
    expect(await outcome.promise).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  });
});

describe('route.abort()', () => {
  it.each([
    [undefined, 'net::ERR_FAILED'],
    ['aborted', 'net::ERR_ABORTED'],
    ['accessdenied', 'net::ERR_ACCESS_DENIED'],
    ['addressunreachable', 'net::ERR_ADDRESS_UNREACHABLE'],
    ['blockedbyclient', 'net::ERR_BLOCKED_BY_CLIENT'],
    ['connectionclosed', 'net::ERR_CONNECTION_CLOSED'],
    ['connectionfailed', 'net::ERR_CONNECTION_FAILED'],
    ['connectionrefused', 'net::ERR_CONNECTION_REFUSED'],
    ['connectionreset', 'net::ERR_CONNECTION_RESET'],
    ['internetdisconnected', 'net::ERR_INTERNET_DISCONNECTED'],
    ['namenotresolved', 'net::ERR_NAME_NOT_RESOLVED'],
    ['timedout', 'net::ERR_TIMED_OUT'],
  ] as const)('with the code %s fails `page.goto()` with %s', async (code, text) => {
    await page.route('**/echo', (route) => route.abort(code));
    const error = await failureOf(page.goto(`${server.origin}/echo`));
    expect(error).toBeInstanceOf(DriverNavigationError);
    expect(String(error)).toContain(text);
  });

  it('fails a fetch without contacting the server', async () => {
    await page.route('**/echo', (route) => route.abort());
    expect(await fetchText('/echo')).toBe('TypeError: Failed to fetch');
    expect(arrived).toEqual([]);
  });

  it('fails the request and logs an error for an unknown error code', async () => {
    await page.route('**/echo', (route) => route.abort('nonsense' as 'failed'));
    expect(await fetchText('/echo')).toBe('TypeError: Failed to fetch');
    expect(test.lines.some(({ message }) => message.includes('errorCode must be one of'))).toBe(true);
  });
});

describe('route.continue()', () => {
  it('overrides method, headers and body', async () => {
    await page.route('**/echo', (route) =>
      route.continue({ method: 'POST', headers: { ...route.request().headers(), 'x-added': 'yes' }, postData: 'new' }),
    );
    expect(await fetchText('/echo')).toBe('server POST /echo 3');
    expect(arrived[0]?.headers['x-added']).toBe('yes');
    expect(arrived[0]?.body.toString()).toBe('new');
  });

  it('sends a binary body', async () => {
    const bytes = Buffer.from([0, 200, 255]);
    await page.route('**/echo', (route) => route.continue({ method: 'POST', postData: bytes }));
    await fetchText('/echo');
    expect(arrived[0]?.body).toEqual(bytes);
  });

  it('requests another URL without changing the page URL', async () => {
    await page.route('**/echo', (route) => route.continue({ url: `${server.origin}/other` }));
    expect(await fetchText('/echo')).toBe('server GET /other 0');
    await page.goto(`${server.origin}/echo`);
    expect(page.url()).toBe(`${server.origin}/echo`);
  });

  it.each(['ftp://127.0.0.1/', '/other', 'data:text/plain,x', 7])('rejects the URL %s', async (url) => {
    const outcome = Promise.withResolvers<unknown>();
    await page.route('**/echo', async (route) => {
      outcome.resolve(await failureOf(route.continue({ url: url as string })));
      await route.continue();
    });
    await fetchText('/echo');
    expect(await outcome.promise).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'url' });
  });

  it('leaves a cross-origin request without a matching handler to the server', async () => {
    await page.route('**/other', (route) => route.abort());
    expect(await fetchText(`${server.otherOrigin}/echo`)).toBe('server GET /echo 0');
  });
});

describe('route handler', () => {
  it('fails the request and logs the error when it throws', async () => {
    await page.route('**/echo', () => {
      throw new TypeError('a mistake of mine');
    });
    expect(await fetchText('/echo')).toBe('TypeError: Failed to fetch');
    const message = test.lines.filter(({ level }) => level === 0).at(-1)?.message;
    expect(message).toContain(`A route handler for ${server.origin}/echo threw: TypeError: a mistake of mine`);
  });

  it('whose URL function throws is skipped, and the log says why', async () => {
    await page.route('**/echo', (route) => route.fulfill({ body: 'routed' }));
    await page.route(
      () => {
        throw new TypeError('a mistake of mine');
      },
      (route) => route.abort(),
    );
    expect(await fetchText('/echo')).toBe('routed');
    const message = test.lines.filter(({ level }) => level === 0).at(-1)?.message;
    expect(message).toContain(`The URL function of a route threw for ${server.origin}/echo`);
    expect(message).toContain('a mistake of mine');
  });

  it.each(['continue', 'fallback'] as const)(
    'fails the request and logs the error when route.%s() sets a forbidden header',
    async (way) => {
      await page.route('**/echo', (route) => route[way]({ headers: { host: 'other.test' } }));
      expect(await fetchText('/echo')).toBe('TypeError: Failed to fetch');
      expect(arrived).toEqual([]);
      expect(test.lines.filter(({ level }) => level === 0).at(-1)?.message).toContain('Unsafe header: host');
    },
  );

  it('keeps its response when it rejects after answering', async () => {
    await page.route('**/echo', async (route) => {
      await route.fulfill({ body: 'answered' });
      throw new TypeError('afterwards');
    });
    expect(await fetchText('/echo')).toBe('answered');
  });

  it('gets an "already handled" error when it answers twice', async () => {
    const outcome = Promise.withResolvers<unknown>();
    await page.route('**/echo', async (route) => {
      await route.fulfill({ body: 'once' });
      outcome.resolve(await failureOf(route.abort()));
    });
    expect(await fetchText('/echo')).toBe('once');
    expect(String(await outcome.promise)).toContain('already handled');
  });

  it('lets its page close while a request is unanswered', async () => {
    const other = await test.driver.context.newPage(`${server.origin}/`);
    const asked = Promise.withResolvers<void>();
    await other.route('**/echo', () => asked.resolve());
    await other.evaluate('void fetch("/echo")');
    await asked.promise;
    await other.close();
    expect(other.isClosed()).toBe(true);
  });

  it('answers without an error after its page closed', async () => {
    const other = await test.driver.context.newPage(`${server.origin}/`);
    const asked = Promise.withResolvers<Route>();
    await other.route('**/echo', (route) => asked.resolve(route));
    await other.evaluate('void fetch("/echo")');
    const route = await asked.promise;
    await other.close();
    await expect(route.continue()).resolves.toBeUndefined();
  });

  it('lets the driver close while a request is unanswered', async () => {
    const other = await startDriver();
    await other.page.goto(`${server.origin}/`);
    const asked = Promise.withResolvers<void>();
    await other.page.route('**/echo', () => asked.resolve());
    await other.page.evaluate('void fetch("/echo")');
    await asked.promise;
    await expect(other.driver.close()).resolves.toBeUndefined();
  });
});

describe('context.route()', () => {
  it('intercepts requests of every page after the handlers of the page', async () => {
    const other = await test.driver.context.newPage(`${server.origin}/`);
    await test.driver.context.route('**/echo', (route) => route.fulfill({ body: 'context' }));
    await page.route('**/echo', (route) => route.fulfill({ body: 'page' }));
    expect(await fetchText('/echo')).toBe('page');
    expect(await other.evaluate('fetch("/echo").then((r) => r.text())')).toBe('context');
    await page.unrouteAll();
    expect(await fetchText('/echo')).toBe('context');
    await other.close();
  });

  it('intercepts the first document of a popup', async () => {
    await test.driver.context.route('**/made-up', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Made up</title>' }),
    );
    await page.evaluate('void window.open("/made-up")');
    const popup = await test.driver.context.awaitActivePage();
    expect(await popup.title()).toBe('Made up');
    await popup.close();
  });

  it.each([
    [
      'shared worker',
      'new Promise((done) => { new SharedWorker("/worker.js", String(Math.random())).port.onmessage = (e) => done(e.data); })',
    ],
    [
      'shared worker from a blob: URL',
      `fetch("/worker.js").then((r) => r.blob()).then((text) => new Promise((done) => {
        new SharedWorker(URL.createObjectURL(text)).port.onmessage = (e) => done(e.data);
      }))`,
    ],
    [
      'service worker',
      `navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then((r) => new Promise((done) => {
        navigator.serviceWorker.onmessage = (e) => done(e.data);
        r.active.postMessage(1);
      }))`,
    ],
  ])('intercepts requests of a %s', async (_kind, ask) => {
    await test.driver.context.route('**/echo', (route) => route.fulfill({ body: 'routed' }));
    expect(await page.evaluate(ask)).toBe('routed');
  });
});
