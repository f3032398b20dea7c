import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DomainRules,
  Driver,
  DriverDomainPolicyError,
  DriverNavigationError,
  type LogLine,
  type Page,
  type Request,
} from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve } from '../support/serve.ts';
import { type PolicyServer, servePolicyPages } from './policy-server.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let server: PolicyServer;
let test: TestDriver;
let page: Page;

useWholeBrowser('nightly');

beforeAll(async () => {
  server = await servePolicyPages();
  test = await startDriver();
  page = test.page;
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await test.driver.context.setDomainPolicy({ allowedDomains: ['127.0.0.1'] });
  if (page.url() !== `${server.allowed}/`) await page.goto(`${server.allowed}/`);
  server.leaks();
});

/** JavaScript with the servers' addresses in place. */
function script(text: string): string {
  const { allowed, refused, port } = server;
  return text
    .replaceAll('ALLOWED', allowed)
    .replaceAll('REFUSED', refused)
    .replaceAll('PORT', String(port))
    .replaceAll('REDIRECT', `${allowed}/redirect?to=${refused}`);
}

/** What leaked until a request that was sent after the rest had its answer. */
async function afterTheRest(): Promise<string[]> {
  await page.evaluate('fetch("/last").then((r) => r.text())');
  return server.leaks();
}

const ELEMENT =
  'new Promise((done) => { const e = ELEMENT; e.onload = () => done("came"); e.onerror = () => done("failed"); document.body.append(e); })';
const SOCKET = (host: string): string =>
  `new Promise((done) => { const s = new WebSocket("ws://${host}:PORT/socket"); s.onopen = () => done("came"); s.onerror = () => done("failed"); })`;
const FETCH = (address: string, init = '{}'): string =>
  `fetch("${address}", ${init}).then(() => "came", () => "failed")`;
const element = (name: string, facts: string): string =>
  ELEMENT.replace('ELEMENT', `Object.assign(document.createElement("${name}"), ${facts})`);

/** Rules by which a page is loaded ahead. */
const SPECULATION =
  'document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ source: "list", urls: ["REFUSED/a"], eagerness: "immediate" }], prerender: [{ source: "list", urls: ["REDIRECT/a"], eagerness: "immediate" }] }) }))';

