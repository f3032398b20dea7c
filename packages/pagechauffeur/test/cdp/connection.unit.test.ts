import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from '../../src/cdp/connection.ts';
import { HiddenPage } from '../../src/cdp/hidden-page.ts';
import { ProtocolError } from '../../src/cdp/protocol-error.ts';
import type { Session } from '../../src/cdp/session.ts';
import { DriverClosedError } from '../../src/index.ts';

interface Command {
  readonly id: number;
  readonly method: string;
  readonly params?: unknown;
  readonly sessionId?: string;
}

let server: WebSocketServer;
let browser: WebSocket;
let connection: Connection;
let received: Command[];

/** Sends one message, or several in one packet, as a browser under load does. */
function tell(...messages: object[]): void {
  for (const message of messages) browser.send(JSON.stringify(message));
}

async function receivedCount(count: number): Promise<void> {
  await expect.poll(() => received.length).toBe(count);
}

/** Lets the connection know of a target, as the browser does when it attaches. */
async function attached(sessionId: string, parent?: string): Promise<Session> {
  const seen = Promise.withResolvers<void>();
  const stop = (connection.session(parent ?? '') ?? connection.browser).on('Target.attachedToTarget', () =>
    seen.resolve(),
  );
  tell({
    method: 'Target.attachedToTarget',
    params: {
      sessionId,
      targetInfo: {
        targetId: sessionId,
        type: parent === undefined ? 'page' : 'iframe',
        url: `https://site.example/${sessionId}?token=1`,
      },
    },
    ...(parent === undefined ? {} : { sessionId: parent }),
  });
  await seen.promise;
  stop();
  const session = connection.session(sessionId);
  if (!session) throw new TypeError(`the session ${sessionId} is not known`);
  return session;
}

async function hiddenPage(sessionId: string): Promise<HiddenPage> {
  const opened = HiddenPage.open(connection);
  await receivedCount(1);
  tell({ id: received[0]?.id, result: { targetId: sessionId } });
  await receivedCount(2);
  await attached(sessionId);
  tell({ id: received[1]?.id, result: { sessionId } });
  return opened;
}

