import { availableParallelism, totalmem } from 'node:os';
import { GridRouter } from './browsers/grid/grid-router.ts';
import { checkPlatformOptions } from './check-options.ts';
import { PlatformError } from './errors.ts';

/** Options of `startPlatform`. Times are in milliseconds. */
export interface PlatformOptions {
  /** Address to listen on. Default: `127.0.0.1`. */
  host?: string;
  /** Port to listen on. 0 picks a free port. Default: 4600. */
  port?: number;
  /** Public URL of this server, for example `https://browsers.example.com`. Default: the listening address. */
  publicUrl?: string;
  /**
   * Path of an SQLite file, `:memory:` for a store without a file, or a `postgres://` URL that several servers can
   * share.
   */
  database: string;
  /**
   * Key that encrypts secrets in the store with AES-256-GCM. At least 32 characters, the same for all servers with this
   * store. Existing plaintext secrets are encrypted on start. Default: secrets are stored in plaintext.
   */
  secretKey?: string;
  /**
   * Token that `/metrics` requires as `Authorization: Bearer <token>`. At least 32 characters. Default: `/metrics` is
   * open, and shows project names only on a loopback address without `publicUrl`.
   */
  metricsToken?: string;
  /**
   * `redis://` URL of a Redis server, with which servers with the same database count sessions together. Default: each
   * server counts its own.
   */
  redis?: string;
  /** URL of this server for other servers with the same database. Default: the listening address. */
  internalUrl?: string;
  /**
   * Router URLs of Selenium Grids that run the browsers, for example `http://user:password@host:4444`. Default:
   * browsers run on this machine.
   */
  grid?: readonly string[];
  /**
   * Host name or address of this server, as seen from the Grid nodes. Their browsers reach the network through this
   * server. `none` if the nodes' network already isolates the browsers. Required unless all Grids are on this machine.
   */
  egressHost?: string;
  /**
   * Address to listen on for browsers on Grid nodes, best in a network for the nodes only. Default: `egressHost` if
   * this machine has that address, otherwise 0.0.0.0.
   */
  egressListen?: string;
  /** First of 1000 egress ports. Each Grid session uses one. 0 picks free ports. Default: 4601. */
  egressPort?: number;
  /**
   * Networks of Grid nodes that connect from another address than they report to the Grid, for example
   * `['10.0.9.1/32']` for a router. Default: none, so only the node of a session can use its port.
   */
  egressFrom?: readonly string[];
  /**
   * Path of Chromium or Chrome. With Grids, this browser serves the DevTools frontend. Default: the one found on this
   * machine.
   */
  browser?: string;
  /**
   * Maximum number of concurrent sessions. Default: 4 per processor or 1 per 512 MiB of memory, whichever is less. With
   * Grids, their capacity.
   */
  capacity?: number;
  /** Number of browsers to start ahead of time on this machine. Default: 1. */
  warm?: number;
  /** Maximum number of concurrent sessions per project. Default: `capacity`, or no limit with `redis`. */
  sessionsPerProject?: number;
  /**
   * Requests per second and project on this server, over all keys of the project. Bursts may be 10 times as large.
   * Default: 1000.
   */
  requestRate?: number;
  /** Maximum number of queued session requests per project. Default: 20. */
  queuePerProject?: number;
  /** How long a queued session request waits. Default: 30 s. */
  queueTimeout?: number;
  /** Lifetime of a session if the request that creates it sets none. Default: 1 hour. */
  sessionTimeout?: number;
  /**
   * How long clients may send nothing before the session ends. Does not apply with `keepAlive`. Default: 30 minutes.
   */
  idleTimeout?: number;
  /** Maximum size of all downloads of a session in bytes. The download that exceeds it is canceled. Default: 2 GiB. */
  downloadQuota?: number;
  /**
   * How long a session waits after its last client disconnected, and how long a connection waits for its client to
   * return. With `keepAlive`, the session does not end. Default: 10 s.
   */
  grace?: number;
  /** How long a session waits for its first client. Does not apply with `keepAlive`. Default: 5 minutes. */
  firstClientTimeout?: number;
  /** How long the tokens in a session's URLs are valid. Default: 1 hour. */
  tokenTimeout?: number;
  /**
   * Interval of pings to each browser. On a Grid, a session ends after one interval if the Grid cannot reach the node,
   * after two if the browser does not respond, and after six if the Grid does not respond. Default: 5 s.
   */
  heartbeat?: number;
  /**
   * Time after which other servers with the same database take over the sessions of a server that no longer responds.
   * Default: 10 s.
   */
  leaseTimeout?: number;
  /** Internal networks that browsers may reach, for example `10.1.0.0/16`. Default: none. */
  allowNetworks?: readonly string[];
  /**
   * Lets browsers run without a sandbox as the server's user. For tests only: a page that escapes from the browser can
   * then read the store. Otherwise, a server that runs as root runs browsers as a separate user, and any other server
   * starts only if Chromium's sandbox works. Default: false.
   */
  allowNoSandbox?: boolean;
  /** The only region that this server accepts for new sessions. Default: `local`. */
  region?: string;
  /** `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. Default: `info`. */
  logLevel?: string;
}

/** Platform options after defaults. Only the options in `OptionalNames` may be missing. */
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

/** Validates the options and fills in the defaults. */
export function resolvePlatformOptions(options: PlatformOptions): ResolvedPlatformOptions {
  const { grid = [] } = options;
  const capacity = options.capacity ?? (grid.length > 0 ? Number.MAX_SAFE_INTEGER : machineCapacity());
  const resolved = {
    host: '127.0.0.1',
    port: 4600,
    // Without Redis, each server counts only its own sessions.
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

/** Nodes on this machine reach the server at 127.0.0.1. Other Grids require the option. */
function defaultEgressHost(grid: readonly string[]): string {
  if (grid.every((address) => new GridRouter(address).isLocal)) return '127.0.0.1';
  throw new PlatformError(
    'invalid_request',
    'egressHost is required for a Grid on another machine. Set it to the address of this server as seen from the ' +
      'Grid nodes, or to none if their network already isolates the browsers.',
  );
}

function machineCapacity(): number {
  return Math.max(1, Math.min(availableParallelism() * BROWSERS_PER_PROCESSOR, Math.floor(totalmem() / BROWSER_BYTES)));
}
