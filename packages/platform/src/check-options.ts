import { isIP } from 'node:net';
import { EGRESS_PORTS } from './browsers/grid/grid-egress.ts';
import { PlatformError } from './errors.ts';
import { isPostgres } from './store/is-postgres.ts';

/** Options with specific rules. All options of type `number` are checked too. */
interface CheckedOptions {
  readonly database: string;
  readonly redis?: string;
  readonly publicUrl?: string;
  readonly internalUrl?: string;
  readonly egressListen?: string;
  readonly metricsToken?: string;
  readonly logLevel: string;
  readonly region: string;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const MIN_TOKEN_CHARACTERS = 32;
const PORTS: readonly string[] = ['port', 'egressPort'];
const MAX_PORT = 65_535;
/** `egressPort` is the first of `EGRESS_PORTS` ports. */
const MAX_FIRST_PORT = MAX_PORT - EGRESS_PORTS + 1;
/** 0 would block all requests. */
const AT_LEAST_ONE: readonly string[] = ['capacity', 'sessionsPerProject', 'requestRate'];

/** Throws a `PlatformError` for the first invalid option. */
export function checkPlatformOptions(options: CheckedOptions): void {
  for (const [name, value] of Object.entries(options)) if (typeof value === 'number') checkNumber(name, value);
  const { publicUrl, internalUrl, egressListen, metricsToken, logLevel, region } = options;
  for (const [name, url] of Object.entries({ publicUrl, internalUrl }))
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw wrong(`${name} must be an http(s) URL with a host. Received ${JSON.stringify(url)}.`);
  if (!LEVELS.includes(logLevel))
    throw wrong(`logLevel must be one of ${LEVELS.join(', ')}. Received ${JSON.stringify(logLevel)}.`);
  if (egressListen !== undefined && !isIP(egressListen))
    throw wrong(
      `egressListen must be an IP address of this machine, for example 10.0.0.5. Received ${JSON.stringify(egressListen)}.`,
    );
  if (metricsToken !== undefined && metricsToken.length < MIN_TOKEN_CHARACTERS)
    throw wrong(
      `CHAUFFEUR_METRICS_TOKEN must have at least ${MIN_TOKEN_CHARACTERS} characters. Create one with \`openssl rand -base64 32\`.`,
    );
  if (region === '') throw wrong('region must not be empty.');
  checkShared(options);
}

function checkNumber(name: string, value: number): void {
  const least = AT_LEAST_ONE.includes(name) ? 1 : 0;
  if (!Number.isInteger(value) || value < least)
    throw wrong(`${name} must be an integer of at least ${least}. Received ${value}.`);
  const most = name === 'egressPort' ? MAX_FIRST_PORT : MAX_PORT;
  if (PORTS.includes(name) && value > most) throw wrong(`${name} must be at most ${most}. Received ${value}.`);
}

/** Servers that share session counts in Redis must also share a database. */
function checkShared({ database, redis }: CheckedOptions): void {
  if (redis === undefined) return;
  if (!/^rediss?:/.test(redis)) throw wrong('redis must be a redis:// or rediss:// URL.');
  if (!isPostgres(database)) throw wrong('redis requires a shared database. Set database to a postgres:// URL.');
}

function wrong(message: string): PlatformError {
  return new PlatformError('invalid_request', message);
}
