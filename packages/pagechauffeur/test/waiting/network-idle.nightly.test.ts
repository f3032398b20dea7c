import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
let sockets: WebSocketServer;
const held: ServerResponse[] = [];

function every(ms: number, response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.write(text), ms);
  response.on('close', () => clearInterval(timer));
}

beforeAll(async () => {
  server = await serve({
    '/': '<title>Plain</title>',
    '/never': (_request, response) => held.push(response),
    '/hanging-picture': '<title>Hanging picture</title><img src="/never">',
    '/events': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      every(100, response, 'data: tick\n\n');
    },
    '/stream': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      every(100, response, 'more '.repeat(20));
    },
    '/poll': (_request, response) => setTimeout(() => response.end('nothing new'), 150),
    '/event-source': "<title>Event source</title><script>new EventSource('/events')</script>",
    '/event-stream-by-fetch': "<title>Fetched events</title><script>fetch('/events')</script>",
    '/long-poll': "<title>Long poll</title><script>fetch('/never')</script>",
    '/long-poll-by-xhr':
      "<title>Long poll by XHR</title><script>const x = new XMLHttpRequest(); x.open('GET', '/never'); x.send()</script>",
    '/short-poll':
      "<title>Short poll</title><script>(async () => { for (let n = 0; ; n += 1) await fetch('/poll?n=' + n); })()</script>",
    '/endless': "<title>Endless answer</title><script>fetch('/stream')</script>",
    '/beacon': "<title>Beacon</title><script>navigator.sendBeacon('/never', 'x')</script>",
    '/framed': '<title>Framed</title><iframe src="/hanging-picture"></iframe>',
    '/slow': (_request, response) => setTimeout(() => response.end('"late"'), 700),
    // The browser lets only one page at a time fetch an address that it may keep, so each asks for another.
    '/late':
      "<title>Late</title><script>fetch('/slow?' + Math.random()).then((r) => r.json()).then((text) => { document.title = text; })</script>",
    '/late-in-frame': '<title>Late in a frame</title><iframe src="/late"></iframe>',
    '/chain':
      "<title>Chain</title><script>(async () => { for (let n = 0; n < 3; n += 1) await fetch('/slow?' + Math.random()); document.title = 'Chained'; })()</script>",
    '/replaces': "<title>Replaces</title><script>location.replace('/late')</script>",
    '/pushes':
      "<title>Pushes</title><script>let n = 0; setInterval(() => history.pushState(null, '', '/pushes?' + n++), 100)</script>",
    '/pushes-and-fetches':
      "<title>Pushes</title><script>history.pushState(null, '', '/pushed'); fetch('/slow?' + Math.random()).then(() => { history.replaceState(null, '', '/put'); document.title = 'late'; })</script>",
    '/refreshes': '<title>Refreshes</title><meta http-equiv="refresh" content="0; url=/late">',
    '/redirects': (_request, response) => response.writeHead(302, { location: '/late' }).end(),
    '/unfinished': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Unfinished</title>');
      held.push(response);
    },
  });
  sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(sockets, 'listening');
  const { port } = sockets.address() as AddressInfo;
  server.page(
    '/socket',
    `<title>Socket</title><script>const s = new WebSocket('ws://127.0.0.1:${port}'); s.onopen = () => setInterval(() => s.send('hi'), 50)</script>`,
  );
  test = await startDriver();
  ({ page } = test);
});

afterAll(async () => {
  for (const response of held) response.destroy();
  for (const socket of sockets.clients) socket.terminate();
  sockets.close();
  await test?.driver.close();
  await server?.close();
});

describe('networkidle', () => {
  it.concurrent.each([
    ['/', 'Plain'],
    ['/hanging-picture', 'Hanging picture'],
    ['/event-source', 'Event source'],
    ['/event-stream-by-fetch', 'Fetched events'],
    ['/long-poll', 'Long poll'],
    ['/long-poll-by-xhr', 'Long poll by XHR'],
    ['/short-poll', 'Short poll'],
    ['/endless', 'Endless answer'],
    ['/socket', 'Socket'],
    ['/beacon', 'Beacon'],
    ['/framed', 'Framed'],
    ['/pushes', 'Pushes'],
  ])('fires on %s, which keeps a request open or makes none', async (path, title) => {
    const tab = await test.driver.context.newPage();
    const response = await tab.goto(server.origin + path, { waitUntil: 'networkidle' });
    expect(response?.status()).toBe(200);
    expect(await tab.title()).toBe(title);
    await tab.waitForLoadState('networkidle');
    await tab.close();
  });

  it.concurrent.each([
    ['/late', '"late"'],
    ['/chain', 'Chained'],
    ['/replaces', '"late"'],
    ['/pushes-and-fetches', '"late"'],
    ['/refreshes', '"late"'],
    ['/redirects', '"late"'],
  ])('fires on %s only after its requests finish', async (path, title) => {
    const tab = await test.driver.context.newPage();
    await tab.goto(server.origin + path, { waitUntil: 'networkidle' });
    expect((await tab.title()).replaceAll('"', '')).toBe(title.replaceAll('"', ''));
    await tab.close();
  });

  it('fires after the requests of a frame', async () => {
    await page.goto(`${server.origin}/late-in-frame`, { waitUntil: 'networkidle' });
    expect(await page.evaluate('frames[0].document.title')).toContain('late');
  });

  it('fires immediately on an idle page, 120 times', { timeout: 50_000 }, async () => {
    await page.goto(server.origin, { waitUntil: 'networkidle' });
    // 500 ms without requests for each call would take a minute, longer than the timeout of this test.
    for (let count = 0; count < 120; count += 1) await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe('Plain');
  });

  it('waits for a request that an idle page starts', async () => {
    await page.goto(server.origin, { waitUntil: 'networkidle' });
    await page.evaluate("void fetch('/slow').then(() => { document.title = 'Fetched'; })");
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe('Fetched');
  });

  it('does not fire while the document is still loading', async () => {
    const failure = await failureOf(
      page.goto(`${server.origin}/unfinished`, { waitUntil: 'networkidle', timeout: 600 }),
    );
    expect(failure).toMatchObject({ code: 'TIMEOUT', operation: 'page.goto' });
  });

  it.each(['reload', 'goBack'] as const)('fires after %s()', async (method) => {
    await page.goto(`${server.origin}/late`, { waitUntil: 'commit' });
    if (method === 'goBack') await page.goto(server.origin);
    await page[method]({ waitUntil: 'networkidle' });
    expect(await page.title()).toContain('late');
  });
});