/** A way to send a request, and what the page learns of it. */
const WAYS: readonly (readonly [way: string, source: string, outcome: unknown])[] = [
  ['fetch', FETCH('REFUSED/a'), 'failed'],
  ['fetch that is redirected', FETCH('REDIRECT/a'), 'failed'],
  ['fetch that is redirected twice', FETCH('ALLOWED/redirect?to=/redirect?to=REFUSED/a'), 'failed'],
  ['fetch with keepalive', FETCH('REFUSED/a', '{ keepalive: true }'), 'failed'],
  ['fetch with keepalive that is redirected', FETCH('REDIRECT/a', '{ keepalive: true }'), 'failed'],
  ['fetch without CORS', FETCH('REFUSED/a', '{ mode: "no-cors" }'), 'failed'],
  ['fetch with a preflight', FETCH('REFUSED/a', '{ method: "PUT", headers: { "x-a": "1" } }'), 'failed'],
  ['fetch of a name with a dot at its end', FETCH('http://localhost.:PORT/a'), 'failed'],
  ['fetch of a name in capitals', FETCH('http://LOCALHOST:PORT/a'), 'failed'],
  [
    'fetch with a user in the address',
    'fetch("http://127.0.0.1@localhost:PORT/a").then(() => "came", () => "failed")',
    'failed',
  ],
  [
    'XMLHttpRequest',
    'new Promise((done) => { const x = new XMLHttpRequest(); x.open("GET", "REFUSED/a"); x.onload = () => done("came"); x.onerror = () => done("failed"); x.send(); })',
    'failed',
  ],
  [
    'XMLHttpRequest that blocks',
    '(() => { try { const x = new XMLHttpRequest(); x.open("GET", "REFUSED/a", false); x.send(); return "came"; } catch { return "failed"; } })()',
    'failed',
  ],
  ['beacon', 'navigator.sendBeacon("REFUSED/a", "x")', true],
  ['beacon that is redirected', 'navigator.sendBeacon("REDIRECT/a", "x")', true],
  [
    'EventSource',
    'new Promise((done) => { const s = new EventSource("REFUSED/a"); s.onopen = () => done("came"); s.onerror = () => { s.close(); done("failed"); }; })',
    'failed',
  ],
  ['WebSocket', SOCKET('localhost'), 'failed'],
  ['WebSocket of a name with a dot at its end', SOCKET('localhost.'), 'failed'],
  ['image', element('img', '{ src: "REFUSED/a" }'), 'failed'],
  ['image that is redirected', element('img', '{ src: "REDIRECT/a" }'), 'failed'],
  ['script', element('script', '{ src: "REFUSED/a.js" }'), 'failed'],
  ['module script', element('script', '{ type: "module", src: "REFUSED/a.js" }'), 'failed'],
  ['import()', 'import("REFUSED/a.js").then(() => "came", () => "failed")', 'failed'],
  ['stylesheet', element('link', '{ rel: "stylesheet", href: "REFUSED/a.css" }'), 'failed'],
  ['link to load ahead', element('link', '{ rel: "preload", as: "script", href: "REFUSED/a.js" }'), 'failed'],
  ['link to load a module ahead', element('link', '{ rel: "modulepreload", href: "REFUSED/a.js" }'), 'failed'],
  ['link to prefetch', element('link', '{ rel: "prefetch", href: "REFUSED/a" }'), 'failed'],
  ['font', 'new FontFace("own", "url(REFUSED/a.woff2)").load().then(() => "came", () => "failed")', 'failed'],
  [
    'video',
    'new Promise((done) => { const v = document.createElement("video"); v.onerror = () => done("failed"); v.src = "REFUSED/a.mp4"; })',
    'failed',
  ],
  [
    'audio track of a redirect',
    'new Promise((done) => { const v = document.createElement("audio"); v.onerror = () => done("failed"); v.src = "REDIRECT/a.mp3"; })',
    'failed',
  ],
  ['object', element('object', '{ data: "REFUSED/a" }'), 'failed'],
  ['frame', element('iframe', '{ src: "REFUSED/a" }'), 'came'],
  ['frame that is redirected', element('iframe', '{ src: "REDIRECT/a" }'), 'came'],
  [
    'WebSocket in a sandboxed frame of its own text',
    `new Promise((done) => { addEventListener('message', ({ data }) => done(data), { once: true }); const e = document.createElement('iframe'); Object.assign(e, { sandbox: 'allow-scripts', srcdoc: '<script>const s = new WebSocket("ws://localhost:PORT/socket"); s.onopen = () => parent.postMessage("came", "*"); s.onerror = () => parent.postMessage("failed", "*")</' + 'script>' }); document.body.append(e); })`,
    'failed',
  ],
  ['image in a frame of its own text', element('iframe', '{ srcdoc: "<img src=REFUSED/a>" }'), 'came'],
  ['image in a data: frame', element('iframe', '{ src: "data:text/html,<img src=REFUSED/a>" }'), 'came'],
  [
    'image in a blob: frame',
    element('iframe', '{ src: URL.createObjectURL(new Blob(["<img src=REFUSED/a>"], { type: "text/html" })) }'),
    'came',
  ],
  [
    'ping of a link',
    '(() => { const a = document.createElement("a"); a.href = "#x"; a.ping = "REFUSED/a"; document.body.append(a); a.click(); })()',
    undefined,
  ],
  [
    'form into a frame',
    'new Promise((done) => { const i = document.createElement("iframe"); i.name = "f"; document.body.append(i); const f = Object.assign(document.createElement("form"), { method: "post", target: "f", action: "REFUSED/a" }); document.body.append(f); i.onload = () => done("came"); f.submit(); })',
    'came',
  ],
  [
    'manifest',
    'document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "REFUSED/a" }))',
    undefined,
  ],
  [
    'icon',
    'document.head.append(Object.assign(document.createElement("link"), { rel: "icon", href: "REFUSED/a" }))',
    undefined,
  ],
  ['WebTransport', 'new WebTransport("https://localhost:PORT/a").ready.then(() => "came", () => "failed")', 'failed'],
  [
    'dedicated worker from a refused host by a redirect',
    'new Promise((done) => { const w = new Worker("/redirect?to=REFUSED/w.js"); w.onerror = () => done("failed"); w.onmessage = () => done("came"); w.postMessage("1"); })',
    'failed',
  ],
  [
    'service worker by a redirect',
    'navigator.serviceWorker.register("/redirect?to=REFUSED/w.js").then(() => "came", () => "failed")',
    'failed',
  ],
];

