import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, Server as SocketServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { DomainPolicy } from '../../src/cdp/network/domain-policy.ts';
import { DriverDomainPolicyError, DriverNavigationError, type Page } from '../../src/index.ts';
import { needsNameRelay } from '../../src/launch/bound-arguments.ts';
import { openNameRelay } from '../../src/launch/name-relay.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

const OPEN = '127.0.0.1';
const BLOCKED = '10.9.8.7';

/** Resolved names, and requests that reached the test server. */
const asked: string[] = [];
const reached: string[] = [];
let server: Server;
let port = 0;
/** A blocked port of this machine. */
let datagrams: DatagramSocket;
let test: TestDriver;
let page: Page;

/** Resolves like a hostile name server: `rebind` to an open address first and to a blocked one later, `both` to both. */
async function answer(name: string): Promise<LookupAddress[]> {
  asked.push(name);
  const count = asked.filter((one) => one === name).length;
  if (name.endsWith('nowhere.test')) throw Object.assign(new TypeError('not found'), { code: 'ENOTFOUND' });
  const addresses: Readonly<Record<string, string[]>> = {
    rebind: [count === 1 ? OPEN : BLOCKED],
    both: [OPEN, BLOCKED],
    mapped: [`::ffff:${BLOCKED}`],
  };
  const [kind = ''] = name.split('.').slice(-2);
  return (addresses[kind] ?? [OPEN]).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

beforeAll(async () => {
  vi.spyOn(dns.promises, 'lookup').mockImplementation(answer as unknown as typeof dns.promises.lookup);
  server = createServer((request, response) => {
    reached.push(`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`);
    const to = new URL(request.url ?? '/', 'http://host').searchParams.get('to');
    if (to !== null) return void response.writeHead(302, { location: to }).end();
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<title>Here</title>');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (_socket, request) => reached.push(`SOCKET ${request.headers.host?.replace(/:\d+$/, '')}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  datagrams = createSocket('udp4').bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  datagrams.on('message', () => reached.push('datagram'));
  test = await startDriver({ blockedDomains: [BLOCKED, 'blocked.test', `127.0.0.1:${datagrams.address().port}`] });
  page = test.page;
});

beforeEach(() => {
  asked.length = 0;
  reached.length = 0;
});

afterAll(async () => {
  await test?.driver.close();
  server.close();
  server.closeAllConnections();
  datagrams.close();
  vi.restoreAllMocks();
});

/** An address at the server under a name. */
function at(name: string, path = '/'): string {
  return `http://${name}:${port}${path}`;
}

describe('host name that resolves to a different IP address each time', () => {
  it('connects to the IP address that the policy checked, after one lookup', async () => {
    await page.goto(at('page.rebind.test'));
    expect(await page.title()).toBe('Here');
    const outcomes = await page.evaluate(`(async (port) => Promise.all([
      fetch('http://fetch.rebind.test:' + port + '/', { mode: 'no-cors' }).then(() => 'got', String),
      new Promise((done) => document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://frame.rebind.test:' + port + '/', onload: () => done('loaded') }))),
      new Promise((done) => { const socket = new WebSocket('ws://socket.rebind.test:' + port + '/'); socket.onopen = () => done('open'); socket.onerror = () => done('failed'); }),
    ]))(${port})`);
    expect(outcomes).toEqual(['got', 'loaded', 'open']);
    expect(reached).toEqual(
      expect.arrayContaining([
        'page.rebind.test/',
        'fetch.rebind.test/',
        'frame.rebind.test/',
        'SOCKET socket.rebind.test',
      ]),
    );
    expect(asked.filter((name) => name === 'socket.rebind.test')).toHaveLength(1);
  });

  it('rejects `page.goto()` with the reason once the name resolves to a blocked IP address', async () => {
    await page.goto(at('open.test'));
    await page.goto(at('again.rebind.test'));
    reached.length = 0;
    for (const url of [
      at('again.rebind.test', '/second'),
      at('any.both.test'),
      at('any.mapped.test'),
      at('open.test', `/?to=${encodeURIComponent(at('target.both.test'))}`),
    ]) {
      const failure = await failureOf(page.goto(url));
      expect(failure).toBeInstanceOf(DriverDomainPolicyError);
      expect(String(failure)).toContain('resolves to an IP address that blockedDomains');
    }
    expect(reached.filter((line) => !line.startsWith('open.test'))).toEqual([]);
  });
});

describe('browser behind the name relay', () => {
  it('reports why `page.goto()` cannot reach a host', async () => {
    for (const [url, reason] of [
      ['http://nowhere.test/', 'net::ERR_NAME_NOT_RESOLVED. The host name cannot be resolved.'],
      [`http://closed.test:${datagrams.address().port}/`, 'resolves to an IP address that blockedDomains'],
      ['http://closed.test:9/', 'net::ERR_UNSAFE_PORT'],
      ['http://closed.test:59999/', 'net::ERR_CONNECTION_REFUSED. Nothing listens at that address'],
    ] as const)
      expect(String(await failureOf(page.goto(url)))).toContain(reason);
    expect(await failureOf(page.goto('http://nowhere.test/'))).toBeInstanceOf(DriverNavigationError);
  });

  it('blocks a WebSocket to a blocked host during unload', async () => {
    await page.goto(at('open.test'));
    await page.evaluate(
      `for (const type of ['pagehide', 'unload']) addEventListener(type, () => { new WebSocket('ws://blocked.test:${port}/') }, true)`,
    );
    await page.goto(at('other.test'));
    await page.evaluate('fetch("/last").then((answer) => answer.text())');
    expect(asked).not.toContain('blocked.test');
    expect(reached).not.toContain('SOCKET blocked.test');
  });

  it('sends no WebRTC datagrams to a blocked address', async () => {
    await page.goto(at('open.test'));
    const blocked = `127.0.0.1:${datagrams.address().port}`;
    await page.evaluate(
      `(async () => {
        const connection = new RTCPeerConnection({ iceServers: [{ urls: ['stun:${blocked}', 'turn:${blocked}'], username: 'a', credential: 'b' }] });
        connection.createDataChannel('x');
        const gathered = new Promise((done) => { connection.onicecandidate = ({ candidate }) => candidate || done(); });
        await connection.setLocalDescription(await connection.createOffer());
        await gathered;
        connection.close();
      })()`,
    );
    expect(reached).not.toContain('datagram');
  });

  it('opens 40 WebSockets to one host despite the connection limit per proxy', async () => {
    await page.goto(at('open.test'));
    const opened = `new Promise((done) => { let count = 0; for (let index = 0; index < 40; index += 1) new WebSocket('ws://many.test:${port}/').onopen = () => { count += 1; if (count === 40) done(count); }; })`;
    expect(await page.evaluate(opened)).toBe(40);
    await page.goto('about:blank');
  });
});

describe('name relay', () => {
  it('keeps serving after malformed requests', async () => {
    const relay = await openNameRelay(new DomainPolicy({ blockedDomains: [BLOCKED] }));
    const send = async (bytes: readonly number[]): Promise<Buffer> => {
      const socket = connect(relay.port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', () => undefined);
      socket.end(Buffer.from(bytes));
      await once(socket, 'close');
      return Buffer.concat(chunks);
    };
    const head = [5, 1, 0, 5, 1, 0];
    const nameOf = (text: string): number[] => [text.length, ...Buffer.from(text)];
    for (const bytes of [
      [],
      [5],
      [...Buffer.from('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n')],
      [...head, 1, 127, 0, 0, 1, 0, 80],
      [...head, 3, 0, 0, 80],
      [...head, 3, ...nameOf('a b\0@c/d#'), 0, 80],
      [5, 1, 0, 5, 2, 0, 3, ...nameOf('a.test'), 0, 80],
    ])
      expect((await send(bytes)).subarray(2, 4)).not.toEqual(Buffer.from([5, 0]));
    expect(await send([...head, 3, ...nameOf('any.both.test'), 0, 80])).toEqual(
      Buffer.from([5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]),
    );
    expect(relay.failureOf('any.both.test:80')).toEqual({ kind: 'refused' });
    relay.close();
  });

  it('survives an error while accepting a connection', async () => {
    using listen = vi.spyOn(SocketServer.prototype, 'listen');
    const relay = await openNameRelay(new DomainPolicy({ blockedDomains: [BLOCKED] }));
    const [listening] = listen.mock.contexts as readonly SocketServer[];
    expect(() => listening?.emit('error', new TypeError('accept EMFILE'))).not.toThrow();
    relay.close();
  });

  it('is needed only if IP addresses are blocked and the driver controls name resolution', () => {
    const settings = {
      domainPolicy: new DomainPolicy({ blockedDomains: [BLOCKED] }),
      proxy: undefined,
      args: [],
      keepAlive: false,
    };
    expect(needsNameRelay(settings)).toBe(true);
    for (const other of [
      { domainPolicy: undefined },
      { domainPolicy: new DomainPolicy({ blockedDomains: ['a.test'] }) },
      { proxy: {} },
      { args: ['--proxy-server=a:1'] },
      { args: ['--host-resolver-rules=MAP a b'] },
      { keepAlive: true },
    ])
      expect(needsNameRelay({ ...settings, ...other })).toBe(false);
  });
});
