import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { GridRouter } from '../../src/browsers/grid/grid-router.ts';
import { AddressRules } from '../../src/egress/address-rules.ts';
import { type EgressProxy, openEgressProxy } from '../../src/egress/egress-proxy.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { PEER_HEADER, PeerTokens } from '../../src/servers/peer-tokens.ts';
import { firstOf } from './first-of.ts';
import { startForeignServer } from './foreign-server.ts';
import { keptLog } from './kept-log.ts';
import { connectRaw, type RawClient } from './raw-client.ts';
import { simulatedBackend } from './simulated-backend.ts';
import { type SimulatedBrowsers, simulateBrowsers } from './simulated-browsers.ts';
import { ask, usePlatform } from './use-platform.ts';

/** A seeded random number generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Parameters nested deeper than any client sends. */
export function deep(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

const ODD_VALUES = [
  '{"toString":1}',
  'null',
  '[]',
  '{}',
  '-1',
  '1e999',
  '""',
  '"\\ud800"',
  deep(2000),
  '[[[[]]]]',
  '{"__proto__":{}}',
  'true',
  ',',
  '"',
];

/** Derives broken messages from valid ones. */
class Mutator {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  /** Replaces a value in JSON. */
  value(message: object): string {
    const text = JSON.stringify(message);
    const values = [...text.matchAll(/(?<=:)(?:"[^"]*"|-?\d+|\[[^\]]*\]|\{\}|true|false)/g)];
    const { index, 0: value } = this.pick(values);
    return text.slice(0, index) + this.pick(ODD_VALUES) + text.slice(index + value.length);
  }

  /** Replaces or inserts a byte. */
  byte(text: string): string {
    const at = Math.floor(this.random() * text.length);
    const byte = String.fromCharCode(Math.floor(this.random() * 256));
    return text.slice(0, at) + byte + text.slice(at + (this.random() < 0.5 ? 1 : 0));
  }

  either(message: object): string {
    return this.random() < 0.5 ? this.value(message) : this.byte(JSON.stringify(message));
  }
}

/** Runs a function repeatedly with limited concurrency. */
async function repeat(count: number, atOnce: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, (_none, index) => act(done + index)));
}

/** Sends messages on a socket, reopens it when it closes, and regularly waits until they were handled. */
async function sendAll(count: number, open: () => Promise<WebSocket>, next: () => string): Promise<void> {
  const EVERY = 50;
  let socket = await open();
  for (let sent = 0; sent < count; sent += 1) {
    if (socket.readyState !== WebSocket.OPEN) socket = await open();
    socket.send(next());
    if (sent % EVERY !== 0) continue;
    const handled = firstOf(socket, 'pong', 'close');
    socket.ping();
    await handled;
  }
  socket.terminate();
}

const COMMANDS: readonly object[] = [
  { id: 1, method: 'Page.navigate', params: { url: 'about:blank', referrer: 'a' } },
  { id: 2, method: 'Target.attachToTarget', params: { targetId: 'x', flatten: true } },
  { id: 3, method: 'Browser.setDownloadBehavior', params: { behavior: 'allow', downloadPath: 'a' } },
  { id: 4, method: 'Fetch.continueRequest', params: { requestId: '1', url: 'http://a.test/' } },
  { id: 5, method: 'DOM.setFileInputFiles', params: { files: ['a'], backendNodeId: 1 }, sessionId: 'x' },
  { id: 6, method: 'Network.loadNetworkResource', params: { url: 'http://a.test/', options: {} } },
  { id: 7, method: 'Input.dispatchDragEvent', params: { type: 'drop', x: 1, y: 1, data: { files: [] } } },
  { id: 8, method: 'Tracing.start', params: { transferMode: 'ReturnAsStream', tracingBackend: 'chrome' } },
  { id: 9, method: 'Page.setDownloadBehavior', params: { behavior: 'allow', downloadPath: 'a' } },
];

const EVENTS: readonly object[] = [
  {
    method: 'Target.attachedToTarget',
    params: {
      sessionId: 'S1',
      targetInfo: { targetId: 'T1', type: 'page', url: 'about:blank' },
      waitingForDebugger: false,
    },
  },
  { method: 'Target.detachedFromTarget', params: { sessionId: 'S1', targetId: 'T1' } },
  { method: 'Target.targetInfoChanged', params: { targetInfo: { targetId: 'T1', type: 'page', url: 'file:///x' } } },
  { method: 'Browser.downloadWillBegin', params: { guid: 'g', suggestedFilename: 'f', url: 'http://a.test/' } },
  { method: 'Browser.downloadProgress', params: { guid: 'g', receivedBytes: 1, totalBytes: 2, state: 'inProgress' } },
  { method: 'Tracing.dataCollected', params: { value: [{ path: '/tmp/x' }] } },
  { id: 2_147_483_647, result: {} },
];

const REQUESTS: readonly object[] = [
  { type: 'show', tab: 'x' },
  { type: 'return', seat: '11111111-1111-4111-8111-111111111111' },
  { type: 'answer', question: '11111111-1111-4111-8111-111111111111', isDeclined: false, text: 'x' },
  {
    type: 'mouse',
    event: 'mouseMoved',
    x: 1,
    y: 1,
    button: 'none',
    buttons: 0,
    clickCount: 0,
    modifiers: 0,
  },
  { type: 'touch', event: 'touchStart', points: [{ x: 1, y: 1, id: 0 }], modifiers: 0 },
  { type: 'text', text: 'x' },
  { type: 'files', files: [{ name: 'a', type: 'b', base64: 'AA==' }] },
  { type: 'navigate', url: 'about:blank' },
];

/** Browser messages to viewers and to the server itself. */
const SPOKEN: readonly object[] = [
  ...EVENTS,
  {
    method: 'Target.targetCreated',
    params: { targetInfo: { targetId: 'T1', type: 'page', title: 'a', url: 'http://a.test/', browserContextId: 'c' } },
  },
  { method: 'Target.targetDestroyed', params: { targetId: 'T1' } },
  { method: 'Target.targetCrashed', params: { targetId: 'T1', status: 'crashed', errorCode: 1 } },
  { id: 1, result: { sessionId: 'S1' } },
  { id: 2, error: { code: 1, message: 'x' } },
];

const BODY = '{"id":"x"}';
/** Answers of another server: an upgrade, a refusal, and responses. */
const ANSWERS: readonly string[] = [
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u0081\u0002hi',
  `HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Request-Id: a\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-A: b\r\n\r\n',
  'HTTP/1.1 204 No Content\r\nSet-Cookie: a=b; Path=/\r\n\r\n',
];
/** How long a client waits: the platform retries an unresponsive server for a while. */
const MAX_MS = 300;
/** Clients that wait at once. */
const WAITING = 60;

/** Sends mutated messages to every endpoint of a platform. Their connections may close; nothing else may. */
export function describeMutations(count: number): void {
  const timeout = 60_000 + count * 60;

  describe(`platform after ${count} mutated messages`, () => {
    const shared = usePlatform({ capacity: 2 });
    let session: Readonly<Record<string, unknown>>;
    let witness: RawClient;
    const connectUrl = (): string => String(session['connectUrl']);

    beforeAll(async () => {
      session = (await shared.ask('POST', '/v1/sessions', { body: { keepAlive: true } })).body;
      witness = await connectRaw(connectUrl());
    });
    afterAll(() => witness?.socket.close());

    /** True if all others are served as before. */
    const goesOn = async (): Promise<boolean> =>
      (await witness.command('Browser.getVersion')).result !== undefined &&
      (await shared.ask('GET', '/healthz', { key: '' })).status === 200;

    const view = (path: string): string =>
      `${shared.platform.url.replace('http', 'ws')}/v1/sessions/${String(session['id'])}/${path}`;

    const opened = (url: string): Promise<WebSocket> => openedAgain(url, { authorization: `Bearer ${shared.key}` });

    it('keeps serving others after mutated commands to the gateway', { timeout }, async () => {
      const mutator = new Mutator(11);
      await sendAll(
        count,
        () => opened(connectUrl()),
        () => mutator.either(mutator.pick(COMMANDS)),
      );
      expect(await goesOn()).toBe(true);
    });

    it('keeps serving others after mutated commands to DevTools', { timeout }, async () => {
      const mutator = new Mutator(12);
      const { result } = await witness.command('Target.createTarget', { url: 'about:blank' });
      const page = view(`devtools/page/${String(result?.['targetId'])}`);
      await sendAll(
        count,
        () => opened(page),
        () => mutator.either(mutator.pick(COMMANDS)),
      );
      expect(await goesOn()).toBe(true);
    });

    it('keeps serving others after mutated requests to live views', { timeout }, async () => {
      const mutator = new Mutator(13);
      await sendAll(
        count,
        () => opened(view('live')),
        () => mutator.either(mutator.pick(REQUESTS)),
      );
      expect(await goesOn()).toBe(true);
    });

    it('keeps serving others after mutated HTTP requests', { timeout }, async () => {
      const mutator = new Mutator(14);
      const { port } = new URL(shared.platform.url);
      const id = String(session['id']);
      const body = '{"metadata":{"a":1},"region":"nowhere","timeout":1000,"keepAlive":true}';
      const head = `Host: a\r\nConnection: close\r\nX-API-Key: ${shared.key}\r\n`;
      const withBody = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const requests = [
        `GET /v1/sessions?status=RUNNING&limit=5&cursor=x HTTP/1.1\r\n${head}\r\n`,
        `GET /v1/sessions/${id}/logs?after=1 HTTP/1.1\r\n${head}\r\n`,
        `GET /v1/sessions/${id}/downloads?limit=1 HTTP/1.1\r\n${head}\r\n`,
        `POST /v1/sessions HTTP/1.1\r\nIdempotency-Key: a\r\n${withBody}`,
        `POST /v1/sessions/${id}/logs HTTP/1.1\r\n${withBody}`,
        `PUT /v1/cache/name HTTP/1.1\r\n${withBody}`,
        `PUT /v1/sessions/${id}/files/name HTTP/1.1\r\n${withBody}`,
        `POST /v1/sign-in HTTP/1.1\r\nOrigin: ${shared.platform.url}\r\n${withBody}`,
        `GET /v1/sessions/${id}/cdp?token=a.b HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        `GET /v1/sessions/${id}/live HTTP/1.1\r\nHost: a\r\nCookie: chauffeur_view=a.b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      ];
      await repeat(count, 20, () => sentTo(Number(port), mutator.byte(mutator.pick(requests))));
      expect(await goesOn()).toBe(true);
    });
  });

  describe(`platform after ${count} mutated messages of its peers`, () => {
    it('serves the next request after mutated responses to the egress proxy', { timeout }, async () => {
      const mutator = new Mutator(7);
      const start = 'HTTP/1.1 200 OK\r\nX-Name: secret-words\r\nTrailer: X-A\r\nContent-Length: 2\r\n\r\nok';
      const web = await serveTexts(() => mutator.byte(start));
      const log = keptLog();
      const egress = await openEgressProxy(new AddressRules(['127.0.0.1']), { log });
      onTestFinished(() => egress.close());
      await repeat(count, 10, () => statusBy(egress, web));
      expect(log.lines.join('\n')).not.toContain('secret-words');
      const fine = await serveTexts(() => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      expect(await statusBy(egress, fine)).toBe(200);
    });

    it('rejects only with errors after mutated WebDriver responses', { timeout }, async () => {
      const mutator = new Mutator(15);
      const chrome = { browserName: 'chrome' };
      const slot = { session: { sessionId: 'a'.repeat(32), capabilities: { 'se:name': 'x' } }, stereotype: chrome };
      const node = { availability: 'UP', maxSessions: 1, uri: 'http://127.0.0.1:5555', slots: [slot] };
      const bodies: readonly object[] = [
        { value: { ready: true, nodes: [node] } },
        { value: { sessionId: 'a'.repeat(32), capabilities: { chrome: { userDataDir: '/tmp/x' } } } },
        { value: { error: 'session not created', message: 'secret-words', stacktrace: '' } },
        { value: ['window'] },
      ];
      const grid = await serveTexts(() => {
        const body = mutator.either(mutator.pick(bodies));
        const answer = `HTTP/1.1 ${mutator.pick([200, 404, 500])} x\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
        return mutator.random() < 0.2 ? mutator.byte(answer) : answer;
      });
      const router = new GridRouter(`http://127.0.0.1:${grid}`);
      await repeat(count, 10, async (index) => {
        const { signal } = new AbortController();
        // An invalid answer is an error or counts as unreachable.
        const [asked] = await Promise.allSettled([
          [() => router.status(signal), () => router.create({}, signal), () => router.stateOf('a')][index % 3]?.(),
        ]);
        expect(asked.status === 'fulfilled' || asked.reason instanceof Error).toBe(true);
      });
    });

    it('forwards commands after mutated messages of a browser', { timeout }, async () => {
      const mutator = new Mutator(16);
      const browsers: SimulatedBrowsers = await simulateBrowsers();
      onTestFinished(() => browsers[Symbol.asyncDispose]());
      const backend = simulatedBackend(browsers.origin, 'own', 9);
      const platform: Platform = await startPlatform({ database: ':memory:', port: 0, logLevel: 'silent' }, backend);
      onTestFinished(() => platform.close());
      const { body } = await ask(platform, { method: 'POST', path: '/v1/sessions', body: { keepAlive: true } });
      const url = String(body['connectUrl']);
      // Browser messages that are not JSON are forwarded to their client.
      await sendAll(
        count,
        () => openedAgain(url),
        () => JSON.stringify({ id: 1, method: 'Test.say', params: { text: mutator.either(mutator.pick(EVENTS)) } }),
      );
      await openedAgain(url).then((socket) => socket.terminate());
      const client = await connectRaw(url);
      expect((await client.command('Browser.getVersion')).result).toBeDefined();
      client.socket.terminate();
    });

    it('serves another session after mutated messages of its browsers', { timeout }, async () => {
      const mutator = new Mutator(17);
      const browsers: SimulatedBrowsers = await simulateBrowsers();
      onTestFinished(() => browsers[Symbol.asyncDispose]());
      const backend = simulatedBackend(browsers.origin, 'own', 9);
      const platform: Platform = await startPlatform({ database: ':memory:', port: 0, logLevel: 'silent' }, backend);
      onTestFinished(() => platform.close());
      const create = async (): Promise<Readonly<Record<string, unknown>>> =>
        (await ask(platform, { method: 'POST', path: '/v1/sessions', body: { keepAlive: true } })).body;
      const witness = await connectRaw(String((await create())['connectUrl']));
      // A message that the server cannot handle ends the session of that browser.
      const open = async (): Promise<WebSocket> => {
        const { id, connectUrl } = await create();
        const live = `${platform.url.replace('http', 'ws')}/v1/sessions/${String(id)}/live`;
        const viewer = await openedAgain(live, { authorization: `Bearer ${platform.firstKey}` });
        const client = await openedAgain(String(connectUrl));
        client.on('close', () => viewer.terminate());
        viewer.on('close', () => client.terminate());
        return client;
      };
      await sendAll(count, open, () =>
        JSON.stringify({ id: 1, method: 'Test.sayAll', params: { text: mutator.either(mutator.pick(SPOKEN)) } }),
      );
      expect((await witness.command('Browser.getVersion')).result).toBeDefined();
      witness.socket.terminate();
    });

    it('keeps serving after mutated messages between servers', { timeout }, async () => {
      const mutator = new Mutator(18);
      const platform: Platform = await startPlatform(
        { database: ':memory:', port: 0, logLevel: 'silent' },
        simulatedBackend('http://127.0.0.1:9', 'own', 1),
      );
      onTestFinished(() => platform.close());
      const foreign = await startForeignServer(platform, () => mutator.byte(mutator.pick(ANSWERS)));
      onTestFinished(() => foreign.close());
      const tokens = new PeerTokens(await platform.store.secret('peers', () => ''));
      const path = `/v1/sessions/${foreign.sessionId}`;
      const head = `Host: a\r\nX-API-Key: ${platform.firstKey}\r\n`;
      const upgrade = `${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      const signed = (method: string, url: string): string =>
        `${method} ${url} HTTP/1.1\r\n${PEER_HEADER}: ${tokens.sign({ method, url })}\r\n`;
      const passed = [
        `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
        `GET ${path}/downloads HTTP/1.1\r\n${head}\r\n`,
        `GET ${path}/cdp?token=a.b HTTP/1.1\r\n${upgrade}`,
        `GET ${path}/live HTTP/1.1\r\n${upgrade}`,
      ];
      const taken = [
        `${signed('GET', '/v1/room')}Host: a\r\nConnection: close\r\n\r\n`,
        `${signed('GET', `${path}/cdp?token=a.b`)}${upgrade}`,
        `${signed('GET', `${path}/downloads`)}${head}\r\n`,
      ];
      const { port } = platform;
      await repeat(count, WAITING, () => sentTo(port, mutator.byte(mutator.pick(taken)), MAX_MS));
      for (let before = -1; foreign.answered < count && before !== foreign.answered;) {
        before = foreign.answered;
        await repeat(WAITING, WAITING, () => sentTo(port, mutator.pick(passed), MAX_MS));
      }
      expect(foreign.answered).toBeGreaterThanOrEqual(count);
      expect((await ask(platform, { method: 'GET', path: '/v1/sessions' })).status).toBe(200);
    });
  });
}

