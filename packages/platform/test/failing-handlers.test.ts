import { once } from 'node:events';
import fs from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { Connection, LINK_PROTOCOL, Outbox } from 'pagechauffeur/internal';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { GridRouter } from '../src/browsers/grid/grid-router.ts';
import { AddressRules } from '../src/egress/address-rules.ts';
import { openEgressProxy } from '../src/egress/egress-proxy.ts';
import { CdpGateway } from '../src/gateway/cdp-gateway.ts';
import { TargetGuard } from '../src/gateway/target-guard.ts';
import { LiveSession } from '../src/sessions/live-session.ts';
import { SessionControl } from '../src/sessions/session-control.ts';
import { SessionManager } from '../src/sessions/session-manager.ts';
import { LiveView } from '../src/view/live-view.ts';
import { ViewGateway } from '../src/view/view-gateway.ts';
import { keptLog } from './support/kept-log.ts';
import { startForeignServer } from './support/foreign-server.ts';
import { statusBy } from './support/mutated-messages.ts';
import { connectRaw, type RawClient, refusalOf } from './support/raw-client.ts';
import { usePlatform } from './support/use-platform.ts';

const FAULT = 'injected test error';
const NEXT = '{"id":7,"method":"Browser.getVersion"}';

function fail(): never {
  throw new TypeError(FAULT);
}

/** A value whose first read throws. */
function failingOnce<T>(value: T): () => T {
  let isFirst = true;
  return () => {
    if (!isFirst) return value;
    isFirst = false;
    return fail();
  };
}

