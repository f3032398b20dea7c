import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserPlatform } from '@puppeteer/browsers';
import { DriverInitError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { makeFolder } from '../util/make-folder.ts';
import { wholeVersion } from './browser-version.ts';
import { downloadFailure } from './download-failure.ts';
import { downloadWatch } from './download-watch.ts';
import { downloadFolder, downloadRecord, type Machine, thisMachine } from './find-browser.ts';
import { adviceFor } from './launch-advice.ts';

const execute = promisify(execFile);
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Which browser to download, and from where. */
export interface DownloadOptions {
  /** A channel such as `stable`, a milestone such as `150`, or a full version. */
  readonly version: string;
  /** Base URL of a mirror for archives and version lists. Default: the official servers. */
  readonly mirror?: string | undefined;
  /** Downloads again even if the version is installed. */
  readonly isForced?: boolean;
  /** Also installs required system libraries. Needs root on Debian or Ubuntu. */
  readonly withLibraries?: boolean;
  /** Receives one line per step. */
  readonly log: (line: string) => void;
  readonly machine?: Machine;
  readonly architecture?: string;
  /** Milliseconds without data after which a download is aborted. */
  readonly timeout?: number;
}

/** A version for a platform, in the download folder. */
interface Build {
  readonly buildId: string;
  readonly platform: BrowserPlatform;
  readonly folder: string;
  readonly executable: string;
}

/**
 * Downloads Chrome for Testing into the folder where drivers look for it. Returns the path of the executable. Leftovers
 * of an
 * incomplete download are never used.
 * @throws DriverInitError if the download fails.
 */
export async function downloadBrowser(options: DownloadOptions): Promise<string> {
  try {
    const build = await chooseBuild(options);
    const { buildId, folder, executable } = build;
    if (existsSync(executable) && !options.isForced) options.log(`Chrome for Testing ${buildId} is already installed.`);
    else await fetchBuild(build, options);
    if (options.withLibraries) await installLibraries(build, options);
    await checkStart(build);
    await writeFile(downloadRecord(options.machine ?? thisMachine()), `${relative(folder, executable)}\n`);
    return executable;
  } catch (error) {
    throw downloadFailure(error, options.mirror);
  }
}

async function chooseBuild({
  version,
  mirror,
  machine = thisMachine(),
  architecture = process.arch,
}: DownloadOptions): Promise<Build> {
  const { Browser, computeExecutablePath } = await import('@puppeteer/browsers');
  const platform = await platformOf(machine.platform, architecture);
  if (!platform) throw new DriverInitError(`there is no Chrome for Testing for ${machine.platform} on ${architecture}`);
  const buildId = await wholeVersion(version, mirror);
  const folder = downloadFolder(machine);
  const executable = computeExecutablePath({ browser: Browser.CHROME, buildId, platform, cacheDir: folder });
  return { buildId, platform, folder, executable };
}

async function platformOf(platform: NodeJS.Platform, architecture: string): Promise<BrowserPlatform | undefined> {
  const { BrowserPlatform: known } = await import('@puppeteer/browsers');
  const platforms = new Map([
    ['linux x64', known.LINUX],
    ['linux arm64', known.LINUX_ARM],
    ['darwin x64', known.MAC],
    ['darwin arm64', known.MAC_ARM],
    ['win32 x64', known.WIN64],
    ['win32 arm64', known.WIN64],
    ['win32 ia32', known.WIN32],
  ]);
  return platforms.get(`${platform} ${architecture}`);
}

/** Downloads and unpacks into a temporary folder, then moves it into place. */
async function fetchBuild({ buildId, platform, folder }: Build, options: DownloadOptions): Promise<void> {
  const { Browser, install } = await import('@puppeteer/browsers');
  await makeFolder(folder);
  using scratch = scratchFolder(folder);
  using watch = downloadWatch(options.log, options.timeout);
  options.log(`Downloading Chrome for Testing ${buildId} into ${folder} …`);
  const installing = install({
    browser: Browser.CHROME,
    buildId,
    platform,
    cacheDir: scratch.path,
    ...(options.mirror === undefined ? {} : { baseUrl: options.mirror }),
    downloadProgressCallback: watch.onBytes,
  });
  const { path, executablePath } = await Promise.race([installing, watch.stalled]);
  if (!existsSync(executablePath))
    throw new DriverInitError(`the archive does not contain ${relative(path, executablePath)}`);
  const place = join(folder, relative(scratch.path, path));
  await makeFolder(dirname(place));
  await rm(place, { recursive: true, force: true });
  await rename(path, place);
}

/** A temporary folder. Removed after use, and when the process is terminated. */
function scratchFolder(folder: string): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(folder, 'download-'));
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of ENDS) process.once(signal, end);
  return {
    path,
    [Symbol.dispose]: () => {
      for (const signal of ENDS) process.off(signal, end);
      remove();
    },
  };
}

/** Installs only missing libraries. The browser itself is in place. */
async function installLibraries({ buildId, platform, folder }: Build, { log }: DownloadOptions): Promise<void> {
  const { Browser, install } = await import('@puppeteer/browsers');
  log('Installing required system libraries …');
  await install({ browser: Browser.CHROME, buildId, platform, cacheDir: folder, installDeps: true });
}

/** A browser for another machine type, or one without its system libraries, does not start. */
async function checkStart({ executable, buildId }: Build): Promise<void> {
  const said = await versionOf(executable);
  if (said === undefined || said.includes(buildId)) return;
  throw new DriverInitError(
    `${executable} reports version ${JSON.stringify(said)} instead of ${buildId}; use --force to download it again`,
  );
}

/**
 * Returns the version that a browser reports. Undefined on Windows, where asking opens a window. Throws if it cannot be
 * started.
 */
export async function versionOf(executable: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const { stdout } = await execute(executable, ['--version']);
    return stdout.trim();
  } catch (error) {
    const advice = adviceFor([reasonOf(error)]) ?? 'It may be built for another kind of machine.';
    throw new DriverInitError(`Cannot start ${executable}: ${reasonOf(error).trim()}. ${advice}`, { cause: error });
  }
}
