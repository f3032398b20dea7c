import { PlatformError } from './errors.ts';
import { isPostgres } from './store/is-postgres.ts';

/** The options that are checked by themselves; of the others only the numbers are. */
interface CheckedOptions {
  readonly database: string;
  readonly redis?: string;
  readonly publicUrl?: string;
  readonly internalUrl?: string;
  readonly logLevel: string;
  readonly region: string;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const PORTS: readonly string[] = ['port', 'egressPort'];
const MAX_PORT = 65_535;
/** Without one of these nothing would be served. */
const AT_LEAST_ONE: readonly string[] = ['capacity', 'sessionsPerProject', 'requestRate'];

/** Refuses options with which a server could not do its work, by their names. */
export function checkPlatformOptions(options: CheckedOptions): void {
  for (const [name, value] of Object.entries(options)) if (typeof value === 'number') checkNumber(name, value);
  const { publicUrl, internalUrl, logLevel, region } = options;
  for (const [name, url] of Object.entries({ publicUrl, internalUrl }))
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw wrong(`${name} must begin with http:// or https:// and name a host; it is ${JSON.stringify(url)}.`);
  if (!LEVELS.includes(logLevel))
    throw wrong(`logLevel must be one of ${LEVELS.join(', ')}; it is ${JSON.stringify(logLevel)}.`);
  if (region === '') throw wrong('region must have a name.');
  checkShared(options);
}

function checkNumber(name: string, value: number): void {
  const least = AT_LEAST_ONE.includes(name) ? 1 : 0;
  if (!Number.isInteger(value) || value < least)
    throw wrong(`${name} must be a whole number, ${least} or more; it is ${value}.`);
  if (PORTS.includes(name) && value > MAX_PORT) throw wrong(`${name} must be ${MAX_PORT} at most; it is ${value}.`);
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
