import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainPolicy } from '../../src/cdp/network/domain-policy.ts';
import { DriverDomainPolicyError, type Page } from '../../src/index.ts';
import { boundArguments, hasOwnProxy } from '../../src/launch/bound-arguments.ts';
import { proxyFor } from '../../src/launch/named-addresses.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

/** What reached the servers, by the host that was asked for. */
const reached: string[] = [];
let open: Server;
let blocked: Server;
/** Addresses of the two servers under a name that leads to this machine. */
let allowed = '';
let refused = '';
let test: TestDriver;
let page: Page;

beforeAll(async () => {
  [open, blocked] = await Promise.all([startServer(), startServer()]);
  allowed = `http://machine.test:${portOf(open)}`;
  refused = `http://machine.test:${portOf(blocked)}`;
  // The resolver of the browser is told where these names lead, as DNS is by whoever owns them.
  const names = 'MAP machine.test 127.0.0.1, MAP mapped.test [::ffff:127.0.0.1], MAP inside.test 10.9.8.7';
  test = await startDriver({
    blockedDomains: [`127.0.0.1:${portOf(blocked)}`, '10.9.8.7'],
    localBrowserLaunchOptions: { args: [`--host-resolver-rules=${names}`] },
  });
  page = test.page;
});

afterAll(async () => {
  await test?.driver.close();
  for (const server of [open, blocked]) {
    server.close();
    server.closeAllConnections();
  }
});

async function startServer(): Promise<Server> {
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.headers.host}${request.url}`);
    const to = new URL(request.url ?? '/', 'http://host').searchParams.get('to');
    response.setHeader('access-control-allow-origin', '*');
    if (to !== null) {
      response.writeHead(302, { location: to }).end();
      return;
    }
    const isScript = request.url?.endsWith('.js');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? WORKER : '<title>Here</title>');
  });
  server.on('upgrade', (request, socket) => {
    reached.push(`SOCKET ${request.headers.host}${request.url}`);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Asks for an address and tells whether an answer came. */
const WORKER = `const ask = (url, tell) => fetch(url, { mode: 'no-cors' }).then(() => tell('got'), () => tell('failed'));
  onmessage = ({ data }) => ask(data, postMessage);
  onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => ask(data, (word) => port.postMessage(word)); };`;

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** What reached the server at the blocked address. */
function leaks(): readonly string[] {
  return reached.filter((line) => new RegExp(`^\\w+ [^/]*:${portOf(blocked)}/`).test(line));
}

describe('host name that resolves to a blocked IP address', () => {
  it('rejects `page.goto()` with the reason, directly or after a redirect', async () => {
    for (const url of [
      `${refused}/page`,
      'http://inside.test/',
      `http://mapped.test:${portOf(blocked)}/`,
      `${allowed}/?to=${refused}/redirected`,
    ]) {
      const failure = await failureOf(page.goto(url));
      expect(failure).toBeInstanceOf(DriverDomainPolicyError);
      expect(String(failure)).toContain('resolves to an IP address that blockedDomains');
    }
    expect(leaks()).toEqual([]);
  });

  it('blocks frames, images, scripts, sockets, beacons, workers and prefetches', async () => {
    await page.goto(`${allowed}/`);
    const outcomes = await page.evaluate(`(async () => {
      const refused = ${JSON.stringify(refused)};
      const of = (tag, facts) => new Promise((done) => document.body.append(Object.assign(document.createElement(tag), facts, { onload: () => done(tag + ' loaded'), onerror: () => done(tag + ' failed') })));
      document.body.append(Object.assign(document.createElement('iframe'), { src: refused + '/frame' }));
      document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: refused + '/prefetch' }), Object.assign(document.createElement('link'), { rel: 'preconnect', href: refused }));
      navigator.sendBeacon(refused + '/beacon', 'x');
      const ask = (port) => new Promise((done) => { port.onmessage = ({ data }) => done(data); port.postMessage(refused + '/worker'); });
      return Promise.all([
        of('img', { src: refused + '/picture' }),
        of('script', { src: refused + '/script.js' }),
        fetch(refused + '/fetch', { mode: 'no-cors' }).then(() => 'got', () => 'failed'),
        new Promise((done) => { const socket = new WebSocket(refused.replace('http', 'ws') + '/socket'); socket.onopen = () => done('open'); socket.onerror = () => done('failed'); }),
        ask(new Worker('/worker.js')),
        ask(new SharedWorker('/shared.js').port),
      ]);
    })()`);
    expect(outcomes).toEqual(['img failed', 'script failed', 'failed', 'failed', 'failed', 'failed']);
    expect(leaks()).toEqual([]);
  });

  it('allows ports that the blocked entry does not name', async () => {
    await page.goto(`${allowed}/`);
    expect(await page.title()).toBe('Here');
    await page.goto(`http://127.0.0.1:${portOf(open)}/`);
    expect(await page.title()).toBe('Here');
  });
});