describe('platform handler that throws once', () => {
  const shared = usePlatform({ capacity: 2, logLevel: 'error' });
  let session: Readonly<Record<string, unknown>>;
  let witness: RawClient;
  let lines: string[] = [];

  beforeAll(async () => {
    session = (await shared.ask('POST', '/v1/sessions', { body: { keepAlive: true } })).body;
    witness = await connectRaw(String(session['connectUrl']));
    return () => witness.socket.close();
  });
  beforeEach(() => {
    lines = [];
    const write = fs.writeSync.bind(fs) as (...given: readonly unknown[]) => number;
    vi.spyOn(fs, 'writeSync').mockImplementation((descriptor: number, ...given: readonly unknown[]) => {
      if (descriptor !== 2) return write(descriptor, ...given);
      lines.push(String(given[0]));
      return Buffer.byteLength(String(given[0]));
    });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    const { result } = await witness.command('Browser.getVersion');
    const { status } = await shared.ask('GET', '/v1/sessions');
    if (!result || status !== 200) throw new TypeError('other connections are affected');
  });

  async function opened(url: string, protocols: readonly string[] = [], options: ClientOptions = {}) {
    const headers = { authorization: `Bearer ${shared.key}` };
    const socket = new WebSocket(url, [...protocols], { perMessageDeflate: false, headers, ...options });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  }

  const connectUrl = (): string => String(session['connectUrl']);
  const view = (path: string): string =>
    `${shared.platform.url.replace('http', 'ws')}/v1/sessions/${String(session['id'])}/${path}`;
  const devTools = async (): Promise<string> => {
    const { result } = await witness.command('Target.createTarget', { url: 'about:blank' });
    return view(`devtools/page/${String(result?.['targetId'])}`);
  };
  const codeOf = async (socket: WebSocket): Promise<unknown> => (await once(socket, 'close'))[0];
  /** Whether the log soon reports that a handler closed a connection, and why. */
  const isLogged = (guard: string): Promise<boolean> =>
    vi.waitUntil(() => new RegExp(`"handler":"${guard}".*"reason":"${FAULT}"`).test(lines.join('')), 10_000);

  it('closes the gateway socket whose command throws', async () => {
    const socket = await opened(connectUrl());
    vi.spyOn(LiveSession.prototype, 'touch').mockImplementationOnce(fail);
    socket.send(NEXT);
    expect(await codeOf(socket)).toBe(4003);
    expect(await isLogged('gateway')).toBe(true);
  });

  it('closes the gateway socket whose link acknowledgement throws', async () => {
    const socket = await opened(connectUrl(), [LINK_PROTOCOL]);
    vi.spyOn(Outbox.prototype, 'confirm').mockImplementationOnce(fail);
    socket.send(Buffer.from('{"received":0}'));
    expect(await codeOf(socket)).toBe(4003);
    expect(await isLogged('gateway')).toBe(true);
  });

  it('closes the gateway socket whose browser message throws', async () => {
    const socket = await opened(connectUrl());
    vi.spyOn(TargetGuard.prototype, 'note').mockImplementationOnce(fail);
    socket.send(NEXT);
    expect(await codeOf(socket)).toBe(4003);
    expect(await isLogged('browser')).toBe(true);
  });

  it('logs the error when a closing gateway socket throws', async () => {
    const socket = await opened(connectUrl());
    vi.spyOn(LiveSession.prototype, 'detach').mockImplementationOnce(fail);
    socket.close();
    expect(await isLogged('gateway')).toBe(true);
  });

  it('closes the DevTools socket whose command throws', async () => {
    const socket = await opened(await devTools());
    vi.spyOn(LiveSession.prototype, 'touch').mockImplementationOnce(fail);
    socket.send(NEXT);
    expect(await codeOf(socket)).toBe(4003);
    expect(await isLogged('DevTools')).toBe(true);
  });

  it('closes the DevTools socket whose browser message throws', async () => {
    const socket = await opened(await devTools());
    const { browser } = shared.platform.sessionManager.live.get(String(session['id'])) ?? fail();
    // The command reads it first, then the answer.
    const get = failingOnce(browser.downloads);
    let count = 0;
    Object.defineProperty(browser, 'downloads', {
      configurable: true,
      get: () => ((count += 1) === 1 ? '/nowhere' : get()),
    });
    socket.send(NEXT);
    expect(await codeOf(socket)).toBe(4003);
    expect(await isLogged('DevTools')).toBe(true);
  });

  it('closes the live view whose operator input throws', async () => {
    const socket = await opened(view('live'));
    vi.spyOn(LiveSession.prototype, 'touch').mockImplementationOnce(fail);
    socket.send('{"type":"take-over"}');
    expect(await codeOf(socket)).toBe(4003);
    expect(await isLogged('live view')).toBe(true);
  });

  it('logs the error when a closing live view throws', async () => {
    const socket = await opened(view('live'));
    vi.spyOn(SessionControl.prototype, 'leave').mockImplementationOnce(fail);
    socket.close();
    expect(await isLogged('live view')).toBe(true);
  });

  it('closes the live view whose browser message throws', async () => {
    const socket = await opened(view('live'));
    const list = vi.spyOn(LiveView.prototype, 'list', 'get').mockImplementationOnce(fail);
    // The socket may close before the command is answered.
    const code = codeOf(socket);
    await witness.command('Target.createTarget', { url: 'about:blank' });
    expect(await code).toBe(4001);
    expect(list).toHaveBeenCalled();
    expect(await isLogged('live view')).toBe(true);
  });

  it.each<[string, () => unknown, () => string]>([
    ['a driver socket', () => vi.spyOn(CdpGateway.prototype, 'upgrade').mockImplementationOnce(fail), connectUrl],
    ['a live view', () => vi.spyOn(ViewGateway.prototype, 'takes').mockImplementationOnce(fail), () => view('live')],
  ])('responds with 500 when the upgrade of %s throws', async (_who, arm, url) => {
    arm();
    expect(await refusalOf(url(), { headers: { authorization: `Bearer ${shared.key}` } })).toMatch(/^500 /);
  });

  it('responds with 500 when an HTTP handler throws, and hides the reason', async () => {
    vi.spyOn(SessionManager.prototype, 'list').mockImplementationOnce(fail);
    const { status, body } = await shared.ask('GET', '/v1/sessions');
    expect([status, body['error']]).toMatchObject([500, { code: 'internal', message: 'Internal server error.' }]);
    expect(lines.join('')).toContain(FAULT);
  });

  it('closes the socket whose forwarding to another server throws', async () => {
    const foreign = await startForeignServer(shared.platform, () => 'HTTP/1.1 200 Faulty\r\nContent-Length: 0\r\n\r\n');
    onTestFinished(() => foreign.close());
    const write = Socket.prototype.write;
    vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...given: unknown[]) {
      if (String(given[0]).startsWith('HTTP/1.1 200 Faulty')) fail();
      return Reflect.apply(write, this, given) as boolean;
    });
    expect(await refusalOf(foreign.socketUrl)).toContain('socket hang up');
    expect(await isLogged('peers')).toBe(true);
  });
});

