import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DriverTimeoutError, type Page, type Request, type Response } from '../../src/index.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';

const test = useBrowser({
  routes: {
    '/': '<title>Start</title>',
    '/page': `<link rel="stylesheet" href="/style.css"><script src="/script.js"></script><img src="/picture.svg">
      <iframe src="/inner"></iframe>`,
    '/inner': '<p>inner</p>',
    '/style.css': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/css' }).end('p { color: red }'),
    '/script.js': (_request, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('1'),
    '/picture.svg': (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    '/json': (_request, response) =>
      void response.writeHead(201, { 'content-type': 'application/json' }).end('{"a":1}'),
    '/one': (_request, response) => void response.writeHead(302, { location: '/two' }).end(),
    '/two': (_request, response) => void response.writeHead(301, { location: '/inner?end' }).end(),
    '/cut': (request) => void request.socket.destroy(),
    '/mute': () => undefined,
    '/deep': `<script>fetch('/json')</script>`,
  },
});
const openPage = reusedPage(test);
let page: Page;

beforeAll(() => {
  test.server.page('/framed', `<iframe src="${test.server.otherOrigin}/deep"></iframe>`);
});

beforeEach(async () => {
  page = await openPage();
});

const path = (message: Request | Response): string => message.url().replace(test.server.origin, '');

async function requestBy(script: string): Promise<Request> {
  const [request] = await Promise.all([page.waitForEvent('request'), page.evaluate(`void (${script})`)]);
  return request;
}

describe('requests', () => {
  it('reports the resource type and whether the request is a navigation', async () => {
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`${test.server.origin}/page`, { waitUntil: 'load' });
    const told = requests.map(
      (request) => `${path(request)} ${request.resourceType()} ${request.isNavigationRequest()}`,
    );
    expect(told.toSorted()).toEqual([
      '/inner document true',
      '/page document true',
      '/picture.svg image false',
      '/script.js script false',
      '/style.css stylesheet false',
    ]);
  });

  it.each([
    [`fetch('/json')`, 'GET', null, 'fetch'],
    [`fetch('/json', { method: 'POST', body: 'plain' })`, 'POST', 'plain', 'fetch'],
    [`fetch('/json', { method: 'PUT', body: JSON.stringify({ ü: '→' }) })`, 'PUT', '{"ü":"→"}', 'fetch'],
    [`fetch('/json', { method: 'DELETE' })`, 'DELETE', null, 'fetch'],
    [`fetch('/json', { method: 'POST', body: new URLSearchParams({ a: '1', b: '2' }) })`, 'POST', 'a=1&b=2', 'fetch'],
    [
      `Object.assign(new XMLHttpRequest(), { x: 1 }).constructor && (() => { const r = new XMLHttpRequest(); r.open('PATCH', '/json'); r.send('x'); })()`,
      'PATCH',
      'x',
      'xhr',
    ],
  ])('reports method and body of %s', async (script, method, body, type) => {
    const request = await requestBy(script);
    expect([request.method(), request.postData(), request.resourceType()]).toEqual([method, body, type]);
    expect(request.url()).toBe(`${test.server.origin}/json`);
    expect(request.isNavigationRequest()).toBe(false);
  });

  it('returns headers by lower-case name', async () => {
    const request = await requestBy(`fetch('/json', { headers: { 'X-Mine': 'yes' } })`);
    expect(request.headers()).toMatchObject({ 'x-mine': 'yes', 'user-agent': expect.stringContaining('Chrome') });
  });

  it('keeps the fragment of the URL', async () => {
    expect((await requestBy(`fetch('/json?q=1#part')`)).url()).toBe(`${test.server.origin}/json?q=1#part`);
  });

  it('returns the frame of the request', async () => {
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`${test.server.origin}/page`, { waitUntil: 'load' });
    const [main, inner] = page.frames();
    expect(requests.find((request) => path(request) === '/page')?.frame()).toBe(main);
    expect(requests.find((request) => path(request) === '/inner')?.frame()).toBe(inner);
  });

  it('emits requests of frames in other processes', async () => {
    const waiting = page.waitForEvent('request', (request) => request.url().endsWith('/json'));
    await page.goto(`${test.server.origin}/framed`);
    const request = await waiting;
    expect(request.url()).toBe(`${test.server.otherOrigin}/json`);
    expect(request.frame()?.url()).toBe(`${test.server.otherOrigin}/deep`);
  });

  it('links redirected requests, each with its own response', async () => {
    const requests: Request[] = [];
    const responses: Response[] = [];
    page.on('request', (request) => requests.push(request));
    page.on('response', (response) => responses.push(response));
    await page.goto(`${test.server.origin}/one`);
    expect(requests.map(path)).toEqual(['/one', '/two', '/inner?end']);
    expect(responses.map((response) => [path(response), response.status()])).toEqual([
      ['/one', 302],
      ['/two', 301],
      ['/inner?end', 200],
    ]);
    const [one, two, end] = requests;
    expect([one?.redirectedFrom(), two?.redirectedFrom(), end?.redirectedFrom()]).toEqual([null, one, two]);
    expect(await one?.response()).toBe(responses[0]);
    expect(requests.every((request) => request.isNavigationRequest())).toBe(true);
  });

  it('reports the network error of a failed request', async () => {
    const request = await requestBy(`fetch('/cut').catch(() => undefined)`);
    expect(await request.response()).toBeNull();
    expect(request.failure()).toEqual({ errorText: 'net::ERR_EMPTY_RESPONSE' });
  });

  it('reports `net::ERR_ABORTED` for an aborted request', async () => {
    const request = await requestBy(`(() => {
      globalThis.controller = new AbortController();
      fetch('/mute', { signal: controller.signal }).catch(() => undefined);
    })()`);
    expect(request.failure()).toBeNull();
    await page.evaluate('controller.abort()');
    expect(await request.response()).toBeNull();
    expect(request.failure()).toEqual({ errorText: 'net::ERR_ABORTED' });
  });

  it('rejects `response()` at its timeout', async () => {
    const request = await requestBy(`fetch('/mute').catch(() => undefined)`);
    await expect(request.response({ timeout: 100 })).rejects.toThrow(DriverTimeoutError);
  });
});

describe('responses', () => {
  it('emits responses with status and body, and links them to their requests', async () => {
    const [response, request] = await Promise.all([
      page.waitForEvent('response'),
      page.waitForEvent('request'),
      page.evaluate(`fetch('/json').then((answer) => answer.text())`),
    ]);
    expect([path(response), response.status(), response.ok()]).toEqual(['/json', 201, true]);
    expect(await response.json()).toEqual({ a: 1 });
    expect(await request.response()).toBe(response);
    expect(request.failure()).toBeNull();
  });

  it('emits a response with an error status', async () => {
    const [response] = await Promise.all([
      page.waitForEvent('response'),
      page.evaluate(`fetch('/nowhere').then((answer) => answer.text())`),
    ]);
    expect([response.status(), response.ok()]).toEqual([404, false]);
  });
});
