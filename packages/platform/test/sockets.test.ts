import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { FrameParser } from '../src/gateway/frame-parser.ts';
import { type Platform, startPlatform } from '../src/platform.ts';
import { MessageRate } from '../src/view/message-rate.ts';
import { ViewerSocket } from '../src/view/viewer-socket.ts';
import { firstOf } from './support/first-of.ts';
import { simulatedBackend } from './support/simulated-backend.ts';
import { type SimulatedBrowsers, simulateBrowsers } from './support/simulated-browsers.ts';
import { ask } from './support/use-platform.ts';

/** A masked client frame. */
function frame(opcode: number, payload: string, isLast = true): Buffer {
  const bytes = Buffer.from(payload);
  const length =
    bytes.length < 126 ? Buffer.of(0x80 | bytes.length) : Buffer.of(0x80 | 126, bytes.length >> 8, bytes.length & 255);
  const mask = [1, 2, 3, 250];
  const masked = bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.of((isLast ? 0x80 : 0) | opcode), length, Buffer.of(...mask), masked]);
}

describe('FrameParser', () => {
  const [CONTINUED, TEXT, PING] = [0, 1, 9];
  const PIECE_COST = 256;

  it.each([1, 2, 7, 1000])('tracks an unfinished message that arrives in chunks of %i bytes', (step) => {
    const frames = new FrameParser();
    const read = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length; at += step) frames.read(bytes.subarray(at, at + step));
    };
    read(frame(TEXT, 'whole'));
    expect(frames.held).toBe(0);
    read(frame(TEXT, 'be', false));
    read(frame(PING, 'between'));
    read(frame(CONTINUED, 'ginning'.padEnd(300, '.'), false));
    expect(frames.held).toBe(2 + 300 + 2 * PIECE_COST);
    expect(frames.size).toBe(302);
    expect(frames.beginning).toMatch(/^beginning\.+$/);
    read(frame(CONTINUED, 'end'));
    expect([frames.held, frames.size]).toEqual([0, 0]);
    read(frame(TEXT, ''));
    read(frame(TEXT, 'announced').subarray(0, 8));
    expect([frames.size, frames.beginning]).toEqual([9, undefined]);
  });
});

describe('MessageRate', () => {
  it('pauses a socket that sends too much until its budget recovers', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const calls: string[] = [];
    const socket = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
    const pace = new MessageRate(socket as unknown as WebSocket);
    for (let count = 0; count < 60; count += 1) pace.spend(10);
    expect(calls).toEqual([]);
    pace.spend(300);
    // Another message of the same chunk extends the pause.
    pace.spend(300);
    vi.advanceTimersByTime(1990);
    expect(calls).toEqual(['pause', 'pause']);
    vi.advanceTimersByTime(20);
    expect(calls).toEqual(['pause', 'pause', 'resume']);
  });
});

describe('client socket', () => {
  let browsers: SimulatedBrowsers;
  let platform: Platform;
  let url = '';

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    browsers = await simulateBrowsers();
    const options = { database: ':memory:', port: 0, logLevel: 'silent' };
    platform = await startPlatform(options, simulatedBackend(browsers.origin, 'own', 9));
    const { body } = await ask(platform, { method: 'POST', path: '/v1/sessions', body: { keepAlive: true } });
    url = String(body['connectUrl']);
  });
  afterAll(async () => {
    await platform?.close();
    await browsers?.[Symbol.asyncDispose]();
    vi.useRealTimers();
  });

  async function opened(options: ClientOptions = {}, address: string = url): Promise<WebSocket> {
    const socket = new WebSocket(address, { perMessageDeflate: false, ...options });
    onTestFinished(() => socket.terminate());
    socket.on('error', () => undefined);
    await once(socket, 'open');
    return socket;
  }

  /** Runs one beat and waits for its pings to arrive. */
  async function beat(socket: WebSocket): Promise<void> {
    const come = firstOf(socket, 'ping', 'close');
    vi.advanceTimersByTime(15_000);
    await come;
    // The answer arrives before the next message.
    if (socket.readyState === WebSocket.OPEN) socket.send('{"id":1,"method":"Browser.getVersion"}');
    if (socket.readyState === WebSocket.OPEN) await firstOf(socket, 'message', 'close');
  }

  it('stays open while it answers pings, and closes otherwise', async () => {
    const answering = await opened();
    const silent = await opened({ autoPong: false });
    const ended = once(silent, 'close');
    for (let count = 0; count < 3; count += 1) await beat(answering);
    expect((await ended)[0]).toBe(1006);
    expect(answering.readyState).toBe(WebSocket.OPEN);
  });

  it('closes, like viewer sockets, if the browser stops responding', async () => {
    const { body } = await ask(platform, { method: 'POST', path: '/v1/sessions', body: { keepAlive: true } });
    const cut = await opened({}, String(body['connectUrl']));
    const viewer = await opened(
      { headers: { authorization: `Bearer ${platform.firstKey}` } },
      `${platform.url.replace('http', 'ws')}/v1/sessions/${String(body['id'])}/live`,
    );
    const other = await opened();
    const ends = Promise.all([cut, viewer].map((socket) => once(socket, 'close')));
    cut.send('{"id":1,"method":"Test.vanish"}');
    for (let count = 0; count < 3; count += 1) await beat(other);
    expect((await ends).map(([code]) => Number(code))).toEqual([4004, 1012]);
    expect(other.readyState).toBe(WebSocket.OPEN);
  });

  it('closes a viewer socket even if closing another one throws', async () => {
    const { body } = await ask(platform, { method: 'POST', path: '/v1/sessions', body: { keepAlive: true } });
    const cut = await opened({}, String(body['connectUrl']));
    const live = `${platform.url.replace('http', 'ws')}/v1/sessions/${String(body['id'])}/live`;
    const headers = { authorization: `Bearer ${platform.firstKey}` };
    await opened({ headers }, live);
    const ended = once(await opened({ headers }, live), 'close');
    const other = await opened();
    vi.spyOn(ViewerSocket.prototype, 'end').mockImplementationOnce(() => {
      throw new TypeError('a fault of the test');
    });
    onTestFinished(() => void vi.restoreAllMocks());
    cut.send('{"id":1,"method":"Test.vanish"}');
    for (let count = 0; count < 3; count += 1) await beat(other);
    expect((await ended)[0]).toBe(1012);
  });

  it('closes if a message is not complete in time, even if pings and parts arrive', async () => {
    const slow = await opened();
    const other = await opened();
    const ended = once(slow, 'close');
    slow.send('{"id":1,', { fin: false });
    for (let count = 0; count < 6; count += 1) {
      slow.ping();
      if (slow.readyState === WebSocket.OPEN) slow.send(' ', { fin: false });
      await beat(other);
    }
    expect([Number((await ended)[0]), String((await ended)[1])]).toEqual([1008, 'A message was not complete in time.']);
    expect(other.readyState).toBe(WebSocket.OPEN);
  });

  it('closes for a message above 16 MB, except uploads', async () => {
    const socket = await opened();
    const content = 'x'.repeat(17 * 1024 * 1024);
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.callFunctionOn', params: { content } }));
    // The simulated browser accepts less. The answer shows that the message was read.
    expect(String((await answered)[0])).toMatch(/^{"id":1,"error":.*A message can have/);
    const ended = once(socket, 'close');
    socket.send(JSON.stringify({ id: 2, method: 'Runtime.evaluate', params: { content } }));
    expect([Number((await ended)[0]), String((await ended)[1])]).toEqual([
      1009,
      'A message can have at most 16777216 bytes.',
    ]);
  });
});
