import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DriverInvalidArgumentError,
  DriverNavigationError,
  DriverTimeoutError,
  type LoadState,
  type Page,
} from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
const held: ServerResponse[] = [];

beforeAll(async () => {
  server = await serve({
    '/': '<title>Start</title><a href="#part">part</a>',
    '/other': '<title>Other</title>',
    '/gone': (_request, response) =>
      response.writeHead(404, { 'x-reason': 'never was' }).end('<title>No such page</title>'),
    '/empty-404': (_request, response) => response.writeHead(404).end(),
    '/error': (_request, response) => response.writeHead(503, 'Come back later').end('<title>Down</title>'),
    '/redirect': (_request, response) => response.writeHead(302, { location: '/other' }).end(),
    '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
    '/nothing': (_request, response) => response.writeHead(204).end(),
    '/file': (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('bytes'),
    '/replaces': "<title>Replaces</title><script>location.replace('/other')</script>",
    '/pushes': "<title>Pushes</title><script>history.pushState(null, '', '/pushed')</script>",
    '/never': (_request, response) => held.push(response),
    '/half': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Half</title><p>first');
      held.push(response);
    },
    '/pdf': (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF),
    '/slow-image': '<title>Slow image</title><img src="/never">',
    '/echo': (request, response) => response.end(JSON.stringify(request.headers)),
  });
  test = await startDriver();
  ({ page } = test);
});

afterAll(async () => {
  for (const response of held) response.destroy();
  await test?.driver.close();
  await server?.close();
});

const PDF =
  '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 144]>>endobj\n' +
  '3 0 obj<</Type/Page/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF';

const LOAD_STATES: readonly LoadState[] = ['commit', 'domcontentloaded', 'load', 'networkidle'];