beforeEach(async () => {
  received = [];
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const connected = once(server, 'connection');
  connection = await Connection.open(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  [browser] = (await connected) as [WebSocket];
  browser.on('message', (data) => received.push(JSON.parse(String(data)) as Command));
});

afterEach(async () => {
  connection.close();
  server.close();
  await once(server, 'close');
});

describe('connection', () => {
  it('sends commands without waiting and accepts answers in any order', async () => {
    const page = await attached('P');
    const answers = Promise.all([
      connection.browser.send('Browser.getVersion'),
      page.send('Page.enable'),
      page.send('Runtime.evaluate', { expression: '1' }),
    ]);
    await receivedCount(3);
    expect(received.map(({ method, sessionId }) => [method, sessionId])).toEqual([
      ['Browser.getVersion', undefined],
      ['Page.enable', 'P'],
      ['Runtime.evaluate', 'P'],
    ]);
    const ids = received.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    tell({ id: ids[2], sessionId: 'P', result: { result: { type: 'number', value: 1 } } });
    tell({ id: ids[0], result: { product: 'Chrome/1' } }, { id: ids[1], sessionId: 'P', result: {} });
    expect(await answers).toMatchObject([{ product: 'Chrome/1' }, {}, { result: { value: 1 } }]);
  });

  it('reports a rejected command with the message of the browser', async () => {
    const refused = connection.browser.send('Browser.close');
    await receivedCount(1);
    tell({ id: received[0]?.id, error: { code: -32_000, message: 'Not allowed' } });
    await expect(refused).rejects.toThrow(ProtocolError);
    await expect(refused).rejects.toMatchObject({
      method: 'Browser.close',
      reason: 'Not allowed',
      message: 'The browser rejected Browser.close: Not allowed',
    });
  });

  it('delivers events only to their session', async () => {
    const [one, two] = [await attached('one'), await attached('two')];
    const seen: string[] = [];
    one.on('Page.loadEventFired', ({ timestamp }) => seen.push(`one ${timestamp}`));
    const stop = two.on('Page.loadEventFired', ({ timestamp }) => seen.push(`two ${timestamp}`));
    tell(
      { method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'one' },
      { method: 'Page.loadEventFired', params: { timestamp: 2 }, sessionId: 'two' },
    );
    tell({ method: 'Page.loadEventFired', params: { timestamp: 3 }, sessionId: 'nobody' });
    await expect.poll(() => seen).toEqual(['one 1', 'two 2']);
    stop();
    tell(
      { method: 'Page.loadEventFired', params: { timestamp: 4 }, sessionId: 'two' },
      { method: 'Page.loadEventFired', params: { timestamp: 5 }, sessionId: 'one' },
    );
    await expect.poll(() => seen).toEqual(['one 1', 'two 2', 'one 5']);
  });

  it('handles an ordered result before later events of the same packet', async () => {
    const page = await attached('P');
    const order: string[] = [];
    page.on('Page.loadEventFired', () => order.push('event'));
    const asked = page.sendInOrder('Page.getFrameTree', () => order.push('answer'));
    await receivedCount(1);
    tell(
      { id: received[0]?.id, sessionId: 'P', result: {} },
      { method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'P' },
    );
    await asked;
    await expect.poll(() => order).toEqual(['answer', 'event']);
  });

  it('`sendOnce()` sends a command once and returns the same promise to later calls', async () => {
    const [first, second] = [
      connection.browser.sendOnce('Browser.getVersion'),
      connection.browser.sendOnce('Browser.getVersion'),
    ];
    expect(second).toBe(first);
    await receivedCount(1);
    tell({ id: received[0]?.id, result: {} });
    await first;
  });
});

describe('closed target or connection', () => {
  it('a closed target rejects only its own commands and those of child targets', async () => {
    const page = await attached('page');
    const frame = await attached('frame', 'page');
    const other = await attached('other');
    const closed: string[] = [];
    for (const session of [page, frame]) session.on('closed', (reason) => closed.push(`${session.id}: ${reason}`));
    const gone = [page.send('Page.enable'), frame.send('Page.enable')];
    const lives = other.send('Page.enable');
    await receivedCount(3);
    tell({ method: 'Target.detachedFromTarget', params: { sessionId: 'page' } });
    for (const command of gone)
      await expect(command).rejects.toThrow(
        'The page was closed (https://site.example/page). Page.enable received no response.',
      );
    const late = page.send('Page.disable');
    await expect(late).rejects.toThrow(DriverClosedError);
    await expect(late).rejects.toThrow('The page was closed (https://site.example/page). Page.disable was not sent.');
    expect(closed).toEqual([
      'frame: The page was closed (https://site.example/page)',
      'page: The page was closed (https://site.example/page)',
    ]);
    expect([connection.session('page'), connection.session('frame')]).toEqual([undefined, undefined]);
    tell({ id: received[2]?.id, sessionId: 'other', result: {} });
    await lives;
    expect(received).toHaveLength(3);
  });

  it('a lost frame leaves its page usable, and its error names the frame', async () => {
    const page = await attached('page');
    const frame = await attached('frame', 'page');
    const pending = frame.send('Page.enable');
    tell({ method: 'Target.detachedFromTarget', params: { sessionId: 'frame' }, sessionId: 'page' });
    await expect(pending).rejects.toThrow(
      'The frame was removed or moved to another process (https://site.example/frame). Page.enable received no response.',
    );
    expect([frame.isLostFrame, page.isLostFrame, page.isClosed]).toEqual([true, false, false]);
  });

  it.each([
    [
      'closed by the browser',
      () => browser.close(),
      /The connection to the browser was lost \(the socket closed with code 1005\)/,
    ],
    ['cut', () => browser.terminate(), /The connection to the browser was lost \(the socket closed with code 1006\)/],
    ['closed by the driver', () => connection.close(), /The connection to the browser was closed/],
  ])('a socket that is %s rejects all commands in flight', async (_title, end, sentence) => {
    const page = await attached('P');
    const commands = [
      connection.browser.send('Browser.getVersion'),
      page.send('Page.enable'),
      page.send('Page.reload'),
    ];
    await receivedCount(3);
    end();
    for (const command of commands) {
      await expect(command).rejects.toThrow(DriverClosedError);
      await expect(command).rejects.toThrow(sentence);
    }
    await expect(connection.browser.send('Browser.getVersion')).rejects.toThrow(DriverClosedError);
    expect(page.events.size).toBe(0);
  });

  it.each([
    [
      'page',
      () => tell({ method: 'Target.detachedFromTarget', params: { sessionId: 'hidden' } }),
      'The page was closed',
    ],
    ['browser', () => browser.close(), 'The connection to the browser was lost'],
  ])('a %s that closes before an internal document is loaded ends the wait for it', async (_title, end, reason) => {
    const page = await hiddenPage('hidden');
    const visit = page.visit('https://site.example');
    await receivedCount(3);
    tell({ id: received[2]?.id, sessionId: 'hidden', result: { frameId: 'F', loaderId: 'L' } });
    end();
    await expect(visit).rejects.toThrow(DriverClosedError);
    await expect(visit).rejects.toThrow(`Cannot open an internal document of https://site.example: ${reason}`);
  });

  it('a failed connection names the URL', async () => {
    await expect(Connection.open('ws://127.0.0.1:9/')).rejects.toThrow(
      /Cannot connect to DevTools at ws:\/\/127\.0\.0\.1:9\/: .*ECONNREFUSED.*Check that a browser is listening there/,
    );
  });
});

describe('session that holds commands', () => {
  it('sends them in order once the preparation settles, successful or not', async () => {
    const session = await attached('page');
    const first = session.send('Page.enable');
    session.holdUntil(first);
    void session.send('Page.navigate', { url: 'about:blank' });
    void session.send('Page.reload');
    await receivedCount(1);
    tell({ id: received[0]?.id, error: { message: 'not now' }, sessionId: 'page' });
    await receivedCount(3);
    expect(received.map(({ method }) => method)).toEqual(['Page.enable', 'Page.navigate', 'Page.reload']);
    await expect(first).rejects.toBeInstanceOf(ProtocolError);
  });

  it('rejects them if its target closes first', async () => {
    const session = await attached('page');
    session.holdUntil(Promise.withResolvers().promise);
    const held = session.send('Page.reload');
    session.markClosed('The page was closed');
    await expect(held).rejects.toThrow('The page was closed (https://site.example/page). Page.reload was not sent.');
    expect(received).toEqual([]);
  });
});
