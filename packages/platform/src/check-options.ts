import { isIP } from 'node:net';
import { EGRESS_PORTS } from './browsers/grid/grid-egress.ts';
import { PlatformError } from './errors.ts';
import { isPostgres } from './store/is-postgres.ts';

/** The options that are checked by themselves; of the others only the numbers are. */
interface CheckedOptions {
  readonly database: string;
  readonly redis?: string;
  readonly publicUrl?: string;
  readonly internalUrl?: string;
  readonly egressListen?: string;
  readonly logLevel: string;
  readonly region: string;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const PORTS: readonly string[] = ['port', 'egressPort'];
const MAX_PORT = 65_535;
/** Of many ports from the first on. */
const MAX_FIRST_PORT = MAX_PORT - EGRESS_PORTS + 1;
/** Without one of these nothing would be served. */
const AT_LEAST_ONE: readonly string[] = ['capacity', 'sessionsPerProject', 'requestRate'];

/** Refuses options with which a server could not do its work, by their names. */
export function checkPlatformOptions(options: CheckedOptions): void {
  for (const [name, value] of Object.entries(options)) if (typeof value === 'number') checkNumber(name, value);
  const { publicUrl, internalUrl, egressListen, logLevel, region } = options;
  for (const [name, url] of Object.entries({ publicUrl, internalUrl }))
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw wrong(`${name} must begin with http:// or https:// and name a host; it is ${JSON.stringify(url)}.`);
  if (!LEVELS.includes(logLevel))
    throw wrong(`logLevel must be one of ${LEVELS.join(', ')}; it is ${JSON.stringify(logLevel)}.`);
  if (egressListen !== undefined && !isIP(egressListen))
    throw wrong(
      `egressListen must be an address of this machine, such as 10.0.0.5; it is ${JSON.stringify(egressListen)}.`,
    );
  if (region === '') throw wrong('region must have a name.');
  checkShared(options);
}

function checkNumber(name: string, value: number): void {
  const least = AT_LEAST_ONE.includes(name) ? 1 : 0;
  if (!Number.isInteger(value) || value < least)
    throw wrong(`${name} must be a whole number, ${least} or more; it is ${value}.`);
  const most = name === 'egressPort' ? MAX_FIRST_PORT : MAX_PORT;
  if (PORTS.includes(name) && value > most) throw wrong(`${name} must be ${most} at most; it is ${value}.`);
}

/** Servers that count together must know of each other's sessions. */
function checkShared({ database, redis }: CheckedOptions): void {
  if (redis === undefined) return;
  if (!/^rediss?:/.test(redis)) throw wrong('redis must begin with redis://.');
  if (!isPostgres(database)) throw wrong('redis needs a database that servers share: postgres://….');
}

function wrong(message: string): PlatformError {
  return new PlatformError('invalid_request', message);
}