const WORKERS: readonly (readonly [kind: string, ask: string])[] = [
  [
    'dedicated worker',
    'new Promise((done) => { const w = new Worker("/w.js"); w.onmessage = (e) => done(e.data); w.postMessage(SOURCE); })',
  ],
  [
    'dedicated worker within another',
    'new Promise((done) => { const w = new Worker("/w.js"); w.onmessage = (e) => done(e.data); w.postMessage("new Promise((r) => { const n = new Worker(\'/w.js\'); n.onmessage = (e) => r(e.data); n.postMessage(" + JSON.stringify(SOURCE) + "); })"); })',
  ],
  [
    'worker of its own text',
    'new Promise((done) => { const w = new Worker(URL.createObjectURL(new Blob(["onmessage = async (e) => postMessage(await eval(e.data))"]))); w.onmessage = (e) => done(e.data); w.postMessage(SOURCE); })',
  ],
  [
    'shared worker',
    'new Promise((done) => { const w = new SharedWorker("/w.js", "NAME"); w.port.onmessage = (e) => done(e.data); w.port.postMessage(SOURCE); })',
  ],
  [
    'service worker',
    'navigator.serviceWorker.register("/w.js").then(() => navigator.serviceWorker.ready).then((r) => new Promise((done) => { navigator.serviceWorker.onmessage = (e) => done(e.data); r.active.postMessage(SOURCE); }))',
  ],
];

const WORKER_WAYS: readonly (readonly [way: string, source: string, outcome: RegExp])[] = [
  ['a fetch', FETCH('REFUSED/a'), /^failed/],
  ['a fetch that is redirected', FETCH('REDIRECT/a'), /^failed/],
  ['a WebSocket', SOCKET('localhost'), /^failed|WebSocket is not defined/],
];

/** Puts a service worker in charge of the page's requests. */
const CONTROLLED =
  'navigator.serviceWorker.register("/answering.js").then(() => navigator.serviceWorker.ready).then(() => new Promise((r) => navigator.serviceWorker.controller ? r() : navigator.serviceWorker.oncontrollerchange = r)).then(() => 1)';

