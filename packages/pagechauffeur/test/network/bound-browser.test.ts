import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainPolicy } from '../../src/cdp/network/domain-policy.ts';
import { Driver, DriverDomainPolicyError, type Page } from '../../src/index.ts';
import { boundArguments } from '../../src/launch/bound-arguments.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { type PolicyServer, servePolicyPages } from './policy-server.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let server: PolicyServer;
let forbidden: Listener;
let test: TestDriver;
let page: Page;

useWholeBrowser();

beforeAll(async () => {
  server = await servePolicyPages();
  forbidden = await Listener.open();
  const allowedDomains = [`127.0.0.1:${server.port}`, `site.localhost:${server.port}`, 'unused.test'];
  test = await startDriver({ allowedDomains });
  page = test.page;
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  forbidden.close();
});

/** A port of this machine that writes down every connection and every datagram that reaches it. */
class Listener {
  readonly reached: string[] = [];
  readonly #tcp: Server;
  readonly #udp: Socket;

  static async open(): Promise<Listener> {
    const tcp = createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4').bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(udp, 'listening');
    return new Listener(tcp, udp);
  }

  constructor(tcp: Server, udp: Socket) {
    this.#tcp = tcp;
    this.#udp = udp;
    tcp.on('connection', (socket) => {
      this.reached.push('connection');
      socket.on('error', () => undefined).destroy();
    });
    udp.on('message', () => this.reached.push('datagram'));
  }

