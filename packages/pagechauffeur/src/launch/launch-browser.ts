import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { DriverInitError } from '../errors.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { NameCheck } from '../cdp/network/name-check.ts';
import { needsNameRelay } from './bound-arguments.ts';
import { type ArgumentSettings, browserArguments } from './default-arguments.ts';
import { guardBrowser } from './guard.ts';
import { adviceFor, isUnreachable, isWorthNoting, lacksSandbox } from './launch-advice.ts';
import { isInPath } from './find-browser.ts';
import { nameCheck } from './named-addresses.ts';
import { type NameRelay, openNameRelay } from './name-relay.ts';
import { makeProfile, openProfile, type Profile, removeProfile, temporaryFolder } from './profile.ts';

/** Launch options after all defaults are applied. */
export interface LaunchSettings extends Omit<ArgumentSettings, 'userDataDir' | 'isRoot' | 'relayPort'> {
  readonly executablePath: string;
  readonly userDataDir: string | undefined;
  /** Leaves the browser running after `close()` and after this process exits. */
  readonly keepAlive: boolean;
  /** Chromium preferences for a new profile. Default: no preloading, autofill or saved passwords. */
  readonly preferences?: object;
  /** Runs the browser as this system user. Requires root. Default: the current user. */
  readonly user?: BrowserUser | undefined;
}

/** Numeric ids of a system user. No account needs to exist for them. */
export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
}

/** The browser exited because no sandbox is usable on this system. */
export class NoSandboxError extends DriverInitError {}

/** A browser process and its temporary files. */
export interface LaunchedBrowser {
  /** DevTools WebSocket URL: `ws://127.0.0.1:…`. */
  readonly url: string;
  readonly pid: number;
  readonly args: readonly string[];
  /** Download folder. `end()` removes it. */
  readonly downloads: string;
  /** Explains navigations that failed because of the host name. Undefined if host names are not checked. */
  readonly names: NameCheck | undefined;
  /**
   * Waits up to 5 s for the browser to exit after `Browser.close`, then kills it. With `force`, kills it immediately.
   * Removes temporary files.
   */
  end(options: { force: boolean }): Promise<void>;
  /** Leaves the browser running and stops watching it. */
  leave(): void;
}

/** Time for a closing browser to write its profile, in ms. It is killed afterwards. */
export const CLOSE_GRACE_MS = 5000;
const LAST_OUTPUT_LINES = 20;
/** Time to read the output after an exit, in ms. A child process may keep the pipe open. */
const LAST_OUTPUT_MS = 500;

/**
 * Shell script that waits for a line on file descriptor 3 and then becomes the browser, with the same process id. It
 * exits if the pipe closes first, so a driver that is killed during a start leaves no unguarded browser.
 */
const GATE = 'read -r line <&3 && exec "$0" "$@" 3<&-';
/** Windows has no such shell. A driver that is killed there during a start may leave a browser and its profile. */
const HAS_GATE = process.platform !== 'win32';

/**
 * Starts a browser and waits until it prints its DevTools WebSocket URL. On failure, kills it and removes its files.
 */
export async function launchBrowser(progress: Progress, settings: LaunchSettings): Promise<LaunchedBrowser> {
  const profile = await openProfile(settings);
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0 && !settings.user;
  const { domainPolicy, keepAlive } = settings;
  const relay = domainPolicy && needsNameRelay(settings) ? await openNameRelay(domainPolicy) : undefined;
  const args = browserArguments({ ...settings, userDataDir: profile.path, isRoot, relayPort: relay?.port });
  const child = await startProcess(progress, { settings, profile, args, relay });
  const browser = new BrowserProcess(child, { profile, relay, keepAlive });
  try {
    if (HAS_GATE) letRun(child, profile, settings.user);
    progress.log(`started ${settings.executablePath}`);
    progress.log('waiting for its DevTools WebSocket URL');
    return browser.at(await progress.race(devToolsUrl(progress, child, settings)), args);
  } catch (error) {
    await browser.end({ force: true });
    throw error;
  }
}

interface Starting {
  readonly settings: LaunchSettings;
  readonly profile: Profile;
  readonly args: readonly string[];
  readonly relay: NameRelay | undefined;
}

/** Starts the browser, or the {@link GATE} shell that becomes the browser. */
async function startProcess(progress: Progress, { settings, profile, args, relay }: Starting): Promise<ChildProcess> {
  try {
    if (HAS_GATE) await checkExecutable(settings.executablePath);
    else makeProfile(profile, settings.user);
    return spawnBrowser(settings, args, profile);
  } catch (error) {
    relay?.close();
    await removeProfile(profile, undefined);
    throw failedStart(progress, settings, { how: `cannot be started: ${reasonOf(error)}`, cause: error });
  }
}

/** The shell's own message would not name the executable. A name without a slash is searched in `PATH`. */
async function checkExecutable(path: string): Promise<void> {
  if (!path.includes('/')) {
    if (!isInPath(path)) throw new TypeError('ENOENT: no folder in PATH contains a program of this name');
    return;
  }
  await access(path, constants.X_OK);
  if ((await stat(path)).isDirectory()) throw new TypeError('EACCES: it is a folder');
}

