import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { LINK_PROTOCOL } from 'pagechauffeur/internal';
import { type Program, runProgram } from '../../pagechauffeur/test/support/run-program.ts';
import { firstOf } from './support/first-of.ts';
import { connectRaw, type RawClient } from './support/raw-client.ts';
import { ask } from './support/use-platform.ts';

const MIB = 1024 * 1024;
const MAX_GROWTH_MIB = 300;
const SERVER = new URL('./support/server-program.ts', import.meta.url);

let server: Program;
let url = '';
let key = '';
let session: Readonly<Record<string, unknown>>;
let witness: RawClient;
/** A page of the session that `witness` is attached to. */
let page = '';
let targetId = '';

// A server per test, because freed memory is not returned to the system.
beforeEach(async () => {
  const options = { database: ':memory:', port: 0, warm: 0, capacity: 1, logLevel: 'silent' };
  server = runProgram(SERVER, [JSON.stringify({ options })]);
  url = `http://127.0.0.1:${(await server.lineWith('Port ')).slice(5)}`;
  key = (await server.lineWith('Key ')).slice(4);
  session = (await ask({ url, firstKey: key }, { method: 'POST', path: '/v1/sessions', body: {} })).body;
  witness = await connectRaw(String(session['connectUrl']));
  const { result } = await witness.command('Target.createTarget', { url: 'about:blank' });
  targetId = String(result?.['targetId']);
  const attached = await witness.command('Target.attachToTarget', { targetId, flatten: true });
  page = String(attached.result?.['sessionId']);
  await evaluate('1');
});
afterEach(async () => {
  witness?.socket.close();
  // An orderly exit, so that the browser leaves no profile.
  process.kill(server.pid, 'SIGTERM');
  await server.ended;
});

async function evaluate(expression: string): Promise<unknown> {
  const { result } = await witness.send(
    JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression }, sessionId: page }),
    1,
  );
  return (result?.['result'] as { readonly value?: unknown } | undefined)?.value;
}

/** Memory of the server in MiB: current, and maximum since the last reset. */
function memory(): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** Returns how much the server's memory grew at most, in MiB. */
async function growthDuring(attack: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
  const { now } = memory();
  await attack();
  return Math.round(memory().most - now);
}

async function opened(address: string, options: ClientOptions & { readonly protocol?: string } = {}) {
  const { protocol, ...rest } = options;
  const socket = new WebSocket(address, protocol === undefined ? [] : [protocol], {
    perMessageDeflate: false,
    ...rest,
  });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

/** Sends until `most` bytes are sent, the socket closes, or nothing is read any more. */
async function flood(socket: WebSocket, most: number, send: (count: number) => number): Promise<void> {
  let [sent, count, still, before] = [0, 0, 0, 0];
  while (sent < most && socket.readyState === WebSocket.OPEN && still < 20) {
    while (socket.bufferedAmount < MIB && sent < most) sent += send((count += 1));
    await pause(20);
    still = socket.bufferedAmount === before && before > 0 ? still + 1 : 0;
    before = socket.bufferedAmount;
  }
}

function inText(socket: WebSocket, text: string): number {
  socket.send(text);
  return text.length;
}

const CONNECTIONS = 9;
const FILE_BYTES = 16 * MIB;
const LONG = { timeout: 60_000 };
const several = async (address: string, options: ClientOptions & { readonly protocol?: string } = {}) =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => opened(address, options)));

