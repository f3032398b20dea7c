import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DriverInitError } from '../errors.ts';
import { downloadBrowser, versionOf } from './download-browser.ts';
import { findBrowser, type Machine, thisMachine } from './find-browser.ts';
import { reasonOf } from '../util/error-facts.ts';

const execute = promisify(execFile);

export interface InstallBrowserOptions {
  readonly log: (line: string) => void;
  readonly machine?: Machine;
}

/**
 * Installs a browser and returns the path of its executable. Tries `apt-get install chromium` on Linux as root, then
 * downloads Chrome for Testing.
 * @throws DriverInitError that says why neither worked.
 */
export async function installBrowser({ log, machine = thisMachine() }: InstallBrowserOptions): Promise<string> {
  const failures: string[] = [];
  for (const { name, install } of [
    { name: 'apt-get install chromium', install: installByApt },
    { name: 'Download of Chrome for Testing', install: downloadStable },
  ]) {
    try {
      return await install(machine, log);
    } catch (error) {
      failures.push(`${name}: ${firstLine(error)}`);
      log(failures.at(-1) ?? '');
    }
  }
  throw new DriverInitError(
    `Cannot install a browser. ${failures.join(' ')} Install Chromium or Chrome yourself ` +
      '(on Debian: apt-get install chromium), or set CHROME_PATH to an existing executable.',
    { callLog: failures },
  );
}

function firstLine(error: unknown): string {
  const message = reasonOf(error);
  return `${message.split('\n', 1)[0]?.replace(/\.$/, '')}.`;
}

async function installByApt({ platform, environment }: Machine, log: (line: string) => void): Promise<string> {
  if (platform !== 'linux' || process.getuid?.() !== 0) throw new DriverInitError('needs root on Debian or Ubuntu');
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  log('Installing Chromium with apt-get …');
  await execute('apt-get', ['-qq', 'update'], { env });
  await execute('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'chromium'], {
    env,
    maxBuffer: 64 << 20,
  });
  const executable = findBrowser({ platform, environment });
  if (!executable) throw new DriverInitError('apt-get succeeded, but no executable is in the usual install locations');
  await versionOf(executable);
  return executable;
}

function downloadStable(machine: Machine, log: (line: string) => void): Promise<string> {
  return downloadBrowser({ version: 'stable', machine, log });
}
