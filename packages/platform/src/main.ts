#!/usr/bin/env node
/** `pagechauffeur-platform`: runs a platform until the process gets a signal to stop. */
import { readFileSync } from 'node:fs';
import { runKeysCommand } from './command/keys-command.ts';
import { readServerOptions } from './command/server-options.ts';
import { USAGE } from './command/usage.ts';
import { PlatformError, reasonOf } from './errors.ts';
import { startPlatform } from './platform.ts';

async function main([first = '', ...rest]: readonly string[]): Promise<void> {
  // Files such as the store, which contains signing secrets, are readable by this user only.
  process.umask(0o077);
  if (first === 'keys') return print(await runKeysCommand(rest));
  const options = readServerOptions(process.argv.slice(2));
  if (options === 'help') return print(USAGE);
  if (options === 'version') return print(`${ownVersion()}\n`);
  const platform = await startPlatform(options);
  print(`Platform at ${platform.url}\n`);
  if (platform.firstKey !== undefined)
    print(`REMOTE_API_KEY=${platform.firstKey}\nThis key is shown once; only its hash is kept.\n`);
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
  const advice = error instanceof TypeError ? '\nchauffeur-platform --help lists the options.' : '';
  process.stderr.write(`${error instanceof PlatformError ? error.message : reasonOf(error)}${advice}\n`);
  process.exitCode = 1;
});