describe('an allow-list', () => {
  it.each(WAYS)('keeps a %s from leaving', async (_way, source, outcome) => {
    const came: unknown = await page.evaluate(script(source));
    expect(came).toBe(outcome);
    expect(await afterTheRest()).toEqual([]);
  });

  it.each([
    ['a fetch', FETCH('REFUSED/a')],
    ['a WebSocket', SOCKET('localhost')],
  ])('says of %s that it was refused, in the words of every refused request', async (_what, source) => {
    const said = page.waitForEvent('console', (message) => message.text().includes('net::'));
    await page.evaluate(script(source));
    expect((await said).text()).toContain('net::ERR_BLOCKED_BY_CLIENT');
  });

  it.each(WORKERS.flatMap(([kind, ask]) => WORKER_WAYS.map(([way, ...rest]) => [way, kind, ask, ...rest] as const)))(
    'keeps %s of a %s from leaving',
    async (_way, _kind, ask, source, outcome) => {
      const name = String(Math.random());
      const came = await page.evaluate(
        ask.replaceAll('SOURCE', JSON.stringify(script(source))).replaceAll('NAME', name),
      );
      expect(String(came)).toMatch(outcome);
      expect(await afterTheRest()).toEqual([]);
    },
  );

  it('lets a service worker answer, but not with what it would fetch from a refused host', async () => {
    await page.evaluate(CONTROLLED);
    const text = await page.evaluate('fetch("/own").then((r) => r.text())');
    expect([text, await afterTheRest()]).toEqual(['refused', []]);
  });

  it.each(rows(WORKER_WAYS.slice(0, 1), WORKER_WAYS.slice(1)))(
    'lets an ended service worker restart, but blocks %s',
    async (_way, source, outcome) => {
      await page.evaluate(CONTROLLED);
      await page.sendCDP('ServiceWorker.enable');
      await page.sendCDP('ServiceWorker.stopAllWorkers');
      const ask =
        'new Promise((done) => { navigator.serviceWorker.onmessage = (e) => done(e.data); navigator.serviceWorker.controller.postMessage(SOURCE); })';
      const came = await page.evaluate(ask.replace('SOURCE', JSON.stringify(script(source))));
      expect(String(came)).toMatch(outcome);
      expect(await afterTheRest()).toEqual([]);
      await page.evaluate(
        'navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((r) => r.unregister())))',
      );
      await page.goto(`${server.allowed}/uncontrolled`);
    },
  );

  it.each([
    ['a fetch with keepalive', 'fetch("REFUSED/a", { keepalive: true })'],
    ['a beacon', 'navigator.sendBeacon("REFUSED/a", "x")'],
    ['an image', 'new Image().src = "REFUSED/a"'],
  ])('keeps %s from leaving that a page sends as it is left', async (_what, source) => {
    await page.evaluate(script(`void addEventListener('pagehide', () => { ${source} })`));
    await page.goto(`${server.allowed}/next`);
    expect(await afterTheRest()).toEqual([]);
  });

  it('keeps a WebSocket from leaving that a page opens just before it is left', async () => {
    await page.evaluate(
      script('void addEventListener("beforeunload", () => { new WebSocket("ws://localhost:PORT/socket") })'),
    );
    await page.goto(`${server.allowed}/next`);
    expect(await afterTheRest()).toEqual([]);
  });

  it('keeps sockets from leaving that a page or a frame in it opens as the page is left for another site', async () => {
    await test.driver.context.setDomainPolicy({ allowedDomains: ['127.0.0.1', '*.localhost'] });
    const open = script('new WebSocket("ws://localhost:PORT/socket")');
    // What gets out does so every other time.
    for (let time = 0; time < 5; time += 1) {
      await page.evaluate(`(async () => {
        const frame = document.createElement('iframe');
        document.body.append(frame);
        for (const type of ['pagehide', 'visibilitychange', 'unload']) addEventListener(type, () => { ${open}; frame.contentWindow.eval('${open}') }, true);
      })()`);
      await page.goto(`http://next.localhost:${server.port}/next`);
      await page.goto(`${server.allowed}/`);
    }
    expect(await afterTheRest()).toEqual([]);
  });

  const WITHIN = { allowedDomains: ['127.0.0.1', '*.localhost'] };
  const listening = (): string =>
    script(
      `for (const type of ['pagehide', 'visibilitychange', 'unload']) addEventListener(type, () => { new WebSocket("ws://localhost:PORT/socket") }, true);`,
    );
  const writeAnew = (): string =>
    `document.open(); document.write('<script>' + ${JSON.stringify(listening())} + '</' + 'script>'); document.close()`;
  const follow = (rules: DomainRules): Promise<void> => test.driver.context.setDomainPolicy(rules);

  it.each<[string, () => Promise<unknown>]>(
    rows(
      [
        ['was there before the policy', () => page.evaluate(`{ ${listening()} }`).then(() => follow(WITHIN))],
        ['calls document.open()', () => follow(WITHIN).then(() => page.evaluate(`{ ${writeAnew()} }`))],
      ],
      [
        [
          'was there before the policy, which only blocks',
          () => page.evaluate(`{ ${listening()} }`).then(() => follow({ blockedDomains: ['localhost'] })),
        ],
        ['called document.open() before', () => page.evaluate(`{ ${writeAnew()} }`).then(() => follow(WITHIN))],
      ],
    ),
  )('keeps sockets from leaving that a page opens as it is left which %s', async (_which, prepare) => {
    await test.driver.context.setDomainPolicy(null);
    // What gets out does so every other time.
    for (let time = 0; time < 4; time += 1) {
      await page.goto(`${server.allowed}/`);
      await prepare();
      await page.goto(`http://next.localhost:${server.port}/next`);
    }
    await page.goto(`${server.allowed}/`);
    expect(await afterTheRest()).toEqual([]);
  });

  it('keeps sockets from leaving that a page opens as it is left which was there before the driver', async () => {
    await test.driver.context.setDomainPolicy(null);
    const cdpUrl = test.driver.connectURL();
    for (let time = 0; time < 4; time += 1) {
      await page.goto(`${server.allowed}/`);
      await page.evaluate(`{ ${listening()} }`);
      await using other = new Driver({
        env: 'LOCAL',
        disableLoggerBackend: true,
        ...WITHIN,
        localBrowserLaunchOptions: { cdpUrl },
      });
      await other.init();
      await other.context.pages()[0]?.goto(`http://next.localhost:${server.port}/next`);
    }
    await page.goto(`${server.allowed}/`);
    expect(await afterTheRest()).toEqual([]);
  });

  it('lets a page open allowed sockets after document.open()', async () => {
    await page.evaluate(`{ ${writeAnew()} }`);
    expect(await page.evaluate(script(SOCKET('127.0.0.1')))).toBe('came');
    expect(await page.evaluate(script(SOCKET('localhost')))).toBe('failed');
    await page.goto(`${server.allowed}/next`);
  });

  it.each([
    ['its address', (): string => `${server.refused}/a`],
    ['the address in capitals', (): string => `HTTP://LOCALHOST:${server.port}/a`],
    ['a redirection', (): string => `${server.allowed}/redirect?to=${server.refused}/a`],
    ['a file', (): string => 'file:///etc/hostname'],
    ['a page of the browser', (): string => 'chrome://version'],
    ['a page of the browser, as its source', (): string => 'view-source:chrome://version'],
    ['DevTools', (): string => 'devtools://devtools/bundled/devtools_app.html?ws=127.0.0.1:9'],
  ])('refuses a goto by %s with an error that says so', async (_how, url) => {
    const error = await failureOf(page.goto(url()));
    expect(error).toBeInstanceOf(DriverDomainPolicyError);
    expect(String(error)).toContain('net::ERR_BLOCKED_BY_CLIENT');
    expect(server.leaks()).toEqual([]);
  });

  it('names the address that a redirection would have led to', async () => {
    const error = await failureOf(page.goto(`${server.allowed}/redirect?to=${server.refused}/a`));
    expect(error).toMatchObject({ code: 'DOMAIN_POLICY', url: `${server.refused}/a` });
  });

  it('leaves a page where it was when a goto is refused at once', async () => {
    await failureOf(page.goto(`${server.refused}/a`));
    expect([page.url(), await page.title()]).toEqual([`${server.allowed}/`, 'Page']);
  });

  it.each([
    ['script', 'location.href = "REFUSED/a"'],
    [
      'form',
      'Object.assign(document.body.appendChild(document.createElement("form")), { action: "REFUSED/a" }).submit()',
    ],
    ['link', 'Object.assign(document.body.appendChild(document.createElement("a")), { href: "REFUSED/a" }).click()'],
    ['redirection', 'location.href = "REDIRECT/a"'],
  ])('keeps a page from going to a refused host by %s', async (_how, source) => {
    const failed = Promise.withResolvers<string | undefined>();
    const watch = async (request: Request): Promise<void> => {
      await request.response();
      if (request.url().startsWith(server.refused)) failed.resolve(request.failure()?.errorText);
    };
    page.on('request', watch);
    await page.evaluate(script(source));
    expect(await failed.promise).toContain('net::ERR_BLOCKED_BY_CLIENT');
    page.off('request', watch);
    expect(server.leaks()).toEqual([]);
    // The browser's own page of the failure comes after.
    await expect.poll(() => page.url()).not.toBe(`${server.allowed}/`);
  });

  it.each([
    ['window.open', 'void window.open("REFUSED/a")'],
    ['window.open without an opener', 'void window.open("REFUSED/a", "_blank", "noopener")'],
    ['window.open and a redirection', 'void window.open("REDIRECT/a")'],
    [
      'a link to a new page',
      'Object.assign(document.body.appendChild(document.createElement("a")), { href: "REFUSED/a", target: "_blank" }).click()',
    ],
    ['a popup that goes on', 'void (window.open("about:blank").location.href = "REFUSED/a")'],
  ])('closes a page that %s leads to a refused host', async (_how, source) => {
    const { context } = test.driver;
    const before = context.pages();
    const isClosedLine = ({ message }: LogLine): boolean => message.startsWith('Closed a page');
    const known = test.lines.filter(isClosedLine).length;
    await page.evaluate(script(source));
    await expect.poll(() => test.lines.filter(isClosedLine).length).toBeGreaterThan(known);
    await expect.poll(() => context.pages()).toEqual(before);
    expect(server.leaks()).toEqual([]);
  });

  it('keeps the socket from leaving that an opener opens in its popup at once', async () => {
    const came = await page.evaluate(
      script(
        'new Promise((done) => { const w = window.open("about:blank"); const s = new w.WebSocket("ws://localhost:PORT/a"); s.onopen = () => done("came"); s.onerror = () => done("failed"); })',
      ),
    );
    await test.driver.context.activePage()?.close();
    expect([came, server.leaks()]).toEqual(['failed', []]);
  });

  it('keeps the first document from leaving of a page that others open', async () => {
    await using other = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    await other.driver.context.newPage(`${server.refused}/a`).catch(() => undefined);
    expect(server.leaks()).toEqual([]);
  });

  it.each([
    ['about:blank', 'about:blank'],
    ['data:', 'data:text/html,<title>Page</title>'],
  ])('lets %s pages be', async (_what, url) => {
    await expect(page.goto(url)).resolves.not.toThrow();
    expect(page.url()).toBe(url);
  });

  it.each([
    ['a fetch', FETCH('ALLOWED/a'), 'came'],
    ['a WebSocket', SOCKET('127.0.0.1'), 'came'],
    ['a frame', element('iframe', '{ src: "ALLOWED/a" }'), 'came'],
    ['a script', element('script', '{ src: "ALLOWED/a.js" }'), 'came'],
    ['a data: address', FETCH('data:text/plain,x'), 'came'],
    ['a blob: address', 'fetch(URL.createObjectURL(new Blob(["x"]))).then(() => "came")', 'came'],
  ])('lets %s of an allowed host come', async (_what, source, outcome) => {
    expect(await page.evaluate(script(source))).toBe(outcome);
  });

  it.each(['continue', 'fallback'] as const)(
    'is not got round by a route that goes to a refused address by %s',
    async (way) => {
      await page.route('**/a', (route) => route[way]({ url: `${server.refused}/a` }));
      expect(await page.evaluate(script(FETCH('ALLOWED/a')))).toBe('failed');
      expect(server.leaks()).toEqual([]);
    },
  );

  it.each(
    rows(
      WORKERS.map(([kind, ask]) => [kind, 'continue', ask] as const),
      WORKERS.map(([kind, ask]) => [kind, 'fallback', ask] as const),
    ),
  )('is not got round by a %s whose requests a route lets go by %s', async (_kind, way, ask) => {
    const { context } = test.driver;
    let asked = 0;
    await context.route('**/from-worker', (route) => {
      asked += 1;
      return route[way]();
    });
    const source = JSON.stringify(script(FETCH('REFUSED/from-worker')));
    const came = await page.evaluate(ask.replaceAll('SOURCE', source).replaceAll('NAME', String(Math.random())));
    await context.unrouteAll();
    expect([came, asked, await afterTheRest()]).toEqual(['failed', 1, []]);
  });

  it('lets a route answer in place of a refused host, also what a shared worker asks for', async () => {
    const { context } = test.driver;
    const ask = new Map(WORKERS).get('shared worker') ?? '';
    await context.route('**/from-worker', (route) =>
      route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: 'routed' }),
    );
    const source = JSON.stringify(script('fetch("REFUSED/from-worker").then((r) => r.text())'));
    const came = await page.evaluate(ask.replaceAll('SOURCE', source).replaceAll('NAME', String(Math.random())));
    await context.unrouteAll();
    expect([came, await afterTheRest()]).toEqual(['routed', []]);
  });
});

