import { parseArgs } from 'node:util';
import type { PlatformOptions } from '../options.ts';
import { databaseOf } from './database-of.ts';
import { readNumber } from './read-number.ts';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'string', multiple: true } as const;

type NumberName = 'port' | 'egress-port' | 'capacity' | 'warm' | 'per-project' | 'rate' | 'download-quota';

/** Parses the command line and the environment variables of the server. */
export function readServerOptions(args: readonly string[]): PlatformOptions | 'help' | 'version' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      host: TEXT,
      port: TEXT,
      'public-url': TEXT,
      data: TEXT,
      database: TEXT,
      redis: TEXT,
      'internal-url': TEXT,
      grid: TEXTS,
      'egress-host': TEXT,
      'egress-listen': TEXT,
      'egress-port': TEXT,
      'egress-from': TEXTS,
      browser: TEXT,
      capacity: TEXT,
      warm: TEXT,
      'per-project': TEXT,
      rate: TEXT,
      'download-quota': TEXT,
      'allow-network': TEXTS,
      'allow-no-sandbox': { type: 'boolean' },
      region: TEXT,
      'log-level': TEXT,
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
  if (values.help) return 'help';
  if (values.version) return 'version';
  const numberOf = (name: NumberName): number | undefined => readNumber(name, values[name]);
  const downloadMegabytes = numberOf('download-quota');
  return withoutUndefined({
    host: values.host,
    port: numberOf('port'),
    publicUrl: values['public-url'],
    secretKey: process.env['CHAUFFEUR_SECRET_KEY'],
    metricsToken: process.env['CHAUFFEUR_METRICS_TOKEN'],
    redis: values.redis ?? process.env['CHAUFFEUR_REDIS'],
    internalUrl: values['internal-url'],
    grid: values.grid ?? process.env['CHAUFFEUR_GRID']?.split(/[\s,]+/).filter(Boolean),
    egressHost: values['egress-host'],
    egressListen: values['egress-listen'],
    egressPort: numberOf('egress-port'),
    egressFrom: values['egress-from'],
    browser: values.browser,
    capacity: numberOf('capacity'),
    warm: numberOf('warm'),
    sessionsPerProject: numberOf('per-project'),
    requestRate: numberOf('rate'),
    downloadQuota: downloadMegabytes === undefined ? undefined : downloadMegabytes * 1024 * 1024,
    allowNetworks: values['allow-network'],
    allowNoSandbox: values['allow-no-sandbox'] ?? false,
    region: values.region,
    logLevel: values['log-level'],
    // Last, because `databaseOf` creates the data folder.
    database: databaseOf(values),
  });
}

function withoutUndefined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
