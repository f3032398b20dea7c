import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { readGridStatus } from '../../src/browsers/grid/grid-answers.ts';
import { GridRouter } from '../../src/browsers/grid/grid-router.ts';
import { resolvePlatformOptions } from '../../src/options.ts';

const SESSION = 'a'.repeat(32);
const forever = new AbortController().signal;

/** A fake router, and the requests it received. */
async function fakeRouter(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<{
  readonly router: GridRouter;
  readonly asked: { line: string; type: string; user: string; body: string }[];
}> {
  const asked: { line: string; type: string; user: string; body: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'content-type': type = '', authorization: user = '' } = request.headers;
    asked.push({ line: `${request.method} ${request.url}`, type, user, body: await text(request) });
    answer(request, response);
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { router: new GridRouter(`http://me:pass%2Fword@127.0.0.1:${port}/grid`), asked };
}

function refusal(error: string, message: string): string {
  return JSON.stringify({ value: { error, message, stacktrace: 'org.openqa.selenium at host.internal' } });
}

it('sends requests with credentials, below the path of its URL', async () => {
  const { router, asked } = await fakeRouter((_request, response) =>
    response.end(
      JSON.stringify({ value: { sessionId: SESSION, capabilities: { chrome: { userDataDir: '/tmp/x' } } } }),
    ),
  );
  expect(await router.create({ browserName: 'chrome' }, forever)).toEqual({ id: SESSION, profile: '/tmp/x' });
  expect(asked).toEqual([
    {
      line: 'POST /grid/session',
      type: 'application/json; charset=utf-8',
      user: `Basic ${Buffer.from('me:pass/word').toString('base64')}`,
      body: '{"capabilities":{"alwaysMatch":{"browserName":"chrome"}}}',
    },
  ]);
  expect(router.socketOf(SESSION)).toMatch(/^ws:\/\/me:pass%2Fword@127\.0\.0\.1:\d+\/grid\/session\/a{32}\/se\/cdp$/);
  expect(new GridRouter('https://grid.example:4444').socketOf('x')).toBe('wss://grid.example:4444/session/x/se/cdp');
  expect(router.name).not.toContain('pass');
});

it.each<[string, string, object]>([
  ['New session request timed out', 'no_capacity', { status: 503, retryAfter: 5 }],
  ['Connection error (POST http://10.0.0.7:5555/se/grid/node/session)', 'no_capacity', { status: 503, retryAfter: 5 }],
  ['Response code 500. Message: session not created: Chrome failed to start', 'internal', { status: 500 }],
])('hides the error of the Grid from clients: %s', async (message, code, facts) => {
  const { router } = await fakeRouter((_request, response) => {
    response.writeHead(500).end(refusal('session not created', `${message} for ${SESSION}\nHost info: host.internal`));
  });
  const failure: unknown = await router.create({}, forever).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, ...facts, cause: `the grid responded with 500: ${message} for …` });
  expect(String(failure)).not.toContain(message);
});

it('rejects with `no_capacity` if the Grid is unreachable, or with the abort reason', async () => {
  const router = new GridRouter('http://127.0.0.1:9');
  await expect(router.create({}, forever)).rejects.toMatchObject({ code: 'no_capacity', retryAfter: 5 });
  await expect(router.create({}, AbortSignal.abort('gone'))).rejects.toBe('gone');
  expect(await router.stateOf(SESSION)).toBe('unknown');
});

it('repeats the removal of a session until the Grid responds with 404', async () => {
  const answers = [500, 200, 404];
  const { router, asked } = await fakeRouter((_request, response) =>
    response.writeHead(answers.shift() ?? 404).end('{}'),
  );
  expect(await router.remove(SESSION)).toBe(true);
  expect(asked.map(({ line }) => line)).toEqual(Array.from({ length: 3 }, () => `DELETE /grid/session/${SESSION}`));
});

it.each([
  [200, 'alive'],
  [404, 'gone'],
  [500, 'silent'],
])('maps the status %i to the session state `%s`', async (status, state) => {
  const { router } = await fakeRouter((_request, response) => response.writeHead(status).end('{}'));
  expect(await router.stateOf(SESSION)).toBe(state);
});

it.each([
  ['frozen', 'only the router responds', '/status'],
  ['unknown', 'neither router nor node responds', '/none'],
])('reports the session state `%s` when %s', async (state, _when, answered) => {
  const { router } = await fakeRouter(
    (request, response) => void (request.url?.endsWith(answered) && response.end('{}')),
  );
  // A slow answer of the router says that the machine is busy.
  await expect.poll(() => router.stateOf(SESSION), { timeout: 40_000 }).toBe(state);
});

it('counts capacity, free slots and sessions of available nodes', () => {
  const chrome = { browserName: 'Chrome' };
  const session = { sessionId: SESSION, capabilities: { 'se:name': 'ours' } };
  const nodes = [
    {
      availability: 'UP',
      maxSessions: 3,
      slots: [
        { session, stereotype: chrome },
        { session: null, stereotype: chrome },
      ],
    },
    // Its limit is below its slots, and another user has one browser.
    {
      availability: 'UP',
      maxSessions: 2,
      slots: [
        { session: { sessionId: 'b' }, stereotype: { browserName: 'firefox' } },
        { session: null, stereotype: chrome },
        { session: null, stereotype: chrome },
      ],
    },
    { availability: 'DOWN', maxSessions: 4, slots: [{ session: null, stereotype: chrome }] },
  ];
  expect(readGridStatus({ value: { ready: true, nodes } })).toMatchObject({
    capacity: 4,
    free: 2,
    sessions: [
      { id: SESSION, name: 'ours' },
      { id: 'b', name: '' },
    ],
  });
  expect(readGridStatus({ value: { ready: false } })).toMatchObject({ capacity: 0, free: 0, sessions: [] });
  expect(readGridStatus('<html>')).toMatchObject({ capacity: 0, free: 0, sessions: [] });
});

it.each([
  [{ grid: ['127.0.0.1:4444'] }, 'http://'],
  [{ grid: ['http://grid.internal:4444'] }, 'egressHost'],
])('rejects the options %j', (options, message) => {
  expect(() => resolvePlatformOptions({ database: ':memory:', ...options })).toThrow(message);
});
