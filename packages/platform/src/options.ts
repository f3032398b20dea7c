import { availableParallelism, totalmem } from 'node:os';
import { GridRouter } from './browsers/grid/grid-router.ts';
import { checkPlatformOptions } from './check-options.ts';
import { PlatformError } from './errors.ts';

/** Options of the platform. Times are in milliseconds. */
export interface PlatformOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string;
  /** Port to listen on, 0 for any. Default: 4600. */
  port?: number;
  /** Public URL of this server, if it differs from the listening address: `https://browsers.example.com`. */
  publicUrl?: string;
  /** File of the embedded store, `:memory:` for none, or `postgres://…` for a database shared by several servers. */
  database: string;
  /**
   * Encrypts secrets in the store with AES-256-GCM. At least 32 characters, the same for all servers that share the
   * store, kept elsewhere.
   * Existing plaintext secrets are encrypted at start. Default: secrets are stored in plaintext.
   */
  secretKey?: string;
  /**
   * Required as `Authorization: Bearer …` to read `/metrics`. At least 32 characters. Default: `/metrics` is open, and
   * contains names of projects only for requests to a loopback address of a server without a public URL.
   */
  metricsToken?: string;
  /** `redis://…`, where servers that share a database count sessions. Default: each server counts its own. */
  redis?: string;
  /** URL of this server for other servers that share the database. Default: the listening address. */
  internalUrl?: string;
  /** Selenium Grids that provide browsers, by router URL: `http://[user:password@]host:4444`. Default: none. */
  grid?: readonly string[];
  /**
   * Host name or address of this server for the Grid nodes, whose browsers reach the network through it.
   * `none` if the nodes' network isolates browsers itself. Not needed for Grids on this machine.
   */
  egressHost?: string;
  /**
   * Address to listen on for the nodes' browsers. Default: `egressHost` if it is an address of this machine, otherwise
   * all.
   * A network for the nodes only is best.
   */
  egressListen?: string;
  /** First of 1000 ports. Each session has one while it runs. 0 for any. Default: 4601. */
  egressPort?: number;
  /**
   * Source networks of nodes that do not connect from the address they report to the Grid, such as `['10.0.9.1/32']`
   * for a router
   * in between. Default: none, so only its node's address can use a session's port.
   */
  egressFrom?: readonly string[];
  /** Path of Chromium or Chrome. With Grids, provides their DevTools. Default: the one found on this machine. */
  browser?: string;
  /** Maximum number of sessions. Default: based on processors and memory, or the Grids' capacity. */
  capacity?: number;
  /** Number of warm browsers on this machine. Default: 1. */
  warm?: number;
  /** Maximum number of sessions per project. Default: all. */
  sessionsPerProject?: number;
  /** Requests per second and project on this server, over all its keys. Bursts of ten times as many. Default: 1000. */
  requestRate?: number;
  /** Maximum number of queued session requests per project. Default: 20. */
  queuePerProject?: number;
  /** How long they may wait. Default: 30 s. */
  queueTimeout?: number;
  /** Session lifetime if its creator sets none. Default: 1 hour. */
  sessionTimeout?: number;
  /** How long the clients of a session may be idle, unless it is kept alive. Default: 30 minutes. */
  idleTimeout?: number;
  /** Maximum size of all downloads of a session in bytes. Default: 2 GiB. A download beyond it is cancelled. */
  downloadQuota?: number;
  /** Time that a session waits after its last client has left, unless it is kept alive, and that a link waits for a new socket. Default: 10 s. */
  grace?: number;
  /** How long a session waits for its first client, unless it is kept alive. Default: 5 minutes. */
  firstClientTimeout?: number;
  /** Validity of the token in a connect URL. Default: 1 hour. */
  tokenTimeout?: number;
  /**
   * Interval of pings to each browser. Default: 5 s. The platform gives up a Grid node after this time if it is unreachable, after twice
   * this time if it is reachable and does not answer, and a Grid after six times this time if it is unreachable.
   */
  heartbeat?: number;
  /**
   * Time after a server's last sign of life until another one takes over its sessions, if they share a database. Default:
   * 10 s.
   */
  leaseTimeout?: number;
  /** Internal networks that browsers may reach, such as `10.1.0.0/16`. */
  allowNetworks?: readonly string[];
  /**
   * Allows browsers as the server's own user without a sandbox, for tests: a page that escapes from its process can
   * read the store.
   * By default, a server that runs as root runs browsers as a separate user, others rely on Chromium's sandbox,
   * and a server that can do neither does not start. Default: false.
   */
  allowNoSandbox?: boolean;
  /** Name of the only region that this server serves. Default: `local`. */
  region?: string;
  /** `silent`, `info` and so on. Default: `info`. */
  logLevel?: string;
}

/** The options with all defaults filled in. */
export type ResolvedPlatformOptions = Required<Omit<PlatformOptions, OptionalNames>> &
  Pick<PlatformOptions, OptionalNames>;

type OptionalNames =
  | 'browser'
  | 'publicUrl'
  | 'redis'
  | 'secretKey'
  | 'metricsToken'
  | 'internalUrl'
  | 'egressListen'
  | 'egressFrom';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Approximate memory of a browser with one busy page. */
const BROWSER_BYTES = 512 * 1024 * 1024;
const BROWSERS_PER_PROCESSOR = 4;
const DOWNLOAD_QUOTA_BYTES = 2 * 1024 ** 3;

/** Checks the options and fills in all defaults. The only place that defines them. */
export function resolvePlatformOptions(options: PlatformOptions): ResolvedPlatformOptions {
  const { grid = [] } = options;
  const capacity = options.capacity ?? (grid.length > 0 ? Number.MAX_SAFE_INTEGER : machineCapacity());
  const resolved = {
    host: '127.0.0.1',
    port: 4600,
    // A single server knows the total. With several, each knows only its own.
    sessionsPerProject: options.redis === undefined ? capacity : Number.MAX_SAFE_INTEGER,
    warm: 1,
    requestRate: 1000,
    queuePerProject: 20,
    queueTimeout: 30 * SECOND_MS,
    sessionTimeout: 60 * MINUTE_MS,
    idleTimeout: 30 * MINUTE_MS,
    downloadQuota: DOWNLOAD_QUOTA_BYTES,
    grace: 10 * SECOND_MS,
    firstClientTimeout: 5 * MINUTE_MS,
    tokenTimeout: 60 * MINUTE_MS,
    heartbeat: 5 * SECOND_MS,
    leaseTimeout: 10 * SECOND_MS,
    allowNetworks: [],
    allowNoSandbox: false,
    egressHost: options.egressHost ?? defaultEgressHost(grid),
    egressPort: 4601,
    region: 'local',
    logLevel: 'info',
    ...options,
    grid,
    capacity,
  };
  checkPlatformOptions(resolved);
  return resolved;
}

/** Only a Grid on this machine needs no host. */
function defaultEgressHost(grid: readonly string[]): string {
  if (grid.every((address) => new GridRouter(address).isLocal)) return '127.0.0.1';
  throw new PlatformError(
    'invalid_request',
    'egressHost: pass the host name or address of this server for the Grid nodes, whose browsers reach the network through it; or none.',
  );
}

function machineCapacity(): number {
  return Math.max(1, Math.min(availableParallelism() * BROWSERS_PER_PROCESSOR, Math.floor(totalmem() / BROWSER_BYTES)));
}