describe('egress proxy or Grid handler that throws once', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  /** Starts a server that answers requests and tunnels, also as a tenant's proxy. */
  async function serveProxy(): Promise<number> {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(OK));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('responds with 502 to a request that throws, and serves the next one', async () => {
    const log = keptLog();
    const web = await serveProxy();
    const upstream = { host: '127.0.0.1', port: web, authorization: '' };
    Object.defineProperty(upstream, 'authorization', { get: failingOnce(undefined) });
    const egress = await openEgressProxy(new AddressRules(['127.0.0.1']), { log, upstream });
    onTestFinished(() => egress.close());
    expect([await statusBy(egress, web), await statusBy(egress, web)]).toEqual([502, 200]);
    expect(log.lines).toEqual([expect.stringContaining(FAULT)]);
  });

  it('closes a tunnel that throws, and opens the next one', async () => {
    const log = keptLog();
    const web = await serveProxy();
    const upstream = { host: '127.0.0.1', port: web, authorization: '' };
    Object.defineProperty(upstream, 'authorization', { get: failingOnce(undefined) });
    const egress = await openEgressProxy(new AddressRules(['127.0.0.1']), { log, upstream });
    onTestFinished(() => egress.close());
    const tunnel = async (): Promise<string> => {
      const socket = connect(egress.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (data) => (answer += String(data)));
      socket.write(`CONNECT 127.0.0.1:${web} HTTP/1.1\r\n\r\n`);
      await once(socket, 'close');
      return answer;
    };
    expect([await tunnel(), await tunnel()]).toEqual(['', OK]);
    expect(log.lines).toEqual([expect.stringContaining(FAULT)]);
  });

  it('closes a connection that throws, and accepts the next one', async () => {
    const log = keptLog();
    const web = await serveProxy();
    const egress = await openEgressProxy(new AddressRules(['127.0.0.1']), { log, admits: failingOnce(true) });
    onTestFinished(() => egress.close());
    expect([await statusBy(egress, web), await statusBy(egress, web)]).toEqual([0, 200]);
    expect(log.lines).toEqual([expect.stringContaining(FAULT)]);
  });

  it('reports a session as `unknown` when reading the Grid response throws', async () => {
    const web = await serveProxy();
    const router = new GridRouter(`http://127.0.0.1:${web}`);
    vi.spyOn(Response.prototype, 'text').mockImplementationOnce(fail);
    expect(await router.stateOf('a')).toBe('unknown');
    expect(await router.stateOf('a')).toBe('alive');
    vi.restoreAllMocks();
  });
});

it('closes a browser connection after a message that is not JSON, and sets its `fault`', async () => {
  const { promise: said, resolve: say } = Promise.withResolvers<string>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  server.on('connection', (socket) => void said.then((text) => socket.send(text)));
  await once(server, 'listening');
  const connection = await Connection.open(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  connection.browser.on('closed', resolve);
  const pending = connection.browser.send('Browser.getVersion');
  say('{"no json');
  expect(await closed).toMatch(/a message could not be processed/);
  await expect(pending).rejects.toThrow('a message could not be processed');
  expect(connection.fault).toBeInstanceOf(SyntaxError);
});
