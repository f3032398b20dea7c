import dns from 'node:dns';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Driver, type Page } from '../../pagechauffeur/src/index.ts';
import { AddressRules } from '../src/egress/address-rules.ts';
import { checkUpstream, openEgressProxy } from '../src/egress/egress-proxy.ts';
import { PlatformError } from '../src/errors.ts';
import { serve, type TestServer } from '../../pagechauffeur/test/support/serve.ts';
import { usePlatform } from './support/use-platform.ts';

describe('AddressRules', () => {
  const rules = new AddressRules(['10.1.0.0/16', 'fd00:1::/32', '192.168.1.7']);

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '10.2.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.8',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:2::1',
    'fe80::1',
    'ff02::1',
    '::7f00:1',
    'fd00:ec2::254',
  ])('blocks %s', async (address) => {
    expect(rules.allows(address)).toBe(false);
    expect(await rules.addressOf(address)).toBeUndefined();
  });

  it.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '10.1.2.3', 'fd00:1::5', '192.168.1.7'])(
    'allows %s',
    async (address) => {
      expect(await rules.addressOf(address)).toBe(address);
    },
  );

  it('blocks the addresses of this machine, unless a network allows them', () => {
    const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
    expect(own.filter((address) => new AddressRules().allows(address))).toEqual([]);
    expect(new AddressRules(own).allows(own[0] ?? '')).toBe(true);
  });

  it.each(['localhost', '[::1]', '0x7f.1', '2130706433', '017700000001'])(
    'blocks %s, which resolves to this machine',
    async (host) => {
      expect(await new AddressRules(['127.0.0.0/8', '::1']).addressOf(host)).toBeOneOf(['127.0.0.1', '::1']);
      expect(await rules.addressOf(host)).toBeUndefined();
    },
  );

  it.each(['a.localhost', 'A.B.LOCALHOST', 'a.localhost.'])('blocks %s without a DNS request for it', async (host) => {
    const lookup = vi.spyOn(dns.promises, 'lookup');
    syncBuiltinESMExports();
    const [answer] = await Promise.allSettled([rules.addressOf(host)]);
    const names = lookup.mock.calls.map(([name]) => name);
    lookup.mockRestore();
    syncBuiltinESMExports();
    expect(answer).toEqual({ status: 'fulfilled', value: undefined });
    expect(names).toEqual(['localhost']);
  });

  it.each(['nonsense', '10.0.0.0/33', '10.0.0.0/x', '/8'])('rejects the network %j', (network) => {
    expect(() => new AddressRules([network])).toThrow(PlatformError);
  });
});

describe('rented browser', () => {
  const shared = usePlatform({ allowNetworks: ['127.0.0.2'] });
  let server: TestServer;
  let driver: Driver;
  let page: Page;

  beforeAll(async () => {
    server = await serve({ '/': '<title>Inside</title>', '/secret': 'secret' });
    const { body } = await shared.ask('POST', '/v1/sessions', { body: {} });
    const cdpUrl = String(body['connectUrl']);
    driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true, localBrowserLaunchOptions: { cdpUrl } });
    await driver.init();
    page = await driver.context.newPage();
  });

  afterAll(async () => {
    await driver?.close();
    await server?.close();
  });

  it('cannot reach its own machine', async () => {
    const { port } = new URL(server.origin);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '127.1',
      '[::1]',
      '0.0.0.0',
      '2130706433',
      'a.localhost',
      '169.254.169.254',
    ]) {
      const response = await page.goto(`http://${host}:${port}/secret`);
      expect([host, response?.status()]).toEqual([host, 403]);
    }
    await page.goto('about:blank');
    await expect(page.goto(`https://127.0.0.1:${port}/`)).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED');
    const socket = `new Promise((done) => { const s = new WebSocket('ws://127.0.0.1:${port}/'); s.onopen = () => done('open'); s.onerror = () => done('refused'); })`;
    expect(await page.evaluate(socket)).toBe('refused');
  });

  it('cannot reach other browsers by their port', async () => {
    const [session] = shared.platform.sessionManager.live.values();
    const { port } = new URL(session?.browser.url ?? '');
    const response = await page.goto(`http://127.0.0.1:${port}/json/version`);
    expect(response?.status()).toBe(403);
  });

  it('cannot follow a redirect from a public page to an internal address', async () => {
    // Another address of this machine simulates the internet.
    const outside = createServer((_request, response) =>
      response.writeHead(302, { location: `${server.origin}/secret` }).end(),
    );
    outside.listen(0, '127.0.0.2');
    await once(outside, 'listening');
    const { port } = outside.address() as AddressInfo;
    expect((await page.goto(`http://127.0.0.2:${port}/`))?.status()).toBe(403);
    outside.close();
  });
});