describe('proxy choice for a request', () => {
  const refusedAddresses = [
    { address: '10.0.0.1', port: undefined },
    { address: '127.*', port: undefined },
    { address: '::1', port: 8080 },
  ];
  const isRefused = (url: string, addresses: string): boolean =>
    proxyFor(
      { refused: refusedAddresses, relay: undefined },
      { url, host: new URL(url).hostname, lookUp: () => addresses },
    ) !== 'DIRECT';

  it.each([
    ['http://a.test/', '10.0.0.1', true],
    ['http://a.test/', '93.184.216.34;10.0.0.1', true],
    ['wss://a.test/', '127.9.9.9', true],
    ['http://a.test/', '', true],
    ['http://a.test:8080/', '::1', true],
    ['http://a.test/', '::1', false],
    ['http://[::1]:8080/', '::1', true],
    ['http://a.test/', '10.0.0.11', false],
    ['http://a.test/:8080/', '::1', false],
    ['https://a.test/', '93.184.216.34', false],
  ])('refuses %s at %j: %s', (url, addresses, expected) => {
    expect(isRefused(url, addresses)).toBe(expected);
  });

  it('uses the relay for host names but not for IP addresses or localhost', () => {
    const ways = { refused: refusedAddresses, relay: 'relay.localhost:9' };
    const wayTo = (host: string): string => proxyFor(ways, { url: `http://${host}/`, host, lookUp: () => '127.0.0.1' });
    expect(wayTo('a.test')).toMatch(/^SOCKS5 [\w-]+\.relay\.localhost:9$/);
    expect(wayTo('a.test')).not.toBe(wayTo('b.test'));
    for (const host of ['127.0.0.1', '::1', 'localhost', 'a.localhost']) expect(wayTo(host)).toBe('PROXY 127.0.0.1:1');
  });

  it('adds `--proxy-pac-url` only when IP addresses are blocked and no other proxy is set', () => {
    const argumentsOf = (blockedDomains: string[], hasOtherProxy = false): number =>
      boundArguments(new DomainPolicy({ blockedDomains }), undefined, { hasOtherProxy }).filter((one) =>
        one.startsWith('--proxy-pac-url='),
      ).length;
    expect(argumentsOf(['10.0.0.1'])).toBe(1);
    expect(argumentsOf(['[fe80::1]'])).toBe(1);
    expect(argumentsOf(['a.test', '*.b.test'])).toBe(0);
    expect(argumentsOf(['10.0.0.1'], true)).toBe(0);
    expect(
      boundArguments(new DomainPolicy({ blockedDomains: ['10.0.0.1'] }), 'http://proxy:3128').join(),
    ).not.toContain('pac');
    expect(
      [['--proxy-server=a:1'], ['--no-proxy-server'], ['--mute-audio']].map((args) => hasOwnProxy(args, {})),
    ).toEqual([true, true, false]);
    expect(hasOwnProxy([], { HTTPS_PROXY: 'http://a:1' })).toBe(true);
    expect(hasOwnProxy([], { https_proxy: '', NO_PROXY: 'a' })).toBe(false);
  });
});