// A headless shell has no windows, and loads no page ahead.
describe('an allow-list in a whole browser', () => {
  useWholeBrowser();

  beforeAll(async () => {
    await test[Symbol.asyncDispose]();
    test = await startDriver();
    page = test.page;
  });

  it('keeps a speculation rule from leaving', async () => {
    await page.evaluate(script(SPECULATION));
    expect(await afterTheRest()).toEqual([]);
  });

  /** A click, in a page of ours, on a link to the refused host. */
  const LINK =
    'document.body.replaceChildren(Object.assign(document.createElement("a"), { href: "REFUSED/a", textContent: "link" }))';

  it.each<[string, NonNullable<Parameters<ReturnType<Page['locator']>['click']>[0]>]>(
    rows(
      [['with Ctrl', { modifiers: ['Control'] }]],
      [
        ['with Shift', { modifiers: ['Shift'] }],
        ['with the middle button', { button: 'middle' }],
      ],
    ),
  )(
    'closes a page that a click %s leads to a refused host, of which the browser names no opener',
    async (_how, options) => {
      const { context } = test.driver;
      const before = context.pages();
      await page.evaluate(script(LINK));
      const opened = Promise.withResolvers<Page>();
      context.once('page', opened.resolve);
      await page.locator('a').click(options);
      const popup = await opened.promise;
      await expect.poll(() => popup.isClosed()).toBe(true);
      expect([context.pages(), server.leaks()]).toEqual([before, []]);
    },
  );

  it.each([
    ['a popup of a popup', 'void window.open("about:blank").eval("window.open(\'REFUSED/a\')")'],
    [
      'a popup of a frame of another origin',
      'void Object.assign(document.body.appendChild(document.createElement("iframe")), { sandbox: "allow-scripts allow-popups", srcdoc: "<script>window.open(\'REFUSED/a\')</script>" })',
    ],
  ])('closes %s that is led to a refused host', async (_which, source) => {
    const { context } = test.driver;
    const before = context.pages();
    const closed = test.lines.length;
    await page.evaluate(script(source));
    await expect
      .poll(() => test.lines.slice(closed).filter(({ message }) => message.startsWith('Closed a page')).length)
      .toBe(1);
    await expect.poll(() => context.pages().filter((other) => other.url().includes('localhost'))).toEqual([]);
    for (const other of context.pages()) if (!before.includes(other)) await other.close();
    expect(server.leaks()).toEqual([]);
  });
});

