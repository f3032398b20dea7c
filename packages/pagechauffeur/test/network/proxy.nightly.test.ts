import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver, DriverInvalidArgumentError, DriverNavigationError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { type PolicyServer, servePolicyPages } from './policy-server.ts';
import { type ProxyServer, serveProxy } from './proxy-server.ts';
import { serveSocks, type SocksServer } from './socks-server.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let server: PolicyServer;

beforeAll(async () => {
  server = await servePolicyPages();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const ASK = (ask: string): string =>
  ask.replace('SOURCE', JSON.stringify('fetch("/from-worker").then((r) => r.status)'));

useWholeBrowser('nightly');

describe('proxy with username and password', () => {
  let proxy: ProxyServer;
  let test: TestDriver;
  let page: Page;

  beforeAll(async () => {
    proxy = await serveProxy('s3cret: ü', server.port);
    const { host } = proxy;
    test = await startDriver({
      localBrowserLaunchOptions: {
        proxy: { server: host, username: 'user', password: 's3cret: ü', bypass: 'direct.test' },
      },
    });
    page = test.page;
  });

  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  // [spec: launch-options.proxy]
  it('loads documents and subresources through the proxy', async () => {
    const response = await page.goto('http://site.test/');
    const status: unknown = await page.evaluate('fetch("/sub").then((r) => r.status)');
    expect([response?.status(), await page.title(), status]).toEqual([200, 'Page', 200]);
    expect(proxy.passed).toEqual(expect.arrayContaining(['GET http://site.test/', 'GET http://site.test/sub']));
  });

  it('sends credentials to a second site without another challenge', async () => {
    await page.goto('http://other.test/');
    expect(proxy.challenges.filter((url) => url.includes('.test'))).toEqual(['http://site.test/']);
  });

  it('opens WebSockets through a CONNECT tunnel', async () => {
    const came: unknown = await page.evaluate(
      'new Promise((done) => { const s = new WebSocket("ws://socket.test/"); s.onopen = () => done("open"); s.onerror = () => done("failed"); })',
    );
    expect([came, proxy.passed.includes('CONNECT socket.test:80')]).toEqual(['open', true]);
  });

  it('loads a cross-site frame and a popup through the proxy', async () => {
    await page.goto('http://site.test/');
    await page.evaluate(
      'new Promise((done) => { const i = document.createElement("iframe"); i.src = "http://frame.test/inner"; i.onload = done; document.body.append(i); }).then(() => 1)',
    );
    await page.evaluate('void window.open("http://popup.test/opened")');
    const popup = await test.driver.context.awaitActivePage();
    expect(await popup.title()).toBe('Page');
    await popup.close();
    expect(proxy.passed).toEqual(
      expect.arrayContaining(['GET http://frame.test/inner', 'GET http://popup.test/opened']),
    );
  });

  it('loads a fetch of a worker through the proxy', async () => {
    await page.goto('http://site.test/');
    const ask =
      'new Promise((done) => { const w = new Worker("/w.js"); w.onmessage = (e) => done(e.data); w.postMessage(SOURCE); })';
    expect(await page.evaluate(ASK(ask))).toBe('200');
  });

  it('never sends its credentials to a site that responds 401', async () => {
    const site = await test.driver.context.newPage();
    await site.route('**/private', (route) =>
      route.fulfill({ status: 401, headers: { 'www-authenticate': 'Basic realm="site"' }, body: 'private' }),
    );
    expect((await site.goto('http://site.test/private'))?.status()).toBe(401);
    const response = await page.goto('http://site.test/login');
    expect([response?.status(), await page.evaluate('document.body.innerText'), proxy.authorizations]).toEqual([
      401,
      'log in',
      [],
    ]);
    await site.close();
  });

  // [spec: launch-options.proxy]
  it('is bypassed for the hosts in the bypass list', async () => {
    await failureOf(page.goto('http://direct.test/'));
    expect(proxy.passed.filter((line) => line.includes('direct.test'))).toEqual([]);
  });

  it('is bypassed for loopback addresses by default', async () => {
    await page.goto(`${server.allowed}/here`);
    expect(proxy.passed.filter((line) => line.includes('127.0.0.1'))).toEqual([]);
  });

  it('receives no request that the domain policy blocks', async () => {
    await test.driver.context.setDomainPolicy({ allowedDomains: ['site.test'] });
    await page.goto('http://site.test/');
    expect(await page.evaluate('fetch("http://evil.test/").then(() => "came", () => "failed")')).toBe('failed');
    expect(await page.evaluate('fetch("/fine").then(() => "came", () => "failed")')).toBe('came');
    expect(proxy.passed.filter((line) => line.includes('evil.test'))).toEqual([]);
    await test.driver.context.setDomainPolicy(null);
    await expect(page.goto('http://other.test/')).resolves.not.toBeNull();
  });

  it('responds 407 after its password changes and loads pages again once it is restored', async () => {
    proxy.setPassword('another');
    expect((await page.goto('http://late.test/'))?.status()).toBe(407);
    expect(proxy.passed.filter((line) => line.includes('late.test'))).toEqual([]);
    proxy.setPassword('s3cret: ü');
    expect((await page.goto('http://back.test/'))?.status()).toBe(200);
  });
});

describe('proxy', () => {
  it('is used for loopback addresses when `bypass` is "<-loopback>"', async () => {
    await using proxy = await serveProxy(undefined, server.port);
    const options = { server: `http://${proxy.host}`, bypass: '<-loopback>' };
    await using test = await startDriver({ localBrowserLaunchOptions: { proxy: options } });
    await test.page.goto(`${server.allowed}/`);
    await test.page.evaluate(
      'new Promise((done) => { const s = new WebSocket(location.origin.replace("http", "ws")); s.onopen = done; s.onerror = done; }).then(() => 1)',
    );
    expect(proxy.passed).toEqual(
      expect.arrayContaining([`GET ${server.allowed}/`, `CONNECT 127.0.0.1:${server.port}`]),
    );
  });

  it('reads username and password from the server URL', async () => {
    await using proxy = await serveProxy('p@ss', server.port);
    await using test = await startDriver({
      localBrowserLaunchOptions: { proxy: { server: `http://user:p%40ss@${proxy.host}` } },
    });
    expect((await test.page.goto('http://site.test/'))?.status()).toBe(200);
  });

  it('fails `page.goto()` with an error that names the proxy when nothing listens there', async () => {
    await using test = await startDriver({ localBrowserLaunchOptions: { proxy: { server: '127.0.0.1:9' } } });
    const error = await failureOf(test.page.goto('http://site.test/'));
    expect(String(error)).toMatch(/ERR_PROXY_CONNECTION_FAILED.*proxy/s);
  });
});

// A headless shell shows the page of a 407.
describe('proxy in a full browser build', () => {
  useWholeBrowser();

  it('responds 407 to every request when the password is wrong', async () => {
    await using proxy = await serveProxy('right', server.port);
    await using test = await startDriver({
      localBrowserLaunchOptions: { proxy: { server: proxy.host, username: 'user', password: 'wrong' } },
    });
    for (const url of ['http://site.test/', 'https://site.test/']) {
      const response = await test.page.goto(url);
      expect([response?.status(), response?.ok()]).toEqual([407, false]);
    }
    expect(await test.page.evaluate('fetch("http://site.test/a").then(() => "came", () => "failed")')).toBe('failed');
    expect(proxy.passed).toEqual([]);
  });

  it('fails `page.goto()` with ERR_INVALID_AUTH_CREDENTIALS when credentials are missing', async () => {
    await using proxy = await serveProxy('right', server.port);
    await using test = await startDriver({ localBrowserLaunchOptions: { proxy: { server: proxy.host } } });
    const error = await failureOf(test.page.goto('http://site.test/'));
    expect(error).toBeInstanceOf(DriverNavigationError);
    expect(String(error)).toMatch(/ERR_INVALID_AUTH_CREDENTIALS\. The proxy did not accept the username and password/);
  });
});

describe('SOCKS5 proxy', () => {
  let proxy: SocksServer;
  let test: TestDriver;
  let page: Page;

  beforeAll(async () => {
    proxy = await serveSocks(server.port);
    test = await startDriver({
      localBrowserLaunchOptions: { proxy: { server: `socks5://${proxy.host}`, bypass: 'direct.test' } },
    });
    page = test.page;
  });

  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  it('resolves host names itself for documents and their requests', async () => {
    const response = await page.goto('http://site.test/');
    const came = await page.evaluate('fetch("http://other.test:81/a").then((r) => r.status)');
    expect([response?.status(), await page.title(), came]).toEqual([200, 'Page', 200]);
    expect(proxy.asked).toEqual(expect.arrayContaining(['site.test:80', 'other.test:81']));
  });

  it('opens WebSockets through the SOCKS proxy', async () => {
    const came: unknown = await page.evaluate(
      'new Promise((done) => { const s = new WebSocket("ws://socket.test:82/"); s.onopen = () => done("open"); s.onerror = () => done("failed"); })',
    );
    expect([came, proxy.asked.includes('socket.test:82')]).toEqual(['open', true]);
  });

  it('is bypassed for hosts in the bypass list and for loopback addresses', async () => {
    await failureOf(page.goto('http://direct.test/'));
    await page.goto(`${server.allowed}/here`);
    expect(proxy.asked.filter((line) => /direct|127/.test(line))).toEqual([]);
  });

  it('fails `page.goto()` with an error that names the proxy when it rejects the host', async () => {
    const error = await failureOf(page.goto('http://turned-down.example/'));
    expect(error).toBeInstanceOf(DriverNavigationError);
    expect(String(error)).toMatch(/ERR_SOCKS_CONNECTION.*proxy/s);
  });

  it('receives no request that the domain policy blocks', async () => {
    await test.driver.context.setDomainPolicy({ allowedDomains: ['site.test'] });
    await page.goto('http://site.test/');
    const ask = (address: string): Promise<unknown> =>
      page.evaluate(`fetch("${address}").then(() => "came", () => "failed")`);
    expect([await ask('http://evil.test/'), await ask('http://site.test/a')]).toEqual(['failed', 'came']);
    expect(proxy.asked.filter((line) => line.includes('evil'))).toEqual([]);
  });
});

describe('proxy options', () => {
  // [spec: other-types.proxy]
  it.each<[proxy: object, argument: string, sentence: RegExp]>([
    [{ server: 'socks5://proxy:1080', username: 'u' }, 'username', /cannot be used with a SOCKS proxy/],
    [{ server: 'socks5://u:p@proxy:1080' }, 'username', /cannot be used with a SOCKS proxy/],
    [{ server: 'socks4://proxy:1080', username: 'u', password: 'p' }, 'username', /SOCKS/],
    [{ server: 'ftp://proxy:21' }, 'server', /must be a URL such as/],
    [{ server: '' }, 'server', /an empty string/],
    [{ server: 'http://proxy:1/path' }, 'server', /must be a URL/],
    [{ server: 'proxy:3128', password: 'p' }, 'username', /together with the password/],
  ])('rejects %j', (proxy, argument, sentence) => {
    const make = (): Driver =>
      new Driver({ env: 'LOCAL', localBrowserLaunchOptions: { proxy: proxy as { server: string } } });
    expect(make).toThrow(DriverInvalidArgumentError);
    expect(make).toThrow(`localBrowserLaunchOptions.proxy.${argument}`);
    expect(make).toThrow(sentence);
  });

  it.each([
    { server: 'proxy:3128' },
    { server: 'https://proxy:3128/' },
    { server: 'SOCKS5://proxy:1080' },
    { server: 'http://[::1]:3128', username: '', password: '' },
  ])('accepts %j', (proxy) => {
    expect(() => new Driver({ env: 'LOCAL', localBrowserLaunchOptions: { proxy } })).not.toThrow();
  });
});
