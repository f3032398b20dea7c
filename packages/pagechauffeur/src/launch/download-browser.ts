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
  /** A channel such as `stable`, a milestone such as `150`, or a whole version. */
  readonly version: string;
  /** Where a mirror has the archives, and the lists of versions, when it is not to be the makers' own place. */
  readonly mirror?: string | undefined;
  /** Downloads a version that is there already once more. */
  readonly isForced?: boolean;
  /** Also installs the libraries of the system that it needs, which takes root on Debian or Ubuntu. */
  readonly withLibraries?: boolean;
  /** Takes a sentence for each step. */
  readonly log: (line: string) => void;
  readonly machine?: Machine;
  readonly architecture?: string;
  /** After so many milliseconds without a byte a download is given up. */
  readonly patience?: number;
}

/** One version for one platform, in the folder for downloads. */
interface Build {
  readonly buildId: string;
  readonly platform: BrowserPlatform;
  readonly folder: string;
  readonly executable: string;
}

/**
 * Downloads Chrome for Testing to where drivers look for it, and gives the path of its executable. What is left there by an
 * earlier download that did not come to its end is never taken for a browser. Throws a {@link DriverInitError}.
 */
export async function downloadBrowser(options: DownloadOptions): Promise<string> {
  try {
    const build = await chooseBuild(options);
    const { buildId, folder, executable } = build;
    if (existsSync(executable) && !options.isForced) options.log(`Chrome for Testing ${buildId} is there already.`);
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

/** Downloads and unpacks beside the place that it is for, and puts it there when it is whole. */
async function fetchBuild({ buildId, platform, folder }: Build, options: DownloadOptions): Promise<void> {
  const { Browser, install } = await import('@puppeteer/browsers');
  await makeFolder(folder);
  using scratch = scratchFolder(folder);
  using watch = downloadWatch(options.log, options.patience);
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
  if (!existsSync(executablePath)) throw new DriverInitError(`the archive holds no ${relative(path, executablePath)}`);
  const place = join(folder, relative(scratch.path, path));
  await makeFolder(dirname(place));
  await rm(place, { recursive: true, force: true });
  await rename(path, place);
}

/** A folder that goes with its use, and with a process that is told to end. */
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

/** Only looks for what is missing: the browser itself is in its place. */
async function installLibraries({ buildId, platform, folder }: Build, { log }: DownloadOptions): Promise<void> {
  const { Browser, install } = await import('@puppeteer/browsers');
  log('Installing the libraries of the system that it needs …');
  await install({ browser: Browser.CHROME, buildId, platform, cacheDir: folder, installDeps: true });
}

/** A browser whose system libraries are missing, or that another machine is meant for, is there, but does not start. */
async function checkStart({ executable, buildId }: Build): Promise<void> {
  const said = await versionOf(executable);
  if (said === undefined || said.includes(buildId)) return;
  throw new DriverInitError(
    `${executable} calls itself ${JSON.stringify(said)}, which is not version ${buildId}; --force downloads it anew`,
  );
}

/** What a browser says that it is; undefined on Windows, where asking opens a window. Throws when it cannot be started. */
export async function versionOf(executable: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const { stdout } = await execute(executable, ['--version']);
    return stdout.trim();
  } catch (error) {
    const advice = adviceFor([reasonOf(error)]) ?? 'It may be meant for another kind of machine.';
    throw new DriverInitError(`${executable} does not start: ${reasonOf(error).trim()}. ${advice}`, { cause: error });
  }
}