describe('egress proxy', () => {
  it('resolves a name once per connection and connects to the checked address', async () => {
    const server = createServer((_request, response) => response.end('outside'));
    server.listen(0, '127.0.0.2');
    await once(server, 'listening');
    const answers = ['127.0.0.2', '127.0.0.1'];
    const lookup = vi
      .spyOn(dns.promises, 'lookup')
      .mockImplementation((async () => [
        { address: answers.shift(), family: 4 },
      ]) as unknown as typeof dns.promises.lookup);
    syncBuiltinESMExports();
    const egress = await openEgressProxy(new AddressRules(['127.0.0.2']));
    const url = `http://rebind.test:${(server.address() as AddressInfo).port}/`;
    expect(await fetchThrough(egress.port, url)).toContain('outside');
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(await fetchThrough(egress.port, url)).toContain('403');
    lookup.mockRestore();
    syncBuiltinESMExports();
    await egress.close();
    server.close();
    server.closeAllConnections();
  });

  it('forwards requests to a tenant proxy with its credentials', async () => {
    const asked: unknown[] = [];
    const proxy = createServer(({ url, headers }, response) => {
      asked.push([url, headers['proxy-authorization'], headers['proxy-connection']]);
      response.end('from the proxy');
    });
    proxy.on('connect', ({ url, headers }, socket) => {
      asked.push([url, headers['proxy-authorization']]);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    proxy.listen(0, '127.0.0.2');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const upstream = { host: '127.0.0.2', port, authorization: 'Basic dTpw' };
    const egress = await openEgressProxy(new AddressRules(['127.0.0.2']), { upstream });
    const plain = await fetchThrough(egress.port, 'http://10.0.0.1/inside?q=1');
    expect(plain).toContain('from the proxy');
    expect(await connectThrough(egress.port, 'example.com:443')).toContain('407');
    expect(asked).toEqual([
      ['http://10.0.0.1/inside?q=1', 'Basic dTpw', undefined],
      ['example.com:443', 'Basic dTpw'],
    ]);
    await egress.close();
    await expect(checkUpstream(new AddressRules(), upstream)).rejects.toMatchObject({ code: 'invalid_request' });
    const inner = await openEgressProxy(new AddressRules(), { upstream });
    expect(await fetchThrough(inner.port, 'http://example.com/')).toContain('403');
    await inner.close();
    proxy.close();
    proxy.closeAllConnections();
  });

  it('responds with 502 to an unknown name and with 403 to a blocked address', async () => {
    const direct = await openEgressProxy(new AddressRules());
    const unknown = await fetchThrough(direct.port, 'http://no-such-host.invalid/');
    expect(unknown).toMatch(/^HTTP\/1\.1 502 /);
    expect(unknown).toContain('x-chauffeur-unresolved: host');
    expect(unknown).toContain('no-such-host.invalid cannot be resolved');
    expect(unknown).not.toContain('x-chauffeur-refused');
    expect(await connectThrough(direct.port, 'no-such-host.invalid:443')).toMatch(/^HTTP\/1\.1 502 /);
    expect(await fetchThrough(direct.port, 'http://10.0.0.1/')).toMatch(/^HTTP\/1\.1 403 [^]*x-chauffeur-refused/);
    expect(await connectThrough(direct.port, '10.0.0.1:443')).toMatch(/^HTTP\/1\.1 403 /);
    await direct.close();
  });

  it("names the tenant's proxy when its address is blocked or its name does not exist", async () => {
    const textFor = async (host: string): Promise<string> => {
      const upstream = { host, port: 3128, authorization: undefined };
      const egress = await openEgressProxy(new AddressRules(), { upstream });
      const text = await fetchThrough(egress.port, 'http://example.com/');
      await egress.close();
      return text;
    };
    expect(await textFor('10.0.0.1')).toMatch(/^HTTP\/1\.1 403 [^]*blocks 10\.0\.0\.1/);
    const unknown = await textFor('no-such-proxy.invalid');
    expect(unknown).toMatch(/^HTTP\/1\.1 502 [^]*no-such-proxy\.invalid cannot be resolved/);
    expect(unknown).toContain('x-chauffeur-unresolved: proxy');
  });

  it('shares no keep-alive connections between sessions', async () => {
    const clients: (number | undefined)[] = [];
    const late = Promise.withResolvers<ServerResponse>();
    const server = createServer(({ url, socket }, response) => {
      clients.push(socket.remotePort);
      if (url === '/late') late.resolve(response);
      else response.end('at once');
    });
    server.listen(0, '127.0.0.2');
    await once(server, 'listening');
    const origin = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
    const rules = new AddressRules(['127.0.0.2']);
    const [one, other] = await Promise.all([openEgressProxy(rules), openEgressProxy(rules)]);
    for (const { port } of [one, one, other]) expect(await keepAliveThrough(port, `${origin}/`)).toContain('at once');
    const [first, second, third] = clients;
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    const waiting = keepAliveThrough(other.port, `${origin}/late`);
    const response = await late.promise;
    await one.close();
    response.end('late');
    expect(await waiting).toContain('late');
    await other.close();
    server.close();
    server.closeAllConnections();
  });

  it('stops connecting when the browser disconnects', async () => {
    // Neither reached nor refused.
    const silent = Object.assign(new net.Socket(), { connecting: true });
    const dialed = Promise.withResolvers<void>();
    const dial = vi.spyOn(net, 'connect').mockImplementation(() => {
      dialed.resolve();
      return silent;
    });
    syncBuiltinESMExports();
    const egress = await openEgressProxy(new AddressRules(['127.0.0.2']));
    const browser = new net.Socket().connect(egress.port, '127.0.0.1');
    browser.write('CONNECT 127.0.0.2:443 HTTP/1.1\r\nHost: 127.0.0.2:443\r\n\r\n');
    await dialed.promise;
    dial.mockRestore();
    syncBuiltinESMExports();
    const closed = once(silent, 'close');
    browser.end();
    await closed;
    await once(browser, 'close');
    expect(silent.destroyed).toBe(true);
    await egress.close();
  });

  it('accepts 1000 connections and closes the next one', async () => {
    const egress = await openEgressProxy(new AddressRules());
    const browsers: net.Socket[] = [];
    const opened = async (): Promise<net.Socket> => {
      const browser = net.connect(egress.port, '127.0.0.1');
      browsers.push(browser);
      await once(browser, 'connect');
      return browser;
    };
    for (let count = 0; count < 1000; count += 1) await opened();
    await once((await opened()).resume(), 'close');
    const [first = await opened()] = browsers;
    first.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(first, 'data'))).toContain('400');
    for (const browser of browsers) browser.destroy();
    await egress.close();
  });
});

/** Returns the answer to a request that leaves its connections open. */
async function keepAliveThrough(port: number, url: string): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  const asked = request({ port, path: url, agent });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await textOf(answer);
  agent.destroy();
  return body;
}

async function fetchThrough(port: number, url: string): Promise<string> {
  return talk(
    port,
    `GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nProxy-Connection: keep-alive\r\nConnection: close\r\n\r\n`,
  );
}

async function connectThrough(port: number, authority: string): Promise<string> {
  return talk(port, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
}

async function talk(port: number, text: string): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
