import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { GridBackend } from '../../src/browsers/grid/grid-backend.ts';
import { AddressRules } from '../../src/egress/address-rules.ts';
import { silentLog } from '../support/silent-log.ts';

/** A Grid with one node that reports this many free slots. */
interface FakeGrid {
  free: number;
  readonly url: string;
}

async function fakeGrid(): Promise<FakeGrid> {
  const grid = { free: 0, url: '' };
  const slot = { session: null, stereotype: { browserName: 'chrome' } };
  const server = createServer((_request, response) => {
    const slots = Array.from({ length: grid.free }, () => slot);
    response.end(JSON.stringify({ value: { nodes: [{ availability: 'UP', maxSessions: 9, slots }] } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  grid.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return grid;
}

async function backendOf({ url }: FakeGrid): Promise<GridBackend> {
  const backend = new GridBackend({
    addresses: [url],
    capacity: 9,
    platformId: 'test',
    egress: { rules: new AddressRules([]), host: undefined, listen: undefined, port: 0 },
    nodeNetworks: undefined,
    queueTimeout: 20_000,
    executablePath: undefined,
    log: silentLog,
  });
  onTestFinished(() => backend.close());
  await backend.open();
  return backend;
}

it('admits requests in order and skips aborted ones', async () => {
  const grid = await fakeGrid();
  const backend = await backendOf(grid);
  const never = new AbortController().signal;
  const order: string[] = [];
  const admit = async (name: string, signal = never): Promise<void> => {
    await backend.admit(signal);
    order.push(name);
  };
  const gone = new AbortController();
  const [left, first] = [admit('gone', gone.signal), admit('first')];
  await new Promise(setImmediate);
  gone.abort(new TypeError('gone'));
  await expect(left).rejects.toThrow('gone');
  grid.free = 1;
  // A new slot becomes free, which earlier requests have not seen.
  await Promise.all([admit('late'), first]);
  expect(order).toEqual(['first', 'late']);
});
