#!/usr/bin/env node
/** Entry point of the `chauffeur` command. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DriverError } from '../errors.ts';
import { nearestName } from '../util/nearest-name.ts';
import { installCommand } from './install-command.ts';
import { UsageError } from './usage-error.ts';

const USAGE = `npx pagechauffeur <command>

  install         downloads a browser for drivers; see npx pagechauffeur install --help
  --help, --version
`;
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
const USE_PROXY = 'NODE_USE_ENV_PROXY';

const print = (text: string): void => void process.stdout.write(text);
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

async function main([command, ...words]: readonly string[]): Promise<void> {
  if (command === '--help' || command === '-h' || command === 'help') return print(USAGE);
  if (command === '--version' || command === '-v') return print(`${ownVersion()}\n`);
  if (command === undefined) throw new UsageError('Missing command. Run `npx pagechauffeur --help` for a list.');
  if (command === 'install') return installCommand(words, { print, tell });
  const meant = nearestName(command, ['install']);
  throw new UsageError(
    `Unknown command ${JSON.stringify(command)}. ${meant ? `Did you mean ${meant}?` : 'Run `npx pagechauffeur --help` for a list.'}`,
  );
}

function ownVersion(): string {
  // Resolved by package name, because the relative path differs between source and build.
  const manifest = readFileSync(fileURLToPath(import.meta.resolve('pagechauffeur/package.json')), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/**
 * Runs the command in a new process with `NODE_USE_ENV_PROXY` if a proxy variable is set, because Node reads that
 * setting only at startup. Returns its exit code, or `undefined` if no new process is needed.
 */
function restartForProxy(): number | undefined {
  if (process.env[USE_PROXY] !== undefined || !PROXIES.some((name) => process.env[name])) return undefined;
  const env = { ...process.env, [USE_PROXY]: '1' };
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  return spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1;
}

async function run(): Promise<number> {
  try {
    await main(process.argv.slice(2));
    return 0;
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
    tell(error.message);
    return error instanceof UsageError ? 2 : 1;
  }
}

const code = restartForProxy() ?? (await run());
// An aborted download can keep a connection open, so exit explicitly once stderr is flushed.
process.stderr.write('', () => process.exit(code));