describe('setDomainPolicy()', () => {
  it('closes popups that are at a refused host, or on their way to one', async () => {
    const asked = Promise.withResolvers<void>();
    await using slow = await serve({ '/slow': () => asked.resolve(), '/': '<title>there</title>' });
    const { context } = test.driver;
    await context.setDomainPolicy(null);
    const before = context.pages();
    const there = page.waitForEvent('popup');
    await page.evaluate(`void window.open('${slow.otherOrigin}/')`);
    await (await there).waitForURL(`${slow.otherOrigin}/`);
    await page.evaluate(`void window.open('${slow.otherOrigin}/slow')`);
    await asked.promise;
    await context.setDomainPolicy({ allowedDomains: ['127.0.0.1'] });
    await expect.poll(() => context.pages()).toEqual(before);
  });

  it('reaches pages, frames and workers that are there already', async () => {
    const { context } = test.driver;
    await context.setDomainPolicy(null);
    await page.goto(`${server.allowed}/`);
    await page.evaluate(script(element('iframe', '{ src: "REFUSED/frame" }')));
    await page.evaluate(script('void (window.worker = new Worker("/w.js"))'));
    await page.evaluate(script(FETCH('REFUSED/a')));
    expect(server.leaks()).toEqual(['GET /frame', 'GET /a']);
    await context.setDomainPolicy({ blockedDomains: ['localhost'] });
    const inWorker = `new Promise((done) => { worker.onmessage = (e) => done(e.data); worker.postMessage(${JSON.stringify(script(FETCH('REFUSED/b')))}); })`;
    const came = [
      await page.evaluate(script(FETCH('REFUSED/b'))),
      await page.evaluate(script(SOCKET('localhost'))),
      await page.evaluate(inWorker),
      await page.frames()[1]?.evaluate(script(FETCH('REFUSED/b'))),
    ];
    expect([came, server.leaks()]).toEqual([Array(4).fill('failed'), []]);
  });

  it('ends shared workers that run already, whose requests nothing could judge', async () => {
    const { context } = test.driver;
    await context.setDomainPolicy(null);
    await page.goto(`${server.allowed}/`);
    await page.evaluate(
      'new Promise((done) => { window.shared = new SharedWorker("/w.js", "old"); shared.port.onmessage = done; shared.port.postMessage("1"); })',
    );
    await context.setDomainPolicy({ allowedDomains: ['127.0.0.1'] });
    await page.evaluate(`void shared.port.postMessage(${JSON.stringify(script(FETCH('REFUSED/b')))})`);
    expect(await afterTheRest()).toEqual([]);
  });

  it.each([
    ['null lifts it', null, 'came'],
    ['no rule lets all come', {}, 'came'],
    ['an empty list of blocked hosts lets all come', { blockedDomains: [] }, 'came'],
    ['an empty list of allowed hosts refuses all', { allowedDomains: [] }, 'failed'],
    ['what is blocked is refused', { blockedDomains: ['localhost'] }, 'failed'],
    ['what is not blocked comes', { blockedDomains: ['10.0.0.1'] }, 'came'],
    ['a blocked address is refused under the name of this machine', { blockedDomains: ['0.0.0.0'] }, 'failed'],
    ['block wins', { allowedDomains: ['*'], blockedDomains: ['localhost'] }, 'failed'],
    ['a star allows all', { allowedDomains: ['*'] }, 'came'],
    ['a port that fits', { allowedDomains: ['127.0.0.1', 'localhost:PORT'] }, 'came'],
    ['a port that does not', { allowedDomains: ['127.0.0.1', 'localhost:1'] }, 'failed'],
    ['a blocked port', { blockedDomains: ['*:PORT'] }, 'failed'],
    ['a wildcard does not mean the name itself', { blockedDomains: ['*.localhost'] }, 'came'],
  ] as const)('%s', async (_sentence, rules, outcome) => {
    const policy = JSON.parse(JSON.stringify(rules).replaceAll('PORT', String(server.port))) as typeof rules;
    await test.driver.context.setDomainPolicy(policy);
    expect(test.driver.context.getDomainPolicy()).toEqual(policy);
    expect(await page.evaluate(script(FETCH('REFUSED/a')))).toBe(outcome);
    expect(await page.evaluate(script(SOCKET('localhost')))).toBe(outcome);
  });

  it('fails a navigation that a page makes to a blocked host', async () => {
    await test.driver.context.setDomainPolicy({ blockedDomains: ['localhost'] });
    const error = await failureOf(page.goto(`${server.refused}/a`));
    expect(error).toBeInstanceOf(DriverDomainPolicyError);
    expect(error).not.toBeInstanceOf(DriverNavigationError);
  });

  it.each([
    ['https://example.com', /Did you mean "example.com"\?/],
    ['example.com/path', /Did you mean "example.com"\?/],
    ['exa mple.com', /must be a host/],
    ['', /an empty string/],
    ['*.*.com', /must be a host/],
    ['a.*.com', /must be a host/],
    ['*.10.0.0.1', /must be a host/],
    ['example.com:99999', /must be a host/],
    ['example.com:http', /must be a host/],
    ['user@example.com', /must be a host/],
    ['[::zz]', /must be a host/],
    [5, /the number 5/],
    [null, /null/],
  ])('refuses the entry %j', async (entry, sentence) => {
    const rules = { allowedDomains: [entry as string] };
    const error = await failureOf(test.driver.context.setDomainPolicy(rules));
    expect(error).toBeInstanceOf(DriverDomainPolicyError);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).toContain('allowedDomains[0]');
  });

  it.each([{ allowedDomains: ['https://example.com'] }, { blockedDomains: ['a b'] }, { allowedDomains: 'localhost' }])(
    'has its rules checked when the driver is made: %j',
    (rules) => {
      expect(() => new Driver({ env: 'LOCAL', ...(rules as object) })).toThrow(DriverDomainPolicyError);
    },
  );

  it.each([[undefined], ['localhost'], [['localhost']], [{ allowedDomains: 'localhost' }], [{ blockedDomains: {} }]])(
    'refuses %j as a policy',
    async (rules) => {
      await expect(test.driver.context.setDomainPolicy(rules as unknown as null)).rejects.toThrow(
        DriverDomainPolicyError,
      );
      expect(test.driver.context.getDomainPolicy()).toEqual({ allowedDomains: ['127.0.0.1'] });
    },
  );
});

it('a refused download beside a refused frame and a data: frame in a srcdoc frame leaves the browser running', async () => {
  const nested = `<iframe srcdoc="<iframe src='data:text/html,<p>nested</p>'></iframe>"></iframe>`;
  const body = script(`<a id="get" download href="REFUSED/a">Get</a><iframe src="REFUSED/a"></iframe>${nested}`);
  await page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`);
  await page.locator('#get').click();
  await page.snapshot();
  await page.goto(`${server.allowed}/?again`);
  expect(await page.evaluate('1 + 1')).toBe(2);
});