/** Opens a socket. Places of closed ones are freed a moment later. */
async function openedAgain(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  for (;;) {
    const socket = new WebSocket(url, { perMessageDeflate: false, headers });
    const { promise: isOpen, resolve } = Promise.withResolvers<boolean>();
    socket.on('open', () => resolve(true));
    socket.on('error', () => resolve(false));
    if (await isOpen) return socket;
    await pause(20);
  }
}

/** Sends bytes to a port and waits until the connection closes, at most `most` ms. */
async function sentTo(port: number, text: string, most: number = Infinity): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  socket.end(text, 'latin1');
  const late = most < Infinity ? setTimeout(() => socket.destroy(), most) : undefined;
  await closed;
  clearTimeout(late);
}

/** Starts a server that answers every connection with a text. Returns its port. */
async function serveTexts(next: () => string): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(next(), 'latin1'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Status of an answer through the proxy. 0 if it is cut. */
export async function statusBy(egress: EgressProxy, port: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const asked = request({ host: '127.0.0.1', port: egress.port, path: `http://127.0.0.1:${port}/`, agent: false });
  asked.on('response', (reply) => {
    reply.resume();
    reply.on('error', () => resolve(0));
    reply.on('close', () => resolve(reply.statusCode ?? 0));
  });
  asked.on('error', () => resolve(0));
  asked.end();
  return promise;
}
