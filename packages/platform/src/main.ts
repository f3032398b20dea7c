#!/usr/bin/env node
/** Entry point of `pagechauffeur-platform`: runs a server until SIGTERM or SIGINT, or a `keys` command. */
import { readFileSync } from 'node:fs';
import { runKeysCommand } from './command/keys-command.ts';
import { readServerOptions } from './command/server-options.ts';
import { USAGE } from './command/usage.ts';
import { PlatformError, reasonOf } from './errors.ts';
import { startPlatform } from './platform.ts';

async function main([first = '', ...rest]: readonly string[]): Promise<void> {
  // Only this user may read new files: the store contains signing secrets.
  process.umask(0o077);
  if (first === 'keys') return print(await runKeysCommand(rest));
  const options = readServerOptions(process.argv.slice(2));
  if (options === 'help') return print(USAGE);
  if (options === 'version') return print(`${ownVersion()}\n`);
  const platform = await startPlatform(options);
  print(`Platform at ${platform.url}\n`);
  if (platform.firstKey !== undefined)
    print(`REMOTE_API_KEY=${platform.firstKey}\nSave this key now: the platform stores only its hash.\n`);
  const end = (): void => void platform.close();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

function print(text: string): void {
  process.stdout.write(text);
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const advice = error instanceof TypeError ? '\nRun `pagechauffeur-platform --help` for a list of options.' : '';
  process.stderr.write(`${error instanceof PlatformError ? error.message : reasonOf(error)}${advice}\n`);
  process.exitCode = 1;
});
