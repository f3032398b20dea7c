import { availableParallelism, totalmem } from 'node:os';
import { GridRouter } from './browsers/grid/grid-router.ts';
import { checkPlatformOptions } from './check-options.ts';
import { PlatformError } from './errors.ts';

/** How the platform is run. Times are milliseconds. */
export interface PlatformOptions {
  /** Address to listen at; default 127.0.0.1. */
  host?: string;
  /** Port to listen at, 0 for any; default 4600. */
  port?: number;
  /** Where clients reach this server, when that is not the address it listens at: `https://browsers.example.com`. */
  publicUrl?: string;
  /** File of the embedded store, `:memory:` for none; or `postgres://…`, a database that many servers share. */
  database: string;
  /**
   * Encrypts the secrets in the store, with AES-256-GCM: 32 characters or more, the same for all servers that share it, kept elsewhere.
   * What was stored in clear before is encrypted at the start. Default: none, so they are stored in clear.
   */
  secretKey?: string;
  /** `redis://…`, where the servers that share a database count sessions; without it each counts its own. */
  redis?: string;
  /** Where the other servers that share the database reach this one; default: the address it listens at. */
  internalUrl?: string;
  /** Selenium Grids to have the browsers from, by the addresses of their routers: `http://[user:password@]host:4444`. Default: none. */
  grid?: readonly string[];
  /**
   * Name or address by which the nodes of the grids reach this server, through which their browsers reach the network;
   * `none` when the nodes' own network keeps browsers from what lies inside. Only grids on this machine need none.
   */
  egressHost?: string;
  /**
   * Address to listen at for the nodes' browsers; default: `egressHost`, where that is an address of this machine, else all of them.
   * A network of the nodes alone is best.
   */
  egressListen?: string;
  /** The first of a thousand ports, of which each session has one as long as it lives; 0 for any. Default 4601. */
  egressPort?: number;
  /**
   * Networks from which nodes reach this server that do not come by the addresses they tell the Grid, such as `['10.0.9.1/32']`, a router
   * before them. Default: none, so a session's port is for the address of its node alone.
   */
  egressFrom?: readonly string[];
  /** Path of Chromium or Chrome, whose DevTools are shown for browsers of grids; default: the one found on this machine. */
  browser?: string;
  /** Sessions at once; default by the processors and the memory of this machine, or what the grids have. */
  capacity?: number;
  /** Browsers of this machine to have ready before anybody asks; default 1. */
  warm?: number;
  /** Sessions of one project at once; default: all. */
  sessionsPerProject?: number;
  /** Requests of one project in a second at this server, by all its keys together, ten times as many at once; default 1000. */
  requestRate?: number;
  /** Requests of one project that may wait for a place; default 20. */
  queuePerProject?: number;
  /** How long they may wait; default 30 s. */
  queueTimeout?: number;
  /** How long a session lives when its creator does not say; default one hour. */
  sessionTimeout?: number;
  /** How long the clients of a session may be silent, unless it is kept alive; default 30 minutes. */
  idleTimeout?: number;
  /** Bytes that all downloads of a session may have together; default 2 GiB. A download that would have more is cancelled. */
  downloadQuota?: number;
  /** How long a session outlives its last client, unless it is kept alive, and a connection its socket; default 10 s. */
  grace?: number;
  /** How long a session waits for its first client, unless it is kept alive; default 5 minutes. */
  firstClientTimeout?: number;
  /** How long the token of a connect address is valid; default one hour. */
  tokenTimeout?: number;
  /**
   * How often each browser is asked whether it lives; default 5 s. A node of a Grid that cannot be reached for so long is given up,
   * one that is reached and does not answer after twice as long, and a Grid that cannot be reached after six times as long.
   */
  heartbeat?: number;
  /** How long after a server's last sign of life another has its sessions, when they share a database; default 10 s. */
  leaseTimeout?: number;
  /** Networks inside, such as `10.1.0.0/16`, that browsers may reach all the same. */
  allowNetworks?: readonly string[];
  /**
   * Lets browsers run as the server's own user without a sandbox, for tests: a page that breaks out of one can read the store.
   * Otherwise the browsers of a server that runs as root run as a user of their own, those of other servers in Chromium's sandbox,
   * and a server that can have neither does not start. Default false.
   */
  allowNoSandbox?: boolean;
  /** Name of the only region that this server serves; default `local`. */
  region?: string;
  /** `silent`, `info` and so on; default `info`. */
  logLevel?: string;
}

/** The options with every default in place. */
export type ResolvedPlatformOptions = Required<Omit<PlatformOptions, OptionalNames>> &
  Pick<PlatformOptions, OptionalNames>;

type OptionalNames = 'browser' | 'publicUrl' | 'redis' | 'secretKey' | 'internalUrl' | 'egressListen' | 'egressFrom';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** What a browser with one busy page takes, about. */
const BROWSER_BYTES = 512 * 1024 * 1024;
const BROWSERS_PER_PROCESSOR = 4;
const DOWNLOAD_QUOTA_BYTES = 2 * 1024 ** 3;

/** Checks what was given and fills in the defaults; this is the one place where they stand. */
export function resolvePlatformOptions(options: PlatformOptions): ResolvedPlatformOptions {
  const { grid = [] } = options;
  const capacity = options.capacity ?? (grid.length > 0 ? Number.MAX_SAFE_INTEGER : machineCapacity());
  const resolved = {
    host: '127.0.0.1',
    port: 4600,
    // One server knows how many that is; of many, each knows its own.
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

/** Only a grid of this machine reaches it without being told where. */
function defaultEgressHost(grid: readonly string[]): string {
  if (grid.every((address) => new GridRouter(address).isLocal)) return '127.0.0.1';
  throw new PlatformError(
    'invalid_request',
    'egressHost: say where the nodes of the grid reach this server, through which their browsers reach the network; or none.',
  );
}

function machineCapacity(): number {
  return Math.max(1, Math.min(availableParallelism() * BROWSERS_PER_PROCESSOR, Math.floor(totalmem() / BROWSER_BYTES)));
}