function spawnBrowser(
  { executablePath, user }: LaunchSettings,
  args: readonly string[],
  profile: Profile,
): ChildProcess {
  const [command, ...rest] = HAS_GATE ? ['/bin/sh', '-c', GATE, executablePath, ...args] : [executablePath, ...args];
  // A separate process group can be killed as a whole and does not receive Ctrl-C from a terminal.
  return spawn(command, rest, {
    detached: HAS_GATE,
    stdio: ['ignore', 'ignore', 'pipe', HAS_GATE ? 'pipe' : 'ignore'],
    // That user may have no home folder and no access to the current directory.
    ...(user ? { ...user, cwd: '/' } : {}),
    env: { ...browserEnvironment(), ...temporaryFolder(profile), ...(user ? { HOME: profile.path } : {}) },
  });
}

/** Omits `CHAUFFEUR_*` variables, which can contain keys and database URLs. */
function browserEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CHAUFFEUR_')));
}

/** Opens the gate. The profile must exist before the shell becomes the browser. */
function letRun({ pid, stdio: [, , , gate] }: ChildProcess, profile: Profile, user: BrowserUser | undefined): void {
  if (pid === undefined || !(gate instanceof Socket)) return;
  makeProfile(profile, user);
  // `devToolsUrl` reports the exit of the shell.
  gate.on('error', ignoreRejection);
  gate.end('run\n');
}

async function devToolsUrl(progress: Progress, child: ChildProcess, settings: LaunchSettings): Promise<string> {
  const found = deferred<string>();
  const fail = (how: string, cause?: unknown): void => found.reject(failedStart(progress, settings, { how, cause }));
  const { stderr } = child;
  if (!stderr) throw new DriverInitError('The browser has no standard error to read its WebSocket URL from.');
  const lines = createInterface({ input: stderr });
  lines.on('line', (line) => {
    const url = /^DevTools listening on (ws:\/\/\S+)/.exec(line)?.[1];
    if (url && isAtPort(url, settings.port)) return found.resolve(url);
    if (isWorthNoting(line)) progress.log(`browser: ${line}`);
    if (url || isUnreachable(line)) fail('cannot be reached');
  });
  child.once('error', (error) => fail(`cannot be started: ${error.message}`, error));
  child.once('exit', (code, signal) => {
    const how = `exited with ${signal ?? `code ${code}`} before it was ready`;
    void withTimeout(LAST_OUTPUT_MS, once(child, 'close')).then(() => fail(how));
  });
  try {
    return await found.promise;
  } finally {
    lines.close();
    stderr.resume();
  }
}

/** If the port is in use, Chromium listens on `[::1]` only, where no client connects. */
function isAtPort(url: string, port: number | undefined): boolean {
  return !port || new URL(url).hostname !== '[::1]';
}

function failedStart(
  { callLog }: Progress,
  { executablePath, userDataDir }: LaunchSettings,
  { how, cause }: { how: string; cause: unknown },
): DriverInitError {
  const profile =
    userDataDir && `Check that no other browser uses the profile ${userDataDir}. Only one can use it at a time.`;
  const message = [`The browser ${executablePath} ${how}.`, adviceFor([how, ...callLog]) ?? profile]
    .filter(Boolean)
    .join(' ');
  const Failure = lacksSandbox(callLog) ? NoSandboxError : DriverInitError;
  return new Failure(message, { cause, callLog: callLog.slice(-LAST_OUTPUT_LINES) });
}

class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #profile: Profile;
  readonly #relay: NameRelay | undefined;
  readonly #guard: Disposable | undefined;

  constructor(
    child: ChildProcess,
    { profile, relay, keepAlive }: Pick<Starting, 'profile' | 'relay'> & { keepAlive: boolean },
  ) {
    this.#child = child;
    this.#profile = profile;
    this.#relay = relay;
    if (!keepAlive && child.pid !== undefined) this.#guard = guardBrowser(child.pid, profile);
  }

  at(url: string, args: readonly string[]): LaunchedBrowser {
    this.#letParentExit();
    const { downloads } = this.#profile;
    const pid = this.#child.pid ?? 0;
    const names = nameCheck(args, this.#relay);
    return { url, pid, args, downloads, names, end: (options) => this.end(options), leave: () => this.leave() };
  }

  async end({ force }: { force: boolean }): Promise<void> {
    const isRunning = this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
    if (isRunning) await this.#waitForExit(force ? 0 : CLOSE_GRACE_MS);
    this.#killGroup();
    this.#relay?.close();
    await removeProfile(this.#profile, this.#child.pid);
    this.#guard?.[Symbol.dispose]();
  }

  leave(): void {
    this.#child.stderr?.destroy();
    this.#guard?.[Symbol.dispose]();
  }

  async #waitForExit(grace: number): Promise<void> {
    const exited = once(this.#child, 'exit');
    // `at()` called `unref`, so the event loop could end before the exit.
    this.#child.ref();
    const timer = setTimeout(() => this.#killGroup(), grace);
    try {
      await exited;
    } finally {
      clearTimeout(timer);
    }
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: the group has already exited.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }

  /** A running browser must not keep this process alive. Until `close()`, only the CDP connection does. */
  #letParentExit(): void {
    this.#child.unref();
    const stderr: unknown = this.#child.stderr;
    if (stderr instanceof Socket) stderr.unref();
  }
}
