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
  ['redirected fetch', FETCH('REDIRECT/a'), 'failed'],
  ['fetch that is redirected twice', FETCH('ALLOWED/redirect?to=/redirect?to=REFUSED/a'), 'failed'],
  ['fetch with keepalive', FETCH('REFUSED/a', '{ keepalive: true }'), 'failed'],
  ['redirected fetch with keepalive', FETCH('REDIRECT/a', '{ keepalive: true }'), 'failed'],
  ['fetch without CORS', FETCH('REFUSED/a', '{ mode: "no-cors" }'), 'failed'],
  ['fetch with a preflight', FETCH('REFUSED/a', '{ method: "PUT", headers: { "x-a": "1" } }'), 'failed'],
  ['fetch of a host name with a trailing dot', FETCH('http://localhost.:PORT/a'), 'failed'],
  ['fetch of a host name in capitals', FETCH('http://LOCALHOST:PORT/a'), 'failed'],
  [
    'fetch with a username in the URL',
    'fetch("http://127.0.0.1@localhost:PORT/a").then(() => "came", () => "failed")',
    'failed',
  ],
  [
    'XMLHttpRequest',
    'new Promise((done) => { const x = new XMLHttpRequest(); x.open("GET", "REFUSED/a"); x.onload = () => done("came"); x.onerror = () => done("failed"); x.send(); })',
    'failed',
  ],
  [
    'synchronous XMLHttpRequest',
    '(() => { try { const x = new XMLHttpRequest(); x.open("GET", "REFUSED/a", false); x.send(); return "came"; } catch { return "failed"; } })()',
    'failed',
  ],
  ['beacon', 'navigator.sendBeacon("REFUSED/a", "x")', true],
  ['redirected beacon', 'navigator.sendBeacon("REDIRECT/a", "x")', true],
  [
    'EventSource',
    'new Promise((done) => { const s = new EventSource("REFUSED/a"); s.onopen = () => done("came"); s.onerror = () => { s.close(); done("failed"); }; })',
    'failed',
  ],
  ['WebSocket', SOCKET('localhost'), 'failed'],
  ['WebSocket to a host name with a trailing dot', SOCKET('localhost.'), 'failed'],
  ['image', element('img', '{ src: "REFUSED/a" }'), 'failed'],
  ['redirected image', element('img', '{ src: "REDIRECT/a" }'), 'failed'],
  ['script', element('script', '{ src: "REFUSED/a.js" }'), 'failed'],
  ['module script', element('script', '{ type: "module", src: "REFUSED/a.js" }'), 'failed'],
  ['import()', 'import("REFUSED/a.js").then(() => "came", () => "failed")', 'failed'],
  ['stylesheet', element('link', '{ rel: "stylesheet", href: "REFUSED/a.css" }'), 'failed'],
  ['preload link', element('link', '{ rel: "preload", as: "script", href: "REFUSED/a.js" }'), 'failed'],
  ['modulepreload link', element('link', '{ rel: "modulepreload", href: "REFUSED/a.js" }'), 'failed'],
  ['prefetch link', element('link', '{ rel: "prefetch", href: "REFUSED/a" }'), 'failed'],
  ['font', 'new FontFace("own", "url(REFUSED/a.woff2)").load().then(() => "came", () => "failed")', 'failed'],
  [
    'video',
    'new Promise((done) => { const v = document.createElement("video"); v.onerror = () => done("failed"); v.src = "REFUSED/a.mp4"; })',
    'failed',
  ],
  [
    'redirected audio',
    'new Promise((done) => { const v = document.createElement("audio"); v.onerror = () => done("failed"); v.src = "REDIRECT/a.mp3"; })',
    'failed',
  ],
  ['object', element('object', '{ data: "REFUSED/a" }'), 'failed'],
  ['frame', element('iframe', '{ src: "REFUSED/a" }'), 'came'],
  ['redirected frame', element('iframe', '{ src: "REDIRECT/a" }'), 'came'],
  [
    'WebSocket in a sandboxed srcdoc frame',
    `new Promise((done) => { addEventListener('message', ({ data }) => done(data), { once: true }); const e = document.createElement('iframe'); Object.assign(e, { sandbox: 'allow-scripts', srcdoc: '<script>const s = new WebSocket("ws://localhost:PORT/socket"); s.onopen = () => parent.postMessage("came", "*"); s.onerror = () => parent.postMessage("failed", "*")</' + 'script>' }); document.body.append(e); })`,
    'failed',
  ],
  ['image in a srcdoc frame', element('iframe', '{ srcdoc: "<img src=REFUSED/a>" }'), 'came'],
  ['image in a data: frame', element('iframe', '{ src: "data:text/html,<img src=REFUSED/a>" }'), 'came'],
  [
    'image in a blob: frame',
    element('iframe', '{ src: URL.createObjectURL(new Blob(["<img src=REFUSED/a>"], { type: "text/html" })) }'),
    'came',
  ],
  [
    'link ping',
    '(() => { const a = document.createElement("a"); a.href = "#x"; a.ping = "REFUSED/a"; document.body.append(a); a.click(); })()',
    undefined,
  ],
  [
    'form submitted to a frame',
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
    'redirected dedicated worker script',
    'new Promise((done) => { const w = new Worker("/redirect?to=REFUSED/w.js"); w.onerror = () => done("failed"); w.onmessage = () => done("came"); w.postMessage("1"); })',
    'failed',
  ],
  [
    'redirected service worker script',
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
    'nested dedicated worker',
    'new Promise((done) => { const w = new Worker("/w.js"); w.onmessage = (e) => done(e.data); w.postMessage("new Promise((r) => { const n = new Worker(\'/w.js\'); n.onmessage = (e) => r(e.data); n.postMessage(" + JSON.stringify(SOURCE) + "); })"); })',
  ],
  [
    'worker from a blob: URL',
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
  ['a redirected fetch', FETCH('REDIRECT/a'), /^failed/],
  ['a WebSocket', SOCKET('localhost'), /^failed|WebSocket is not defined/],
];