describe.skipIf(process.platform !== 'linux')('memory of a server', () => {
  it.each<[string, string | undefined]>([
    ['a client', undefined],
    ['a client with a resumable link', LINK_PROTOCOL],
  ])(
    'stays bounded while %s sends refused commands and reads no response',
    { timeout: 120_000 },
    async (_who, protocol) => {
      const clients = await several(String(session['connectUrl']), protocol === undefined ? {} : { protocol });
      const refused = `{"id":1,"method":"Tethering.bind","sessionId":"${'s'.repeat(2000)}"}`;
      const passed = '{"id":2,"method":"Browser.getVersion"}';
      const growth = await growthDuring(async () => {
        for (const client of clients) client.pause();
        await Promise.all(
          clients.map((client) =>
            flood(client, 64 * MIB, (count) => inText(client, count % 10 === 0 ? passed : refused)),
          ),
        );
      });
      expect(growth).toBeLessThan(MAX_GROWTH_MIB);
      expect((await witness.command('Browser.getVersion')).result).toBeDefined();
    },
  );

  it.each([
    ['of a command', '{"id":1,"method":"Runtime.evaluate","params":{"expression":"'],
    ['of an upload', '{"id":1,"method":"Runtime.callFunctionOn","params":{"functionDeclaration":"'],
  ])(
    'stays bounded while clients send 120 MB %s in unfinished messages',
    { timeout: 120_000 },
    async (_what, beginning) => {
      const clients = await several(String(session['connectUrl']));
      const piece = Buffer.alloc(MIB / 2, 'x');
      const growth = await growthDuring(async () => {
        await Promise.all(
          clients.map((client) => {
            client.send(beginning, { fin: false });
            return flood(client, 120 * MIB, () => {
              client.send(piece, { fin: false });
              return piece.length;
            });
          }),
        );
      });
      expect(growth).toBeLessThan(MAX_GROWTH_MIB);
      expect((await witness.command('Browser.getVersion')).result).toBeDefined();
    },
  );

  it('stays bounded while viewers send requests and read nothing', { timeout: 120_000 }, async () => {
    const live = `${url.replace('http', 'ws')}/v1/sessions/${String(session['id'])}/live`;
    const viewers = await several(live, { headers: { authorization: `Bearer ${key}` } });
    for (let count = 0; count < 5; count += 1)
      await witness.command('Target.createTarget', {
        url: `data:text/html,${count}${'u'.repeat(200_000)}`,
        background: true,
      });
    await evaluate(
      `let turn = 0; setInterval(() => { turn += 1; document.title = turn + 't'.repeat(4000); document.body.style.background = 'rgb(' + turn % 255 + ',0,0)'; }, 5)`,
    );
    const growth = await growthDuring(async () => {
      for (const viewer of viewers) viewer.pause();
      const asking = '{"type":"show","tab":"none"}';
      await Promise.all(viewers.map((viewer) => flood(viewer, MIB / 2, () => inText(viewer, asking))));
      await expect.poll(() => evaluate('turn'), { timeout: 60_000 }).toBeGreaterThan(300);
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
  });

  /** Sends a request on a connection that reads nothing until it is resumed. */
  function requested(head: string, body: Buffer = Buffer.alloc(0)): Socket {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`${head}\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`);
    socket.write(body.length > 0 ? `Content-Type: a/b\r\nContent-Length: ${FILE_BYTES}\r\n\r\n` : '\r\n');
    socket.write(body);
    return socket;
  }

  const pathOf = (name: number): string => `/v1/sessions/${String(session['id'])}/files/f${name} HTTP/1.1`;
  const put = (name: string, body: Buffer): Promise<Response> =>
    fetch(`${url}/v1/sessions/${String(session['id'])}/files/${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'a/b' },
      body: new Uint8Array(body),
    });

  it('stays bounded during 40 unfinished uploads, and rejects excess ones with 503', { timeout: 120_000 }, async () => {
    const body = Buffer.alloc(FILE_BYTES - 1);
    const answers = new Set<string>();
    const growth = await growthDuring(async () => {
      const sockets = Array.from({ length: 40 }, (_none, name) => requested(`PUT ${pathOf(name)}`, body));
      for (const socket of sockets) socket.once('data', (answer) => answers.add(String(answer).slice(0, 12)));
      const isTaken = (socket: Socket): boolean => socket.destroyed || socket.writableLength === 0;
      for (const socket of sockets) await expect.poll(() => isTaken(socket.resume()), LONG).toBe(true);
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
    expect([...answers]).toEqual(['HTTP/1.1 503']);
    expect((await put('mine', Buffer.alloc(1000))).status).toBe(200);
  });

  it('stays bounded while clients request 60 files and do not read them', { timeout: 120_000 }, async () => {
    expect((await put('f0', Buffer.alloc(FILE_BYTES))).status).toBe(200);
    const growth = await growthDuring(async () => {
      for (let count = 0; count < 60; count += 1) {
        const socket = requested(`GET ${pathOf(0)}`);
        await firstOf(socket.resume(), 'data', 'close');
        socket.pause();
      }
      expect((await put('f1', Buffer.alloc(10))).status).toBe(200);
    });
    // Of 960 MiB.
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
  });

  it('stays bounded while a viewer uploads files to a frozen page', { timeout: 240_000 }, async () => {
    const live = `${url.replace('http', 'ws')}/v1/sessions/${String(session['id'])}/live`;
    const viewer = await opened(live, { headers: { authorization: `Bearer ${key}` } });
    const refusals: string[] = [];
    viewer.on(
      'message',
      (data) => String(data).includes('has not processed earlier input') && refusals.push('not accepted'),
    );
    viewer.send(JSON.stringify({ type: 'show', tab: targetId }));
    viewer.send('{"type":"take-over"}');
    witness.socket.send(
      JSON.stringify({ id: 2, method: 'Runtime.evaluate', params: { expression: 'for (;;);' }, sessionId: page }),
    );
    const input = { type: 'mouse', event: 'mousePressed', button: 'left', buttons: 1, clickCount: 1, modifiers: 0 };
    viewer.send(JSON.stringify({ ...input, x: 5, y: 5 }));
    const files = [{ name: 'a', type: 'b', base64: 'A'.repeat(12 * MIB) }];
    const growth = await growthDuring(async () => {
      for (let count = 0; count < 30; count += 1) viewer.send(JSON.stringify({ type: 'files', files }));
      await expect.poll(() => viewer.bufferedAmount, LONG).toBe(0);
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
    await expect.poll(() => refusals.length, LONG).toBeGreaterThan(20);
  });

  it('releases the file descriptors of rejected half-open sockets', async () => {
    const descriptors = (): number => readdirSync(`/proc/${server.pid}/fd`).length;
    const before = descriptors();
    const { hostname, port } = new URL(url);
    const sockets = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
        onTestFinished(() => void socket.destroy());
        socket.on('error', () => undefined);
        socket.write(
          `GET /v1/sessions/${String(session['id'])}/cdp HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        );
        const [answer] = (await once(socket, 'data')) as [Buffer];
        return String(answer);
      }),
    );
    expect(new Set(sockets.map((answer) => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 401']));
    await expect.poll(descriptors).toBeLessThan(before + 10);
  });

  it.each([
    ['the head', 'GET /v1/sessions HTTP/1.1\r\nHost: a\r\n', 25_000],
    ['the body', 'POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{', 70_000],
  ])('closes a connection that sends only a part of %s', { timeout: 90_000 }, async (_what, beginning, most) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.resume();
    const begun = performance.now();
    socket.write(beginning);
    await once(socket, 'close');
    expect(performance.now() - begun).toBeLessThan(most);
  });
});
