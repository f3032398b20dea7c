import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DriverInitError } from '../errors.ts';
import { downloadBrowser, versionOf } from './download-browser.ts';
import { findBrowser, type Machine, thisMachine } from './find-browser.ts';
import { reasonOf } from '../util/error-facts.ts';

const execute = promisify(execFile);

/** How to install a browser. */
export interface InstallBrowserOptions {
  /** Takes a sentence for each step. */
  readonly log: (line: string) => void;
  readonly machine?: Machine;
}

/**
 * Installs a Chromium and gives the path of its executable: by apt where this process may (root on Debian or
 * Ubuntu), else by downloading Chrome for Testing. Throws a {@link DriverInitError} that says why neither worked.
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
    `No browser could be installed. ${failures.join(' ')} Either install Chromium or Chrome yourself ` +
      '(on Debian: apt-get install chromium) or set CHROME_PATH to the executable of one that is there.',
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
  log('Installing Chromium by apt-get …');
  await execute('apt-get', ['-qq', 'update'], { env });
  await execute('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'chromium'], {
    env,
    maxBuffer: 64 << 20,
  });
  const executable = findBrowser({ platform, environment });
  if (!executable) throw new DriverInitError('apt-get succeeded, but the executable is in none of the usual places');
  await versionOf(executable);
  return executable;
}

function downloadStable(machine: Machine, log: (line: string) => void): Promise<string> {
  return downloadBrowser({ version: 'stable', machine, log });
}
