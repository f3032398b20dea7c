import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startPlatform } from '../../src/platform.ts';
import { ask } from '../support/use-platform.ts';

/** Answer of Grid 4.48 if the chosen node has died. */
const LOST_NODE = {
  value: {
    error: 'session not created',
    message:
      'Could not start a new session. Connection error (POST http://127.0.0.1:5555/se/grid/node/session) \nHost info: host: host.internal',
  },
};
const SLOT = { session: null, stereotype: { browserName: 'chrome' } };
const STATUS = { value: { ready: true, nodes: [{ availability: 'UP', maxSessions: 4, slots: [SLOT, SLOT, SLOT] }] } };
const BROKEN_DRIVER = {
  value: {
    error: 'session not created',
    message: 'Could not start a new session. Response code 500. Message: session not created: Chrome failed to start',
  },
};

/** A Grid with free slots that refuses every session. Counts its requests. */
async function refusingGrid(refusal: object): Promise<{ readonly url: string; readonly tries: () => number }> {
  let tries = 0;
  const answer = (response: ServerResponse, status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return answer(response, 200, STATUS);
    tries += 1;
    answer(response, 500, refusal);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tries: () => tries };
}

it.each([
  [
    'retries if a node is unreachable, then responds with 503 and `Retry-After`',
    LOST_NODE,
    503,
    'no_capacity',
    '5',
    [],
    503,
  ],
  [
    'responds with 500 and does not retry if a node cannot start the browser',
    BROKEN_DRIVER,
    500,
    'internal',
    null,
    ['ERROR'],
    200,
  ],
])('%s', async (_title, refusal, status, code, retryAfter, rows, again) => {
  const grid = await refusingGrid(refusal);
  const options = { database: ':memory:', port: 0, logLevel: 'silent', grid: [grid.url], egressPort: 0 };
  await using platform = await startPlatform({ ...options, queueTimeout: 1500 });
  const create = { method: 'POST', path: '/v1/sessions', body: {}, headers: { 'idempotency-key': 'one' } };
  const answer = await ask(platform, create);
  expect([answer.status, answer.code, answer.headers.get('retry-after')]).toEqual([status, code, retryAfter]);
  const isTriedAgain = grid.tries() > 1;
  expect(isTriedAgain).toBe(status === 503);
  const { body } = await ask(platform, { method: 'GET', path: '/v1/sessions' });
  expect((body['sessions'] as { status: string }[]).map((row) => row.status)).toEqual(rows);
  expect((await ask(platform, { method: 'GET', path: '/metrics' })).body['text']).toContain(
    `chauffeur_sessions_failed_total ${rows.length}`,
  );
  // A request with the same key is new if the first one found no browser.
  expect((await ask(platform, create)).status).toBe(again);
});
