import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { DriverInitError } from '../errors.ts';
import { downloadFolder, downloadRecord, findBrowser, type Machine, thisMachine } from './find-browser.ts';
import { reasonOf } from '../util/error-facts.ts';

const execute = promisify(execFile);
const DOWNLOAD_LOG_STEP = 25; // per cent between two lines

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
    { name: 'Download of Chrome for Testing', install: download },
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
  return checked(executable);
}

async function download(machine: Machine, log: (line: string) => void): Promise<string> {
  const cacheDir = downloadFolder(machine);
  await mkdir(cacheDir, { recursive: true });
  const { Browser, detectBrowserPlatform, install, resolveBuildId } = await import('@puppeteer/browsers');
  const platform = detectBrowserPlatform();
  if (!platform) throw new DriverInitError(`there is none for ${machine.platform}`);
  const buildId = await resolveBuildId(Browser.CHROME, platform, 'stable');
  log(`Downloading Chrome for Testing ${buildId} into ${cacheDir} …`);
  const { executablePath } = await install({
    browser: Browser.CHROME,
    buildId,
    cacheDir,
    platform,
    downloadProgressCallback: progressLog(log),
  });
  await checked(executablePath);
  await writeFile(downloadRecord(machine), `${relative(cacheDir, executablePath)}\n`);
  return executablePath;
}

function progressLog(log: (line: string) => void): (done: number, total: number) => void {
  let next = DOWNLOAD_LOG_STEP;
  return (done, total) => {
    const percent = (100 * done) / total;
    if (percent < next) return;
    log(`${Math.floor(percent)} % of ${Math.round(total / 1e6)} MB`);
    next = percent - (percent % DOWNLOAD_LOG_STEP) + DOWNLOAD_LOG_STEP;
  };
}

// A browser whose system libraries are missing is there, but does not start.
async function checked(executable: string): Promise<string> {
  if (process.platform !== 'win32') await execute(executable, ['--version']);
  return executable;
}