describe('page.goto()', () => {
  it('says that a page is a PDF, or that it was downloaded by a browser without a viewer', async () => {
    const outcome = await page.goto(`${server.origin}/pdf`).then(
      async () => (await page.snapshot()).text,
      (error: unknown) => String(error),
    );
    expect(outcome).toMatch(/This page is a PDF document\.|started a download instead of loading a page/);
  });

  // [spec: page.goto]
  it.each(LOAD_STATES)('waits for %s and returns the response', async (waitUntil) => {
    const response = await page.goto(`${server.origin}/other`, { waitUntil });
    expect(page.url()).toBe(`${server.origin}/other`);
    expect(response?.status()).toBe(200);
    expect(response?.ok()).toBe(true);
    expect(await page.title()).toBe('Other');
  });

  it.each(LOAD_STATES)('follows redirects of the server until %s', async (waitUntil) => {
    const response = await page.goto(`${server.origin}/redirect`, { waitUntil });
    expect([response?.url(), response?.status(), page.url()]).toEqual([
      `${server.origin}/other`,
      200,
      `${server.origin}/other`,
    ]);
  });

  it('resolves with the document that location.replace() loads', async () => {
    const response = await page.goto(`${server.origin}/replaces`, { waitUntil: 'networkidle' });
    expect([page.url(), response?.url(), await page.title()]).toEqual([
      `${server.origin}/other`,
      `${server.origin}/other`,
      'Other',
    ]);
  });

  // [spec: page.url]
  it('updates `page.url()` when a script calls history.pushState()', async () => {
    await page.goto(`${server.origin}/pushes`, { waitUntil: 'load' });
    expect([page.url(), await page.title()]).toEqual([`${server.origin}/pushed`, 'Pushes']);
  });

  it('returns null for a fragment, keeps the document and updates the URL', async () => {
    await page.goto(server.origin);
    await page.evaluate('window.kept = true');
    for (const fragment of ['#part', '#part', '#other']) {
      expect(await page.goto(`${server.origin}/${fragment}`)).toBeNull();
      expect(page.url()).toBe(`${server.origin}/${fragment}`);
    }
    expect(await page.evaluate('window.kept')).toBe(true);
  });

  it('opens data: URLs and about:blank', async () => {
    await page.goto('data:text/html,<title>From data</title>', { waitUntil: 'load' });
    expect(await page.title()).toBe('From data');
    expect(await page.goto('about:blank', { waitUntil: 'load' })).toBeNull();
    expect(page.url()).toBe('about:blank');
    expect(await page.title()).toBe('');
  });

  it('returns error responses with status, headers and body', async () => {
    const response = await page.goto(`${server.origin}/gone`);
    expect(response?.status()).toBe(404);
    expect(response?.ok()).toBe(false);
    expect(response?.headers()['x-reason']).toBe('never was');
    expect(await response?.text()).toContain('No such page');
    expect((await page.goto(`${server.origin}/error`))?.statusText()).toBe('Come back later');
    expect((await page.goto(`${server.origin}/empty-404`))?.status()).toBe(404);
    expect(page.url()).toBe(`${server.origin}/empty-404`);
  });

  it('sends the referer', async () => {
    const response = await page.goto(`${server.origin}/echo`, { referer: `${server.origin}/other` });
    expect(await response?.json()).toMatchObject({ referer: `${server.origin}/other` });
  });

  it('resolves at an early load state of a document that never finishes', async () => {
    await page.goto(`${server.origin}/half`, { waitUntil: 'commit' });
    expect(page.url()).toBe(`${server.origin}/half`);
    await page.waitForSelector('text=first');
    await page.goto(`${server.origin}/slow-image`, { waitUntil: 'domcontentloaded' });
    await expect(page.waitForLoadState('load', { timeout: 100 })).rejects.toThrow(
      /page.waitForLoadState: Timeout 100 ms exceeded/,
    );
    await page.goto(`${server.origin}/other`);
    await page.waitForLoadState('networkidle');
    await page.waitForLoadState('networkidle');
  });

  it.each([
    ['/never', 'domcontentloaded'],
    ['/half', 'load'],
    ['/slow-image', 'load'],
  ] as const)('times out on %s and stops the load', async (path, waitUntil) => {
    const failure = page.goto(server.origin + path, { waitUntil, timeout: 300 });
    await expect(failure).rejects.toThrow(DriverTimeoutError);
    await expect(failure).rejects.toMatchObject({
      operation: 'page.goto',
      timeout: 300,
      code: 'TIMEOUT',
      message: expect.stringContaining(`navigating to ${server.origin}${path}`),
    });
    const response = held.at(-1);
    if (response && !response.destroyed) await once(response, 'close');
    expect(await page.goto(`${server.origin}/other`, { waitUntil: 'load' })).not.toBeNull();
  });

  it('accepts timeoutMs as an alias of timeout', async () => {
    await expect(page.goto(`${server.origin}/never`, { timeoutMs: 50 })).rejects.toMatchObject({ timeout: 50 });
  });

  it('rejects when the signal aborts and stops the load', async () => {
    const controller = new AbortController();
    const failure = failureOf(page.goto(`${server.origin}/never`, { signal: controller.signal }));
    await expect.poll(() => held.at(-1)?.destroyed).toBe(false);
    controller.abort('enough');
    expect(await failure).toMatchObject({ code: 'ABORTED', cause: 'enough' });
    await expect.poll(() => held.at(-1)?.destroyed).toBe(true);
  });

  it('returns its own response when the page started a navigation before', async () => {
    await page.goto(server.origin);
    // One that has not left yet would be the newer one.
    const left = page.waitForEvent('request');
    await page.evaluate("void (location.href = '/never')");
    await left;
    const response = await page.goto(`${server.origin}/gone`, { waitUntil: 'load' });
    expect([response?.status(), page.url()]).toEqual([404, `${server.origin}/gone`]);
  });

  it('rejects when a newer `page.goto()` replaces it', async () => {
    const first = failureOf(page.goto(`${server.origin}/never`));
    const response = await page.goto(`${server.origin}/other`);
    expect(String(await first)).toContain('a newer navigation');
    expect([response?.url(), page.url()]).toEqual([`${server.origin}/other`, `${server.origin}/other`]);
  });
});

