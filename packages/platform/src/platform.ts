import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { BrowserBackend } from './browsers/browser-backend.ts';
import { LocalBackend } from './browsers/local-backend.ts';
import { AddressRules } from './egress/address-rules.ts';
import { CdpGateway } from './gateway/cdp-gateway.ts';
import { ConnectTokens } from './gateway/connect-token.ts';
import { makeServer } from './http/server.ts';
import { SessionViews } from './http/session-view.ts';
import { KeyRing } from './keys/key-ring.ts';
import { PlatformMetrics } from './metrics.ts';
import { type PlatformOptions, type ResolvedPlatformOptions, resolvePlatformOptions } from './options.ts';
import { Reconciler } from './sessions/reconciler.ts';
import { SessionDesk } from './sessions/session-desk.ts';
import { Slots } from './sessions/slots.ts';
import { SqliteStore } from './store/sqlite-store.ts';
import type { Store } from './store/store.ts';

/** A platform that runs. */
export interface Platform extends AsyncDisposable {
  /** Where clients reach it. */
  readonly url: string;
  /** The port it listens at. */
  readonly port: number;
  /** The first key, told once: only when the store had none. */
  readonly firstKey: string | undefined;
  readonly keys: KeyRing;
  readonly desk: SessionDesk;
  readonly backend: BrowserBackend;
  readonly store: Store;
  /** Ends every session and stops. */
  close(): Promise<void>;
}

/** Milliseconds between two questions whether a browser still answers. */
const BEAT_MS = 10_000;

/** Starts a platform on this machine. */
export async function startPlatform(given: PlatformOptions): Promise<Platform> {
  const options = resolvePlatformOptions(given);
  const rules = new AddressRules(options.allowNetworks);
  // Standard output is for whoever started it.
  const log = pino({ level: options.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
  const store = new SqliteStore(options.database);
  const keys = new KeyRing(store);
  const backend = new LocalBackend({
    capacity: options.capacity,
    executablePath: options.browser,
    rules,
  });
  const slots = slotsOf(options);
  const owner = randomUUID();
  const desk = new SessionDesk({ store, backend, slots, log, settings: deskSettings(options, owner) });
  const tokens = new ConnectTokens(await store.secret('connect-tokens', newSecret));
  const gateway = new CdpGateway({ desk, tokens, keys, log, linkGrace: options.grace });
  let url = '';
  const views = new SessionViews({ tokens, tokenTimeout: options.tokenTimeout, publicUrl: () => url });
  const metrics = new PlatformMetrics({ desk, gateway, slots });
  const server = await makeServer({ desk, keys, store, views, gateway, metrics, log });
  const reconciler = new Reconciler({ store, backend, desk, log, owner });
  const close = async (): Promise<void> => {
    reconciler[Symbol.dispose]();
    await desk.close();
    gateway.close();
    await server.close();
    await backend.close();
    await store.close();
  };
  try {
    await server.listen({ host: options.host, port: options.port });
  } catch (error) {
    await close();
    throw error;
  }
  const address = server.server.address() as AddressInfo;
  url = options.publicUrl?.replace(/\/$/, '') ?? addressOf(address);
  // Not before: another server at this port may have this store.
  await reconciler.takeOverRows();
  const firstKey = await keys.createFirst();
  log.info({ url, capacity: options.capacity }, 'platform started');
  return { url, port: address.port, firstKey, keys, desk, backend, store, close, [Symbol.asyncDispose]: close };
}

function slotsOf({ capacity, sessionsPerProject, queuePerProject, queueTimeout }: ResolvedPlatformOptions): Slots {
  return new Slots({ capacity, perProject: sessionsPerProject, queuePerProject, queueTimeout });
}

function deskSettings(
  options: ResolvedPlatformOptions,
  owner: string,
): ConstructorParameters<typeof SessionDesk>[0]['settings'] {
  const { region, sessionTimeout, idleTimeout, grace, firstClientTimeout } = options;
  const times = { grace, firstClient: firstClientTimeout, beat: BEAT_MS };
  return { owner, region, timeout: sessionTimeout, idleTimeout, times };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function addressOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host === address ? `[${host}]` : host}:${port}`;
}