  get port(): number {
    return (this.#tcp.address() as AddressInfo).port;
  }

  close(): void {
    this.#tcp.close();
    this.#udp.close();
  }
}

describe('browser launched with a domain policy', () => {
  it('blocks a WebSocket to a disallowed host while its page unloads', async () => {
    const open = `new WebSocket('ws://localhost:${server.port}/name'); new WebSocket('ws://127.0.0.1:${forbidden.port}')`;
    for (let round = 0; round < 5; round += 1) {
      await page.goto(`${server.allowed}/`);
      await page.evaluate(
        `for (const type of ['pagehide', 'visibilitychange', 'unload']) addEventListener(type, () => { ${open} }, true)`,
      );
      await page.goto(`http://site.localhost:${server.port}/`);
    }
    await page.evaluate('fetch("/last").then((answer) => answer.text())');
    expect([server.leaks(), forbidden.reached]).toEqual([[], []]);
  });

  it.each([
    ['a STUN server', 'stun:HOST:PORT'],
    ['a TURN server', 'turn:HOST:PORT'],
    ['a TURN server over TCP', 'turn:HOST:PORT?transport=tcp'],
  ])('keeps WebRTC from contacting %s at a disallowed host', async (_what, url) => {
    const hosts = ['localhost', '127.0.0.1'].map((host) =>
      url.replace('HOST', host).replace('PORT', `${forbidden.port}`),
    );
    await page.goto(`${server.allowed}/`);
    await page.evaluate(
      `(async (urls) => {
        const connection = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
        connection.createDataChannel('x');
        const gathered = new Promise((done) => { connection.onicecandidate = ({ candidate }) => candidate || done(); });
        await connection.setLocalDescription(await connection.createOffer());
        await gathered;
        connection.close();
      })(${JSON.stringify(hosts)})`,
    );
    expect(forbidden.reached).toEqual([]);
  });

  it('keeps WebRTC from contacting a peer at a disallowed port', async () => {
    await page.goto(`${server.allowed}/`);
    const state = await page.evaluate(
      `(async (port) => {
        const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
        one.createDataChannel('x');
        await one.setLocalDescription(await one.createOffer());
        await other.setRemoteDescription(one.localDescription);
        await other.setLocalDescription(await other.createAnswer());
        await one.setRemoteDescription(other.localDescription);
        for (const way of ['udp 1 127.0.0.1 PORT typ host', 'tcp 1 127.0.0.1 PORT typ host tcptype passive'])
          await one.addIceCandidate({ candidate: 'candidate:1 1 ' + way.replace('PORT', port), sdpMid: '0', sdpMLineIndex: 0 });
        const hasEnded = () => ['disconnected', 'failed'].includes(one.iceConnectionState);
        await new Promise((done) => hasEnded() ? done() : one.oniceconnectionstatechange = () => hasEnded() && done());
        return one.iceConnectionState;
      })(${forbidden.port})`,
    );
    expect(state).toMatch(/^disconnected|failed$/);
    expect(forbidden.reached).toEqual([]);
  });

  it('reports net::ERR_BLOCKED_BY_CLIENT for a blocked fetch and a blocked `page.goto()`', async () => {
    await page.goto(`${server.allowed}/`);
    const said = page.waitForEvent('console', (message) => message.text().includes('net::'));
    await page.evaluate(`fetch('${server.refused}/a').catch(() => undefined)`);
    expect((await said).text()).toContain('net::ERR_BLOCKED_BY_CLIENT');
    const error = await failureOf(page.goto(`${server.refused}/a`));
    expect(error).toBeInstanceOf(DriverDomainPolicyError);
    expect(String(error)).toContain('net::ERR_BLOCKED_BY_CLIENT');
  });

  it('narrows its policy at run time but rejects hosts outside the launch policy', async () => {
    const { context } = test.driver;
    const whole = context.getDomainPolicy();
    await context.setDomainPolicy({ allowedDomains: ['*.localhost', 'unused.test'] });
    expect(context.getDomainPolicy()).toEqual({ allowedDomains: ['*.localhost', 'unused.test'] });
    expect(await failureOf(page.goto(`${server.allowed}/`))).toBeInstanceOf(DriverDomainPolicyError);
    await page.goto(`http://site.localhost:${server.port}/`);
    expect(await failureOf(page.goto(`http://b.localhost:${server.port}/`))).toBeInstanceOf(DriverDomainPolicyError);
    await context.setDomainPolicy({ blockedDomains: ['site.localhost'] });
    expect(await failureOf(page.goto(`http://site.localhost:${server.port}/`))).toBeInstanceOf(DriverDomainPolicyError);
    await context.setDomainPolicy(null);
    expect(context.getDomainPolicy()).toEqual(whole);
    expect(await failureOf(page.goto(`${server.refused}/a`))).toBeInstanceOf(DriverDomainPolicyError);
    await page.goto(`${server.allowed}/`);
    const outside = await failureOf(context.setDomainPolicy({ allowedDomains: ['127.0.0.1', 'localhost'] }));
    expect(outside).toBeInstanceOf(DriverDomainPolicyError);
    expect(String(outside)).toContain('allowedDomains has "localhost", but the driver allows only 127.0.0.1:');
    expect(server.leaks()).toEqual([]);
  });

  it('applies its policy to another driver that attaches', async () => {
    const cdpUrl = test.driver.connectURL();
    await using other = new Driver({ env: 'LOCAL', disableLoggerBackend: true, localBrowserLaunchOptions: { cdpUrl } });
    await other.init();
    const opened = await other.context.newPage();
    expect(String(await failureOf(opened.goto(`http://elsewhere.localhost:${server.port}/`)))).toContain('net::ERR_');
    await opened.goto(`http://site.localhost:${server.port}/`);
    await opened.close();
  });
});

describe('boundArguments()', () => {
  const rulesOf = (rules: ConstructorParameters<typeof DomainPolicy>[0], proxy?: string): string | undefined =>
    boundArguments(new DomainPolicy(rules), proxy)
      .find((argument) => argument.startsWith('--host-resolver-rules='))
      ?.slice('--host-resolver-rules='.length);

  it.each([
    [{}, undefined, undefined],
    [{ allowedDomains: ['*'] }, undefined, undefined],
    [{ allowedDomains: ['a.test', '*:81'] }, undefined, undefined],
    [{ allowedDomains: [] }, undefined, 'MAP * ^NOTFOUND'],
    [{ allowedDomains: ['a.test'] }, undefined, 'MAP a.test a.test, MAP a.test. a.test., MAP * ^NOTFOUND'],
    [
      { allowedDomains: ['a.test:81', '10.0.0.1:82'] },
      undefined,
      'MAP a.test:81 a.test, MAP a.test.:81 a.test., MAP 10.0.0.1:82 10.0.0.1, MAP * ^NOTFOUND',
    ],
    [{ allowedDomains: ['[::1]', '[::1]:82'] }, undefined, 'MAP ::1 [::1], MAP [::1]:82 [::1], MAP * ^NOTFOUND'],
    [{ allowedDomains: ['*.a.test:81'] }, undefined, 'EXCLUDE *.a.test, EXCLUDE *.a.test., MAP * ^NOTFOUND'],
    [
      { blockedDomains: ['a.test', '*:81', '[2001:db8::1]', '10.0.0.1'] },
      undefined,
      'MAP a.test ^NOTFOUND, MAP a.test. ^NOTFOUND, MAP *:81 ^NOTFOUND, MAP 2001:db8::1 ^NOTFOUND, MAP 10.0.0.1 ^NOTFOUND, MAP ::ffff:a00:1 ^NOTFOUND, MAP ::ffff:0:a00:1 ^NOTFOUND, MAP 64:ff9b::a00:1 ^NOTFOUND, MAP 64:ff9b:1::a00:1 ^NOTFOUND, MAP ::a00:1 ^NOTFOUND, MAP 2002:a00:1:* ^NOTFOUND',
    ],
    [{ allowedDomains: [] }, 'http://proxy:3128', 'MAP proxy proxy, MAP proxy. proxy., MAP * ^NOTFOUND'],
    [{ allowedDomains: [] }, 'socks5://[::1]:1080', 'MAP ::1 [::1], MAP * ^NOTFOUND'],
  ])('maps %j with proxy %j to the resolver rules %j', (rules, proxy, expected) => {
    expect(rulesOf(rules, proxy)).toBe(expected);
  });

  it('disables WebRTC datagrams only when `allowedDomains` restricts hosts', () => {
    const datagrams = '--webrtc-ip-handling-policy=disable_non_proxied_udp';
    expect(boundArguments(new DomainPolicy({ allowedDomains: ['a.test'] }), undefined)).toContain(datagrams);
    expect(boundArguments(new DomainPolicy({ blockedDomains: ['a.test'] }), undefined)).not.toContain(datagrams);
    expect(boundArguments(new DomainPolicy({ allowedDomains: ['*'] }), undefined)).toEqual([]);
  });
});