describe('URL that cannot be opened', () => {
  it.each([
    ['/nothing', /net::ERR_ABORTED\. .*204/],
    ['/circle', /ERR_TOO_MANY_REDIRECTS\. The server redirects in a loop/],
    ['/file', /started a download instead of loading a page/],
  ] as const)('rejects %s with DriverNavigationError and advice', async (path, sentence) => {
    await page.goto(server.origin);
    const failure = page.goto(server.origin + path);
    await expect(failure).rejects.toThrow(DriverNavigationError);
    await expect(failure).rejects.toMatchObject({
      url: server.origin + path,
      message: expect.stringMatching(sentence),
    });
  });

  it('explains a refused connection, an unknown host and a server without TLS', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await expect(page.goto(`http://127.0.0.1:${port}/`)).rejects.toThrow(
      /ERR_CONNECTION_REFUSED\. Nothing listens at that address/,
    );
    expect(page.url()).toBe(`http://127.0.0.1:${port}/`);
    await expect(page.goto('http://no-such-host.invalid/')).rejects.toThrow(
      /ERR_NAME_NOT_RESOLVED\. The host name cannot be resolved/,
    );
    await expect(page.goto(server.origin.replace('http', 'https'))).rejects.toThrow(
      /ERR_SSL_PROTOCOL_ERROR\. The response is not valid TLS/,
    );
    expect((await page.goto(server.origin, { waitUntil: 'load' }))?.status()).toBe(200);
    expect(await page.title()).toBe('Start');
  });

  it('is not taken for a cancelled navigation if the URL contains the error of one', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    // After a cancelled navigation, the driver waits 1 s for a better reason.
    await expect(page.goto(`http://127.0.0.1:${port}/?net::ERR_ABORTED`, { timeout: 950 })).rejects.toThrow(
      DriverNavigationError,
    );
  });

  it.each([
    ['example.com', 'Did you mean https://example.com?'],
    ['localhost:3000/a', 'Did you mean http://localhost:3000/a?'],
    ['/other', 'needs a scheme'],
    ['http://', 'is not a valid URL: it has no host name.'],
    ['http://127.0.0.1:99999', 'its port must be a number from 0 to 65535, not "99999".'],
    ['http://127.0.0.1:x/a', 'its port must be a number from 0 to 65535, not "x".'],
    ['http://[::1', 'its IPv6 address is invalid or lacks the closing bracket.'],
    ['http://user:secret@a b/c', '"http://user:***@a b/c" is not a valid URL: "a b" is not a valid host name.'],
    ['mailto:ada@shop.example', 'The browser cannot open mailto: URLs as a page.'],
    ['foo:', 'The browser cannot open foo: URLs as a page.'],
    ['ftp://shop.example/a', 'The browser cannot open ftp: URLs as a page.'],
    ['javascript:alert(1)', 'Use page.evaluate()'],
    [' javascript:alert(1)', 'Use page.evaluate()'],
    ['java\nscript:alert(1)', 'Use page.evaluate()'],
    ['\u0001javascript:alert(1)', 'Use page.evaluate()'],
    ['view-source:javascript:alert(1)', 'Use page.evaluate()'],
  ])('rejects %s without leaving the page', async (url, sentence) => {
    await page.goto(`${server.origin}/other`);
    await expect(page.goto(url)).rejects.toThrow(DriverNavigationError);
    await expect(page.goto(url)).rejects.toThrow(sentence);
    expect(page.url()).toBe(`${server.origin}/other`);
  });

  it('shortens a long URL in its error and call log', async () => {
    for (const start of ['data:application/zip,', 'http://127.0.0.1:9/', 'no-scheme']) {
      const { message } = (await page.goto(start + 'x'.repeat(100_000)).catch((error: unknown) => error)) as Error;
      expect(message).toMatch(/x… \(\d+ more characters\)/);
      expect(message.length).toBeLessThan(2000);
    }
  });

  it('rejects invalid arguments with a message that names the argument', async () => {
    await expect(page.goto('')).rejects.toThrow(/url must be a non-empty string/);
    await expect(page.goto(5 as never)).rejects.toThrow(DriverInvalidArgumentError);
    await expect(page.goto(server.origin, { waitUntil: 'idle' as never })).rejects.toThrow(
      /waitUntil must be one of commit, domcontentloaded, load, networkidle. Received the string "idle"/,
    );
    await expect(page.goto(server.origin, { timeout: '5s' as never })).rejects.toThrow(
      /timeout must be a number of milliseconds, 0 or more. Received the string "5s"/,
    );
    await expect(page.goto(server.origin, { timeout: -1 })).rejects.toThrow(/Received the number -1/);
    await expect(page.goto(server.origin, { signal: {} as never })).rejects.toThrow(/signal must be an AbortSignal/);
    await expect(page.waitForLoadState('ready' as never)).rejects.toThrow(/state must be one of/);
  });

  it('accepts timeout 0 and a timeout longer than a timer allows', async () => {
    expect((await page.goto(`${server.origin}/other`, { timeout: 0 }))?.status()).toBe(200);
    expect((await page.goto(`${server.origin}/other`, { timeout: 1e12 }))?.status()).toBe(200);
  });
});

