import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EGRESS_PORTS, GridEgress, type GridEgressSettings } from '../../src/browsers/grid/grid-egress.ts';
import { readGridStatus } from '../../src/browsers/grid/grid-answers.ts';
import { NodeAddresses } from '../../src/browsers/grid/node-addresses.ts';
import { AddressRules, networkList } from '../../src/egress/address-rules.ts';
import { freePort } from '../support/local-service.ts';

const everybody = (): boolean => true;

let web: Server;
beforeAll(async () => {
  web = createServer((_request, response) => response.end('the web')).listen(0, '127.0.0.1');
  await once(web, 'listening');
});
afterAll(() => void web?.close());

function egressAt(settings: Partial<GridEgressSettings> = {}): GridEgress {
  const rules = new AddressRules(['127.0.0.1']);
  const egress = new GridEgress({ rules, host: '127.0.0.1', listen: undefined, port: 0, ...settings });
  onTestFinished(() => egress.close());
  return egress;
}

/** Fetches through a proxy from an address of this machine. Returns the body, or nothing. */
async function fetchedBy(server: string | undefined, localAddress = '127.0.0.1'): Promise<string> {
  const { hostname: host, port } = new URL(server ?? '');
  const socket = connect({ host, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  const site = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  socket.write(`GET http://${site}/ HTTP/1.1\r\nHost: ${site}\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  // A refused connection closes as well.
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  await closed;
  return text.includes('the web') ? 'the web' : text;
}

describe('egress route of a Grid session', () => {
  it('has its own port, and closes it with the route', async () => {
    const egress = egressAt();
    const one = await egress.route({ admits: everybody });
    const other = await egress.route({ admits: everybody });
    expect(one.server).not.toBe(other.server);
    expect(await fetchedBy(one.server)).toBe('the web');
    await one.close();
    expect(await fetchedBy(one.server)).toBe('');
    expect(await fetchedBy(other.server)).toBe('the web');
  });

  it('accepts connections only from an admitted address', async () => {
    const way = await egressAt({ host: '127.0.0.1' }).route({ admits: (address) => address === '127.0.0.2' });
    expect(await fetchedBy(way.server, '127.0.0.2')).toBe('the web');
    expect(await fetchedBy(way.server, '127.0.0.3')).toBe('');
  });

  it('listens on `listen`, or on `host` by default', async () => {
    const given = await egressAt({ host: 'platform.internal', listen: '127.0.0.5' }).route({ admits: everybody });
    const { port, hostname } = new URL(given.server ?? '');
    expect(hostname).toBe('platform.internal');
    expect(await fetchedBy(`http://127.0.0.5:${port}`)).toBe('the web');
    expect(await fetchedBy(`http://127.0.0.1:${port}`)).toBe('');
    const outer = Object.values(networkInterfaces())
      .flatMap((each = []) => each)
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (outer === undefined) return;
    const own = await egressAt({ host: outer }).route({ admits: everybody });
    expect(await fetchedBy(own.server, outer)).toBe('the web');
    expect(await fetchedBy(`http://127.0.0.1:${new URL(own.server ?? '').port}`)).toBe('');
  });

  it('uses a port of its range, and keeps it when another server adopts the session', async () => {
    const first = Math.min(await freePort(), 60_000);
    const egress = egressAt({ port: first });
    const { own, server, close } = await egress.route({ admits: everybody });
    const port = own?.port ?? 0;
    expect(port - first).toBeGreaterThanOrEqual(0);
    expect(port - first).toBeLessThan(EGRESS_PORTS);
    const next = egressAt({ port: first });
    // The old owner still holds the port, as a frozen server on the same machine does.
    const resumed = await next.resume({ port }, everybody);
    expect(resumed.server).toBe(server);
    await close();
    await vi.waitFor(async () => expect(await fetchedBy(server)).toBe('the web'));
    await expect(next.resume({ port }, everybody)).rejects.toThrow('Another session uses port');
    await resumed.close();
    expect(await fetchedBy(server)).toBe('');
  });
});

describe('NodeAddresses', () => {
  const slot = (name: string) => ({
    stereotype: { browserName: 'chrome' },
    session: { sessionId: 's'.repeat(16), capabilities: { 'se:name': name } },
  });
  const status = readGridStatus({
    value: {
      nodes: [
        { availability: 'UP', maxSessions: 1, uri: 'http://10.0.0.7:5555', slots: [slot('one')] },
        { availability: 'UP', maxSessions: 1, uri: 'http://[fd00::8]:5555', slots: [slot('other')] },
        { availability: 'UP', maxSessions: 1, uri: 'http://unknown.invalid:5555', slots: [] },
      ],
    },
  });

  it('accepts the node of the session, or any node while the session has none', async () => {
    const addresses = new NodeAddresses(undefined);
    await addresses.update(status);
    expect(['10.0.0.7', 'fd00::8', '10.0.0.9'].map((address) => addresses.has(address, 'one'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(['10.0.0.7', 'fd00::8', '10.0.0.9'].map((address) => addresses.has(address, 'new'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('accepts only addresses in the configured networks', async () => {
    const addresses = new NodeAddresses(networkList(['10.0.9.0/24']));
    await addresses.update(status);
    expect(addresses.has('10.0.9.1', 'one')).toBe(true);
    expect(addresses.has('10.0.8.1', 'one')).toBe(false);
  });
});
