import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserPlatform, InstallOptions } from '@puppeteer/browsers';
import { DriverInitError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import { makeFolder } from '../util/make-folder.ts';
import { wholeVersion } from './browser-version.ts';
import { downloadFolder, downloadRecord, type Machine, thisMachine } from './find-browser.ts';
import { adviceFor } from './launch-advice.ts';
import { deferred } from '../util/deferred.ts';

const execute = promisify(execFile);
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface DownloadOptions {
  /** A channel such as `stable`, a full version, or the start of one, such as `150`. */
  readonly version: string;
  /** Base URL of a mirror for archives and version lists. Default: the official servers. */
  readonly mirror?: string | undefined;
  /** Downloads again even if the version is installed. */
  readonly isForced?: boolean;
  /** Also installs missing system libraries. Works only as root on Debian or Ubuntu. */
  readonly withLibraries?: boolean;
  readonly log: (line: string) => void;
  readonly machine?: Machine;
  readonly architecture?: string;
  /** Aborts the download after this many milliseconds without data. Default: 60000. */
  readonly timeout?: number;
}

interface Build {
  readonly buildId: string;
  readonly platform: BrowserPlatform;
  readonly folder: string;
  readonly executable: string;
}

/**
 * Downloads Chrome for Testing into the folder that drivers search, and returns the path of the executable. Drivers
 * never start a browser from an interrupted download.
 * @throws DriverInitError if the browser cannot be downloaded or started.
 */
export async function downloadBrowser(options: DownloadOptions): Promise<string> {
  try {
    const build = await chooseBuild(options);
    const { buildId, folder, executable } = build;
    if (existsSync(executable) && !options.isForced) options.log(`Chrome for Testing ${buildId} is already installed.`);
    else await fetchBuild(build, options);
    if (options.withLibraries) await installLibraries(build, options);
    await checkStart(build, options);
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

/** Unpacks into a scratch folder and moves the result at the end, so that an interrupted download is never used. */
async function fetchBuild({ buildId, platform, folder }: Build, options: DownloadOptions): Promise<void> {
  const { Browser, install } = await import('@puppeteer/browsers');
  await makeFolder(folder);
  using scratch = scratchFolder(folder);
  options.log(`Downloading Chrome for Testing ${buildId} into ${folder} …`);
  const source = {
    browser: Browser.CHROME,
    buildId,
    platform,
    cacheDir: scratch.path,
    ...(options.mirror === undefined ? {} : { baseUrl: options.mirror }),
  };
  await fetchArchive(source, options);
  const { path, executablePath } = await install(source);
  if (!existsSync(executablePath))
    throw new DriverInitError(`the archive does not contain ${relative(path, executablePath)}`);
  const place = join(folder, relative(scratch.path, path));
  await makeFolder(dirname(place));
  await rm(place, { recursive: true, force: true });
  await rename(path, place);
}

/** Downloads the archive into `cacheDir`, where `install()` finds it. Unpacking has no timeout. */
async function fetchArchive(source: InstallOptions, { log, timeout }: DownloadOptions): Promise<void> {
  const { install } = await import('@puppeteer/browsers');
  using watch = downloadWatch(log, timeout);
  const fetching = install({ ...source, unpack: false, downloadProgressCallback: watch.onBytes });
  await Promise.race([fetching, watch.stalled]);
}

const LOG_STEP_PERCENT = 10;
/** Progress interval for a download of unknown size: 25 MB. */
const LOG_STEP_BYTES = 25e6;
const STALL_TIMEOUT_MS = 60_000;

interface DownloadWatch extends Disposable {
  readonly onBytes: (done: number, total: number) => void;
  /** Rejects if no data arrives for `timeout` milliseconds. */
  readonly stalled: Promise<never>;
}

function downloadWatch(log: (line: string) => void, timeout: number = STALL_TIMEOUT_MS): DownloadWatch {
  const stalled = deferred<never>();
  const giveUp = (): void => stalled.reject(new DriverInitError(`no data arrived for ${Math.round(timeout / 1000)} s`));
  const timer = setTimeout(giveUp, timeout);
  let next = 0;
  const onBytes = (done: number, total: number): void => {
    timer.refresh();
    const step = total > 0 ? (total * LOG_STEP_PERCENT) / 100 : LOG_STEP_BYTES;
    if (done < next) return;
    next = (Math.floor(done / step) + 1) * step;
    log(total > 0 ? `${Math.floor((100 * done) / total)} % of ${megabytes(total)}` : megabytes(done));
  };
  return { onBytes, stalled: stalled.promise, [Symbol.dispose]: () => clearTimeout(timer) };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** Creates a folder that is removed on dispose, and also when a signal terminates the process. */
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

/** `install()` finds the downloaded build in `cacheDir`, so it only adds libraries. */
async function installLibraries({ buildId, platform, folder }: Build, { log }: DownloadOptions): Promise<void> {
  const { Browser, install } = await import('@puppeteer/browsers');
  log('Installing required system libraries …');
  await install({ browser: Browser.CHROME, buildId, platform, cacheDir: folder, installDeps: true });
}

/** The build may be for another architecture, or system libraries may be missing. */
async function checkStart({ executable, buildId }: Build, { log }: DownloadOptions): Promise<void> {
  const versionText = await versionOf(executable);
  if (versionText === undefined) return;
  if (versionText.includes(buildId)) return log('Checked that the browser starts.');
  throw new DriverInitError(
    `${executable} reports version ${JSON.stringify(versionText)} instead of ${buildId}; use --force to download it again`,
  );
}

/** Advice by error message. The first match is used. */
const FAILURE_ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|timeout|no data arrived|connection closed|expected \d+ bytes/i,
    'Check the network. Behind a proxy, set HTTPS_PROXY (Node.js 22.21 or newer). To use a mirror, pass --base-url or set CHAUFFEUR_DOWNLOAD_BASE_URL.',
  ],
  [/certificate|self.signed/i, 'Set NODE_EXTRA_CA_CERTS to the certificate of the intercepting proxy.'],
  [
    /(EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST): /,
    'Set CHAUFFEUR_CACHE_DIR to a folder that this process can write to, for drivers too.',
  ],
  [/ENOSPC/, 'The disk is full. A browser needs about 400 MB, and twice that while it is unpacked.'],
  [/code 404|responded with 404/, 'This version does not exist for this machine at that URL.'],
];

function downloadFailure(error: unknown, mirror: string | undefined): DriverInitError {
  const reason = withoutCredentials(reasonsOf(error)).replace(/[.\s]+$/, '');
  const from = mirror === undefined ? '' : ` from ${withoutCredentials(mirror)}`;
  const advice = FAILURE_ADVICE.find(([words]) => words.test(reason))?.[1];
  const message = `Cannot download Chrome for Testing${from}: ${reason}.`;
  return new DriverInitError([message, advice].filter(Boolean).join(' '), { cause: error });
}

/** Joins the messages along the `cause` chain and skips repeated ones. */
function reasonsOf(error: unknown): string {
  const versionText = sentenceOf(reasonOf(error));
  const cause = error instanceof Error && !(error instanceof DriverInitError) ? error.cause : undefined;
  if (cause === undefined) return versionText;
  const below = reasonsOf(cause);
  return versionText.includes(below) ? versionText : `${versionText}: ${below}`;
}

/** Puppeteer's message is "All providers failed" with one line per attempt. Keeps only the attempts, on one line. */
function sentenceOf(message: string): string {
  const tried = /^All providers failed [^\n]*\n\s*- \w+: (?<rest>.*)/s.exec(message)?.groups?.['rest'];
  return (tried ?? message).replace(/\s*\n\s*/g, ' ');
}

function withoutCredentials(text: string): string {
  return text.replace(/(?<=\/\/)[^/@\s]*@/g, '');
}

/**
 * Returns the output of `--version`, or `undefined` on Windows, where the option opens a window. Throws if the
 * executable cannot be started.
 */
export async function versionOf(executable: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const { stdout } = await execute(executable, ['--version']);
    return stdout.trim();
  } catch (error) {
    const advice = adviceFor([reasonOf(error)]) ?? 'It may be built for another platform.';
    throw new DriverInitError(`Cannot start ${executable}: ${reasonOf(error).trim()}. ${advice}`, { cause: error });
  }
}