/** Puts a service worker in charge of the page's requests. */
const CONTROLLED =
  'navigator.serviceWorker.register("/answering.js").then(() => navigator.serviceWorker.ready).then(() => new Promise((r) => navigator.serviceWorker.controller ? r() : navigator.serviceWorker.oncontrollerchange = r)).then(() => 1)';

describe('allowedDomains', () => {
  it.each(WAYS)('blocks a request to a disallowed host: %s', async (_way, source, outcome) => {
    const came: unknown = await page.evaluate(script(source));
    expect(came).toBe(outcome);
    expect(await afterTheRest()).toEqual([]);
  });

  it.each([
    ['a fetch', FETCH('REFUSED/a')],
    ['a WebSocket', SOCKET('localhost')],
  ])('logs net::ERR_BLOCKED_BY_CLIENT to the console for %s', async (_what, source) => {
    const said = page.waitForEvent('console', (message) => message.text().includes('net::'));
    await page.evaluate(script(source));
    expect((await said).text()).toContain('net::ERR_BLOCKED_BY_CLIENT');
  });

  it.each(WORKERS.flatMap(([kind, ask]) => WORKER_WAYS.map(([way, ...rest]) => [way, kind, ask, ...rest] as const)))(
    'blocks %s to a disallowed host in a %s',
    async (_way, _kind, ask, source, outcome) => {
      const name = String(Math.random());
      const came = await page.evaluate(
        ask.replaceAll('SOURCE', JSON.stringify(script(source))).replaceAll('NAME', name),
      );
      expect(String(came)).toMatch(outcome);
      expect(await afterTheRest()).toEqual([]);
    },
  );

  it('lets a service worker respond but blocks its fetch from a disallowed host', async () => {
    await page.evaluate(CONTROLLED);
    const text = await page.evaluate('fetch("/own").then((r) => r.text())');
    expect([text, await afterTheRest()]).toEqual(['refused', []]);
  });

  it.each(rows(WORKER_WAYS.slice(0, 1), WORKER_WAYS.slice(1)))(
    'lets a stopped service worker restart but blocks %s to a disallowed host',
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
  ])('blocks %s that a page sends to a disallowed host on pagehide', async (_what, source) => {
    await page.evaluate(script(`void addEventListener('pagehide', () => { ${source} })`));
    await page.goto(`${server.allowed}/next`);
    expect(await afterTheRest()).toEqual([]);
  });

  it('blocks a WebSocket that a page opens on beforeunload', async () => {
    await page.evaluate(
      script('void addEventListener("beforeunload", () => { new WebSocket("ws://localhost:PORT/socket") })'),
    );
    await page.goto(`${server.allowed}/next`);
    expect(await afterTheRest()).toEqual([]);
  });

  it('blocks WebSockets that a page and its frame open during a cross-site navigation', async () => {
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
        ['loaded before the policy', () => page.evaluate(`{ ${listening()} }`).then(() => follow(WITHIN))],
        [
          'that calls document.open() under the policy',
          () => follow(WITHIN).then(() => page.evaluate(`{ ${writeAnew()} }`)),
        ],
      ],
      [
        [
          'loaded before a policy with only `blockedDomains`',
          () => page.evaluate(`{ ${listening()} }`).then(() => follow({ blockedDomains: ['localhost'] })),
        ],
        [
          'that called document.open() before the policy',
          () => page.evaluate(`{ ${writeAnew()} }`).then(() => follow(WITHIN)),
        ],
      ],
    ),
  )('blocks WebSockets opened during unload by a page %s', async (_which, prepare) => {
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

  it('blocks WebSockets opened during unload by a page loaded before the driver attached', async () => {
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

  it('allows only WebSockets to allowed hosts after document.open()', async () => {
    await page.evaluate(`{ ${writeAnew()} }`);
    expect(await page.evaluate(script(SOCKET('127.0.0.1')))).toBe('came');
    expect(await page.evaluate(script(SOCKET('localhost')))).toBe('failed');
    await page.goto(`${server.allowed}/next`);
  });

  it.each([
    ['a disallowed host', (): string => `${server.refused}/a`],
    ['a disallowed host in capitals', (): string => `HTTP://LOCALHOST:${server.port}/a`],
    ['a redirect to a disallowed host', (): string => `${server.allowed}/redirect?to=${server.refused}/a`],
    ['a file: URL', (): string => 'file:///etc/hostname'],
    ['a chrome: URL', (): string => 'chrome://version'],
    ['a view-source: URL of a chrome: page', (): string => 'view-source:chrome://version'],
    ['a devtools: URL', (): string => 'devtools://devtools/bundled/devtools_app.html?ws=127.0.0.1:9'],
  ])('rejects `page.goto()` with DriverDomainPolicyError for %s', async (_how, url) => {
    const error = await failureOf(page.goto(url()));
    expect(error).toBeInstanceOf(DriverDomainPolicyError);
    expect(String(error)).toContain('net::ERR_BLOCKED_BY_CLIENT');
    expect(server.leaks()).toEqual([]);
  });

  it('reports the blocked redirect target in the error `url`', async () => {
    const error = await failureOf(page.goto(`${server.allowed}/redirect?to=${server.refused}/a`));
    expect(error).toMatchObject({ code: 'DOMAIN_POLICY', url: `${server.refused}/a` });
  });

  it('keeps the current page when `page.goto()` is blocked', async () => {
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
    ['redirect', 'location.href = "REDIRECT/a"'],
  ])('blocks a page navigation to a disallowed host by %s', async (_how, source) => {
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
    ['window.open()', 'void window.open("REFUSED/a")'],
    ['window.open() with noopener', 'void window.open("REFUSED/a", "_blank", "noopener")'],
    ['a redirect after window.open()', 'void window.open("REDIRECT/a")'],
    [
      'a link with target="_blank"',
      'Object.assign(document.body.appendChild(document.createElement("a")), { href: "REFUSED/a", target: "_blank" }).click()',
    ],
    ['a location change after window.open()', 'void (window.open("about:blank").location.href = "REFUSED/a")'],
  ])('closes a popup that %s sends to a disallowed host', async (_how, source) => {
    const { context } = test.driver;
    const before = context.pages();
    const isClosedLine = ({ message }: LogLine): boolean => message.startsWith('Closed a page');
    const known = test.lines.filter(isClosedLine).length;
    await page.evaluate(script(source));
    await expect.poll(() => test.lines.filter(isClosedLine).length).toBeGreaterThan(known);
    await expect.poll(() => context.pages()).toEqual(before);
    expect(server.leaks()).toEqual([]);
  });

  it('blocks a WebSocket that an opener creates in its new popup', async () => {
    const came = await page.evaluate(
      script(
        'new Promise((done) => { const w = window.open("about:blank"); const s = new w.WebSocket("ws://localhost:PORT/a"); s.onopen = () => done("came"); s.onerror = () => done("failed"); })',
      ),
    );
    await test.driver.context.activePage()?.close();
    expect([came, server.leaks()]).toEqual(['failed', []]);
  });

  it('blocks the first document of a page that another driver opens', async () => {
    await using other = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    await other.driver.context.newPage(`${server.refused}/a`).catch(() => undefined);
    expect(server.leaks()).toEqual([]);
  });

  it.each([
    ['about:blank', 'about:blank'],
    ['data:', 'data:text/html,<title>Page</title>'],
  ])('allows %s pages', async (_what, url) => {
    await expect(page.goto(url)).resolves.not.toThrow();
    expect(page.url()).toBe(url);
  });

  it.each([
    ['a fetch of an allowed host', FETCH('ALLOWED/a'), 'came'],
    ['a WebSocket to an allowed host', SOCKET('127.0.0.1'), 'came'],
    ['a frame from an allowed host', element('iframe', '{ src: "ALLOWED/a" }'), 'came'],
    ['a script from an allowed host', element('script', '{ src: "ALLOWED/a.js" }'), 'came'],
    ['a fetch of a data: URL', FETCH('data:text/plain,x'), 'came'],
    ['a fetch of a blob: URL', 'fetch(URL.createObjectURL(new Blob(["x"]))).then(() => "came")', 'came'],
  ])('allows %s', async (_what, source, outcome) => {
    expect(await page.evaluate(script(source))).toBe(outcome);
  });

  it.each(['continue', 'fallback'] as const)(
    'blocks a request that a route handler redirects to a disallowed host with route.%s()',
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
  )('blocks a request of a %s that a route handler passes on with route.%s()', async (_kind, way, ask) => {
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

  it('lets a route handler fulfill a shared worker request to a disallowed host', async () => {
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
describe('allowedDomains in a full browser build', () => {
  useWholeBrowser();

  beforeAll(async () => {
    await test[Symbol.asyncDispose]();
    test = await startDriver();
    page = test.page;
  });

  it('blocks prefetches and prerenders of speculation rules', async () => {
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
  )('closes the page without an opener that a click %s opens at a disallowed host', async (_how, options) => {
    const { context } = test.driver;
    const before = context.pages();
    await page.evaluate(script(LINK));
    const opened = Promise.withResolvers<Page>();
    context.once('page', opened.resolve);
    await page.locator('a').click(options);
    const popup = await opened.promise;
    await expect.poll(() => popup.isClosed()).toBe(true);
    expect([context.pages(), server.leaks()]).toEqual([before, []]);
  });

  it.each([
    ['a popup of a popup', 'void window.open("about:blank").eval("window.open(\'REFUSED/a\')")'],
    [
      'a popup of a cross-origin frame',
      'void Object.assign(document.body.appendChild(document.createElement("iframe")), { sandbox: "allow-scripts allow-popups", srcdoc: "<script>window.open(\'REFUSED/a\')</script>" })',
    ],
  ])('closes %s that navigates to a disallowed host', async (_which, source) => {
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

describe('context.setDomainPolicy()', () => {
  it('closes popups that show or load a disallowed host', async () => {
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

  it('applies to existing pages, frames and workers', async () => {
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

  it('blocks requests of a shared worker that started before the policy', async () => {
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
    ['allows every host after null', null, 'came'],
    ['allows every host without rules', {}, 'came'],
    ['allows every host with an empty `blockedDomains`', { blockedDomains: [] }, 'came'],
    ['blocks every host with an empty `allowedDomains`', { allowedDomains: [] }, 'failed'],
    ['blocks a host in `blockedDomains`', { blockedDomains: ['localhost'] }, 'failed'],
    ['allows a host outside `blockedDomains`', { blockedDomains: ['10.0.0.1'] }, 'came'],
    ['blocks localhost when `blockedDomains` has 0.0.0.0', { blockedDomains: ['0.0.0.0'] }, 'failed'],
    [
      'blocks a host that is both allowed and blocked',
      { allowedDomains: ['*'], blockedDomains: ['localhost'] },
      'failed',
    ],
    ['allows every host with * in `allowedDomains`', { allowedDomains: ['*'] }, 'came'],
    ['allows a host whose port matches its entry', { allowedDomains: ['127.0.0.1', 'localhost:PORT'] }, 'came'],
    ['blocks a host whose port differs from its entry', { allowedDomains: ['127.0.0.1', 'localhost:1'] }, 'failed'],
    ['blocks a port on every host', { blockedDomains: ['*:PORT'] }, 'failed'],
    ['allows the bare host when only its subdomains are blocked', { blockedDomains: ['*.localhost'] }, 'came'],
  ] as const)('%s', async (_sentence, rules, outcome) => {
    const policy = JSON.parse(JSON.stringify(rules).replaceAll('PORT', String(server.port))) as typeof rules;
    await test.driver.context.setDomainPolicy(policy);
    expect(test.driver.context.getDomainPolicy()).toEqual(policy);
    expect(await page.evaluate(script(FETCH('REFUSED/a')))).toBe(outcome);
    expect(await page.evaluate(script(SOCKET('localhost')))).toBe(outcome);
  });

  it('rejects `page.goto()` to a blocked host with DriverDomainPolicyError', async () => {
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
  ])('rejects the entry %j', async (entry, sentence) => {
    const rules = { allowedDomains: [entry as string] };
    const error = await failureOf(test.driver.context.setDomainPolicy(rules));
    expect(error).toBeInstanceOf(DriverDomainPolicyError);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).toContain('allowedDomains[0]');
  });

  it.each([{ allowedDomains: ['https://example.com'] }, { blockedDomains: ['a b'] }, { allowedDomains: 'localhost' }])(
    'rejects invalid rules in the Driver constructor: %j',
    (rules) => {
      expect(() => new Driver({ env: 'LOCAL', ...(rules as object) })).toThrow(DriverDomainPolicyError);
    },
  );

  it.each([[undefined], ['localhost'], [['localhost']], [{ allowedDomains: 'localhost' }], [{ blockedDomains: {} }]])(
    'rejects the policy %j and keeps the current one',
    async (rules) => {
      await expect(test.driver.context.setDomainPolicy(rules as unknown as null)).rejects.toThrow(
        DriverDomainPolicyError,
      );
      expect(test.driver.context.getDomainPolicy()).toEqual({ allowedDomains: ['127.0.0.1'] });
    },
  );
});

it('survives a blocked download next to a blocked frame and a data: frame inside a srcdoc frame', async () => {
  const nested = `<iframe srcdoc="<iframe src='data:text/html,<p>nested</p>'></iframe>"></iframe>`;
  const body = script(`<a id="get" download href="REFUSED/a">Get</a><iframe src="REFUSED/a"></iframe>${nested}`);
  await page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`);
  await page.locator('#get').click();
  await page.snapshot();
  await page.goto(`${server.allowed}/?again`);
  expect(await page.evaluate('1 + 1')).toBe(2);
});
