#!/usr/bin/env node
/** `chauffeur-platform`: rents out browsers of this machine until it is told to end. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PlatformError, reasonOf } from './errors.ts';
import type { PlatformOptions } from './options.ts';
import { startPlatform } from './platform.ts';

const USAGE = `chauffeur-platform: rents out browsers for chauffeur's env REMOTE.

  --host <address>           where to listen (127.0.0.1)
  --port <number>            (4600)
  --public-url <url>         where clients reach this server
  --database <url>           postgres://…, which many servers can share
  --redis <url>              redis://…, where they count sessions together
  --internal-url <url>       where the other servers reach this one
  --data <folder>            where the store lies (~/.chauffeur)
  --grid <url>               the router of a Selenium Grid to have browsers from; may be repeated
  --egress-host <address>    where the grid's nodes reach this server; none when they are not to
  --egress-port <number>     (4601)
  --browser <path>           Chromium or Chrome
  --capacity <number>        sessions at once
  --warm <number>            browsers of this machine to have ready (1)
  --per-project <number>     sessions of one project at once
  --allow-network <network>  a network inside that browsers may reach; may be repeated
  --region <name>            (local)
  --log-level <level>        (info)
`;

function readOptions(): PlatformOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      host: text,
      port: text,
      'public-url': text,
      data: text,
      database: text,
      redis: text,
      'internal-url': text,
      grid: { type: 'string', multiple: true },
      'egress-host': text,
      'egress-port': text,
      browser: text,
      capacity: text,
      warm: text,
      'per-project': text,
      'allow-network': { type: 'string', multiple: true },
      region: text,
      'log-level': text,
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  return withoutUndefined({
    host: values.host,
    port: numberOf(values.port),
    publicUrl: values['public-url'],
    database: values.database ?? process.env['CHAUFFEUR_DATABASE'] ?? ownDatabase(values.data),
    redis: values.redis ?? process.env['CHAUFFEUR_REDIS'],
    internalUrl: values['internal-url'],
    grid: values.grid ?? process.env['CHAUFFEUR_GRID']?.split(/[\s,]+/).filter(Boolean),
    egressHost: values['egress-host'],
    egressPort: numberOf(values['egress-port']),
    browser: values.browser,
    capacity: numberOf(values.capacity),
    warm: numberOf(values.warm),
    sessionsPerProject: numberOf(values['per-project']),
    allowNetworks: values['allow-network'],
    region: values.region,
    logLevel: values['log-level'],
  });
}

/** A file of its own, when it is to share nothing. */
function ownDatabase(data: string = join(homedir(), '.chauffeur')): string {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  return join(data, 'platform.sqlite');
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function withoutUndefined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return void process.stdout.write(USAGE);
  const platform = await startPlatform(options);
  process.stdout.write(`Platform at ${platform.url}\n`);
  if (platform.firstKey !== undefined)
    process.stdout.write(`REMOTE_API_KEY=${platform.firstKey}\nThis key is shown once; only its hash is kept.\n`);
  const end = (): void => void platform.close();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof PlatformError ? error.message : reasonOf(error)}\n`);
  process.exitCode = 1;
});
