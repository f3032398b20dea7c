import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { BrowserBackend } from './browsers/browser-backend.ts';
import { openBackend } from './browsers/open-backend.ts';
import { CdpGateway } from './gateway/cdp-gateway.ts';
import { ConnectTokens } from './gateway/connect-token.ts';
import { SocketMonitor } from './gateway/socket-monitor.ts';
import { MetricsAccess } from './http/metrics-access.ts';
import { makeServer } from './http/server.ts';
import { SessionViews } from './http/session-view.ts';
import { KeyConnections } from './keys/key-connections.ts';
import { KeyRing } from './keys/key-ring.ts';
import { RequestRates } from './keys/request-rates.ts';
import { PlatformMetrics } from './metrics.ts';
import { type PlatformOptions, type ResolvedPlatformOptions, resolvePlatformOptions } from './options.ts';
import type { PlatformLog } from './platform-log.ts';
import { OwnerFinder } from './servers/owner-finder.ts';
import { PeerStates } from './servers/peer-states.ts';
import { PeerTokens } from './servers/peer-tokens.ts';
import { Peers } from './servers/peers.ts';
import { CapacityLookup } from './servers/capacity-lookup.ts';
import { ServerLease } from './servers/server-lease.ts';
import { MemorySlots } from './sessions/memory-slots.ts';
import { Reconciler } from './sessions/reconciler.ts';
import { RedisSlots } from './sessions/redis-slots.ts';
import { SessionManager } from './sessions/session-manager.ts';
import type { Slots } from './sessions/slots.ts';
import { openServerStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { openDashboard } from './view/dashboard.ts';

const NO_SHARED_QUEUE =
  'no Redis configured: each server with this database has its own queue and quota counts; start all servers with --redis to share them';

/** A running server of the platform. Disposing it calls `close`. */
export interface Platform extends AsyncDisposable {
  /** Public URL of the server: `publicUrl`, or the listening address. */
  readonly url: string;
  /** TCP port on which the server listens. */
  readonly port: number;
  /** API key that was created because the store had none. Shown once. Undefined if the store had keys. */
  readonly firstKey: string | undefined;
  readonly keys: KeyRing;
  readonly sessionManager: SessionManager;
  readonly backend: BrowserBackend;
  readonly store: Store;
  /** Stops the server. Ends its sessions, except those that another server can adopt. */
  close(): Promise<void>;
}

/**
 * Starts a server of the platform.
 *
 * @throws PlatformError if an option is invalid, or browsers cannot be isolated from the store.
 *
 * @example
 * await using platform = await startPlatform({ database: ':memory:', port: 0 });
 */
export async function startPlatform(given: PlatformOptions, others?: BrowserBackend): Promise<Platform> {
  const options = resolvePlatformOptions(given);
  // Writes to standard error: standard output is for the startup message.
  const log = pino({ level: options.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
  const store = await openServerStore(options.database, options.secretKey, log);
  const { backend, slots } = await openBrowsers(options, others, { store, log });
  const keys = new KeyRing(store);
  const rates = new RequestRates(options.requestRate);
  const lease = new ServerLease({ store, log, timeout: options.leaseTimeout, onLoss: () => sessionManager.drop() });
  const settings = sessionManagerSettings(options);
  const sessionManager = new SessionManager({ store, backend, slots, log, lease, settings });
  const reconciler = new Reconciler({ store, backend, sessionManager, log, lease });
  const peers = await openPeers({ store, sessionManager, lease, reconciler, backend, slots, log });
  const tokens = new ConnectTokens(await store.secret('connect-tokens', newSecret));
  const keyConnections = new KeyConnections(keys, log);
  const sockets = new SocketMonitor(log);
  const shared = { sessionManager, keys, rates, log };
  const gateway = new CdpGateway({ ...shared, tokens, keyConnections, sockets, linkGrace: options.grace });
  let url = '';
  const publicUrl = (): string => url;
  const secret = await store.secret('view-tokens', newSecret);
  const dashboard = openDashboard({ ...shared, secret, keyConnections, sockets, publicUrl });
  const { tokenTimeout } = options;
  const views = new SessionViews({ tokens, viewTokens: dashboard.tokens, tokenTimeout, publicUrl });
  const viewers = (): number => dashboard.gateway.viewers;
  const metrics = new PlatformMetrics({ sessionManager, backend, gateway, slots, peers, lease, store, viewers });
  const metricsAccess = new MetricsAccess({ ...options, token: options.metricsToken, publicUrl: options.publicUrl });
  const served = { store, views, gateway, metrics, metricsAccess, peers, lease, dashboard };
  const server = await makeServer({ ...shared, ...served });
  const end = async (): Promise<void> => {
    reconciler[Symbol.dispose]();
    await slots.withdraw();
    await sessionManager.close();
    // Must come before the clients reconnect, so that other servers can adopt the sessions.
    await lease.end();
    keyConnections.close();
    sockets.close();
    gateway.close();
    dashboard.gateway.close();
    peers.close();
    await server.close();
    await backend.close();
    await slots.close();
    await store.close();
  };
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= end());
  try {
    const own = addressOf(await listen(server, options));
    url = options.publicUrl?.replace(/\/$/, '') ?? own;
    // Not before `listen`: another server on this port may still use the store.
    await lease.begin(options.internalUrl ?? own);
    slots.offer(options.internalUrl ?? own);
    await reconciler.takeOver();
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.server.address() as AddressInfo;
  const firstKey = await keys.createFirst();
  log.info({ url, capacity: backend.capacity }, 'platform started');
  return { url, port, firstKey, keys, sessionManager, backend, store, close, [Symbol.asyncDispose]: close };
}

async function listen(server: FastifyInstance, { host, port }: ResolvedPlatformOptions): Promise<AddressInfo> {
  await server.listen({ host, port });
  return server.server.address() as AddressInfo;
}

interface PeerParts {
  readonly store: Store;
  readonly sessionManager: SessionManager;
  readonly lease: ServerLease;
  readonly reconciler: Reconciler;
  readonly backend: BrowserBackend;
  readonly slots: Slots;
  readonly log: PlatformLog;
}

async function openPeers({ store, sessionManager, lease, reconciler, backend, slots, log }: PeerParts): Promise<Peers> {
  const tokens = new PeerTokens(await store.secret('peers', newSecret));
  const states = new PeerStates({ store, lease, log });
  return new Peers({
    states,
    finder: new OwnerFinder({ store, sessionManager, lease, takeOver: () => reconciler.takeOver() }),
    room: new CapacityLookup({ store, lease, tokens, states, free: () => freeSlots(backend, slots) }),
    tokens,
    log,
  });
}

/** Sessions that this server could start now. Undefined if a Grid or Redis counts slots for all servers. */
function freeSlots(backend: BrowserBackend, slots: Slots): number | undefined {
  return backend.adopt || slots.isShared ? undefined : backend.capacity - slots.counts.taken - slots.counts.waiting;
}

/** Opens the backend and the slots. Closes the backend and the store on failure. */
async function openBrowsers(
  options: ResolvedPlatformOptions,
  others: BrowserBackend | undefined,
  { store, log }: { readonly store: Store; readonly log: PlatformLog },
): Promise<{ readonly backend: BrowserBackend; readonly slots: Slots }> {
  let backend = others;
  try {
    backend ??= await openBackend(options, store, log);
    if (options.redis === undefined && store.isShared) log.warn({}, NO_SHARED_QUEUE);
    return { backend, slots: await openSlots(options, backend, log) };
  } catch (error) {
    await backend?.close();
    await store.close();
    throw error;
  }
}

async function openSlots(
  { redis, sessionsPerProject, queuePerProject, queueTimeout }: ResolvedPlatformOptions,
  backend: BrowserBackend,
  log: PlatformLog,
): Promise<Slots> {
  const limits = {
    get capacity() {
      return backend.capacity;
    },
    perProject: sessionsPerProject,
    queuePerProject,
    queueTimeout,
  };
  if (redis === undefined) return new MemorySlots(limits);
  return RedisSlots.open({ url: redis, limits, log, ...(backend.adopt ? { pool: 'shared' } : {}) });
}

function sessionManagerSettings(
  options: ResolvedPlatformOptions,
): ConstructorParameters<typeof SessionManager>[0]['settings'] {
  const { region, sessionTimeout, idleTimeout, downloadQuota, grace, firstClientTimeout, heartbeat } = options;
  const times = { grace, firstClient: firstClientTimeout, beat: heartbeat };
  return { region, timeout: sessionTimeout, idleTimeout, downloadQuota, times };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function addressOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host === address ? `[${host}]` : host}:${port}`;
}
