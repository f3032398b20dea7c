import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverNavigationError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { type SecureServer, serveSecurely } from './secure-server.ts';

let server: SecureServer;
let plain: TestServer;

const ASK = `fetch("OTHER/data").then((r) => r.text(), String)`;

beforeAll(async () => {
  server = await serveSecurely({
    '/': '<!doctype html><title>Secure</title><body>page</body>',
    '/data': 'data',
    '/with-frame': '<!doctype html><iframe src="OTHER/"></iframe>',
    '/worker.js': `const ask = () => ${ASK};
      onmessage = async (e) => (e.source ?? self).postMessage(await ask());
      onconnect = async (e) => e.ports[0].postMessage(await ask());
      oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());`,
  });
  plain = await serve({ '/': '<!doctype html><title>Plain</title>' });
});

afterAll(async () => {
  await plain.close();
  await server[Symbol.asyncDispose]();
});

const WORKERS: readonly (readonly [kind: string, source: string])[] = [
  [
    'dedicated worker',
    'new Promise((done) => { const w = new Worker("/worker.js"); w.onmessage = (e) => done(e.data); w.postMessage(1); })',
  ],
  ['shared worker', 'new Promise((done) => { new SharedWorker("/worker.js").port.onmessage = (e) => done(e.data); })'],
  [
    'service worker',
    'navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then((r) => new Promise((done) => { navigator.serviceWorker.onmessage = (e) => done(e.data); r.active.postMessage(1); }))',
  ],
];

describe.each([
  ['in a launched browser', false],
  ['in an attached browser', true],
])('ignoreHTTPSErrors %s', (_how, isAttached) => {
  let owner: TestDriver | undefined;
  let test: TestDriver;
  let page: Page;

  beforeAll(async () => {
    if (isAttached) owner = await startDriver();
    const cdp = owner ? { cdpUrl: owner.driver.connectURL() } : {};
    test = await startDriver({ localBrowserLaunchOptions: { ...cdp, ignoreHTTPSErrors: true } });
    page = test.page;
  });

  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await owner?.[Symbol.asyncDispose]();
  });

  // [spec: launch-options.ignoreHTTPSErrors]
  it('opens a page with an untrusted certificate', async () => {
    const response = await page.goto(`${server.origin}/`);
    expect([response?.status(), await page.title()]).toEqual([200, 'Secure']);
  });

  it('loads a fetch from an origin with an untrusted certificate', async () => {
    await page.goto(`${plain.origin}/`);
    expect(await page.evaluate(ASK.replace('OTHER', server.origin))).toBe('data');
  });

  it('loads a cross-process frame with an untrusted certificate', async () => {
    await page.goto(`${server.origin}/with-frame`, { waitUntil: 'load' });
    await expect.poll(() => page.frames()[1]?.title()).toBe('Secure');
  });

  it('opens a popup with an untrusted certificate', async () => {
    await page.goto(`${plain.origin}/`);
    await page.evaluate(`void window.open("${server.origin}/")`);
    const popup = await test.driver.context.awaitActivePage();
    expect(await popup.title()).toBe('Secure');
    await popup.close();
  });

  it.each(WORKERS)('loads a fetch of a %s from an origin with an untrusted certificate', async (_kind, source) => {
    await page.goto(`${server.origin}/`);
    expect(await page.evaluate(source)).toBe('data');
  });
});

describe('without ignoreHTTPSErrors', () => {
  let test: TestDriver;

  beforeAll(async () => {
    test = await startDriver();
  });

  afterAll(async () => {
    await test[Symbol.asyncDispose]();
  });

  it('rejects `page.goto()` with an error that names the certificate and `ignoreHTTPSErrors`', async () => {
    const error = await failureOf(test.page.goto(`${server.origin}/`));
    expect(error).toBeInstanceOf(DriverNavigationError);
    expect(String(error)).toMatch(/ERR_CERT_AUTHORITY_INVALID.*does not trust the certificate.*ignoreHTTPSErrors/s);
  });

  it('fails a fetch from an origin with an untrusted certificate', async () => {
    await test.page.goto(`${plain.origin}/`);
    expect(await test.page.evaluate(ASK.replace('OTHER', server.origin))).toContain('Failed to fetch');
  });
});