describe('page.reload()', () => {
  // [spec: page.reload]
  it('reloads the document and returns its response', async () => {
    await page.goto(`${server.origin}/other`);
    await page.evaluate('window.kept = true');
    const response = await page.reload({ waitUntil: 'load' });
    expect(response?.status()).toBe(200);
    expect(await page.evaluate('window.kept')).toBeUndefined();
  });

  it('reloads the document that was just committed', async () => {
    for (let round = 0; round < 10; round += 1) {
      await page.goto(server.origin);
      await page.goto(`${server.origin}/other`, { waitUntil: 'commit' });
      await page.reload();
      expect(page.url()).toBe(`${server.origin}/other`);
    }
  });

  it('rejects when the server no longer responds with a page', async () => {
    let answer = 200;
    const url = server.page('/changes', (_request, response) =>
      response.writeHead(answer, { 'content-type': 'text/html' }).end(),
    );
    await page.goto(url);
    answer = 204;
    await expect(page.reload()).rejects.toThrow(/Cannot open .*\/changes: net::ERR_ABORTED/);
    answer = 404;
    expect((await page.reload())?.status()).toBe(404);
    server.page('/changes', (request) => request.socket.destroy());
    await expect(page.reload()).rejects.toThrow(
      /ERR_EMPTY_RESPONSE\. The server closed the connection without a response/,
    );
  });
});

describe('page.goBack() and page.goForward()', () => {
  // [spec: page.goBack, page.goForward]
  it('moves through the session history and returns null at its end', async () => {
    const tab = await test.driver.context.newPage();
    await tab.goto(server.origin);
    await tab.goto(`${server.origin}/gone`);
    const back = await tab.goBack({ waitUntil: 'load' });
    expect([back?.status(), tab.url()]).toEqual([200, `${server.origin}/`]);
    const forward = await tab.goForward();
    expect([forward?.status(), tab.url()]).toEqual([404, `${server.origin}/gone`]);
    expect(await tab.goForward()).toBeNull();
    expect(tab.url()).toBe(`${server.origin}/gone`);
    await tab.close();
  });

  it('moves through same-document history entries', async () => {
    await page.goto(server.origin);
    await page.goto(`${server.origin}/#part`);
    await page.evaluate("history.pushState(null, '', '/pushed')");
    expect(page.url()).toBe(`${server.origin}/pushed`);
    expect(await page.goBack()).toBeNull();
    expect(page.url()).toBe(`${server.origin}/#part`);
    expect(await page.goBack()).toBeNull();
    expect(page.url()).toBe(`${server.origin}/`);
    expect(await page.goForward()).toBeNull();
    expect(page.url()).toBe(`${server.origin}/#part`);
  });

  it('goes back and returns null when only a frame navigated', async () => {
    server.page('/framed', '<title>Framed</title><iframe src="/inside"></iframe>');
    server.page('/inside', '<a href="/other">on</a>');
    await page.goto(`${server.origin}/framed`, { waitUntil: 'load' });
    await page.locator('iframe >> a').click();
    await page.locator('iframe >> a').waitFor({ state: 'detached' });
    expect(await page.goBack()).toBeNull();
    await expect.poll(() => page.target.frames.frames[1]?.url).toBe(`${server.origin}/inside`);
    expect(page.url()).toBe(`${server.origin}/framed`);
  });
});

it('removes all event listeners after timed-out and completed waits', async () => {
  const { target } = page;
  const listeners = (): number[] =>
    [target.frames.events, target.events, target.network.events, target.session.events].map(({ size }) => size);
  const before = listeners();
  const limits = { timeout: 100 };
  await Promise.allSettled([
    page.goto(`${server.origin}/never`, limits),
    page.waitForLoadState('load', limits),
    page.locator('#absent').click(limits),
    page.waitForSelector('#absent', limits),
  ]);
  await page.goto(server.origin, { waitUntil: 'load' });
  await page.locator('a').click();
  expect(listeners()).toEqual(before);
});

// [spec: history.method, history.parameters, history.result]
it('records one history entry per navigation method call', async () => {
  const before = (await test.driver.history).length;
  await page.goto(server.origin);
  await page.goto(`${server.origin}/gone`);
  await page.reload();
  await page.goBack();
  const entries = (await test.driver.history).slice(before);
  expect(entries.map(({ method, parameters }) => [method, parameters])).toEqual([
    ['navigate', { method: 'goto', url: server.origin }],
    ['navigate', { method: 'goto', url: `${server.origin}/gone` }],
    ['navigate', { method: 'reload' }],
    ['navigate', { method: 'goBack' }],
  ]);
  expect(entries[1]?.result).toEqual({ url: `${server.origin}/gone`, status: 404 });
  expect(test.lines.filter(({ category }) => category === 'navigation').at(-1)?.message).toBe(
    `goBack ${server.origin}/ (200)`,
  );
});
