import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Platform } from '../../src/platform.ts';

/** A fake server with a lease and a session in the store, which answers anything. */
export interface ForeignServer {
  /** The session it owns. */
  readonly sessionId: string;
  /** WebSocket requests for this URL are forwarded to the fake server. */
  readonly socketUrl: string;
  /** Number of answered connections. */
  readonly answered: number;
  close(): Promise<void>;
}

const LEASE_MS = 3_600_000;

/** Starts a server that answers each connection with a text, and stores a session for it. */
export async function startForeignServer(platform: Platform, next: () => string): Promise<ForeignServer> {
  let answered = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      answered += 1;
      socket.end(next(), 'latin1');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const owner = await platform.store.addLease(`http://127.0.0.1:${port}`, LEASE_MS);
  const sessionId = randomUUID();
  const key = await platform.keys.authenticate(platform.firstKey);
  await platform.store.addSession({
    id: sessionId,
    project: key.project,
    keyId: key.id,
    status: 'RUNNING',
    keepAlive: true,
    region: 'local',
    metadata: {},
    createdAt: Date.now(),
    expiresAt: Date.now() + LEASE_MS,
    endedAt: undefined,
    endReason: undefined,
    owner,
    browser: undefined,
    node: undefined,
    seat: undefined,
    idleTimeout: undefined,
    idempotencyKey: undefined,
    requestDigest: '',
  });
  return {
    sessionId,
    socketUrl: `${platform.url.replace('http', 'ws')}/v1/sessions/${sessionId}/cdp`,
    get answered() {
      return answered;
    },
    close: async () => {
      server.close();
      await platform.store.endLease(owner);
    },
  };
}
