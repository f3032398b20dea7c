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

/** Settings for starting a local browser, with all defaults filled in. */
export interface LaunchSettings extends Omit<ArgumentSettings, 'userDataDir' | 'isRoot' | 'relayPort'> {
  readonly executablePath: string;
  readonly userDataDir: string | undefined;
  /** True if the browser outlives this process and `close()`. */
  readonly keepAlive: boolean;
  /** Preferences of a new profile. Default: those for a browser used by one driver. */
  readonly preferences?: object;
  /** User id and group id of the browser process. Requires root. Default: the current user. */
  readonly user?: BrowserUser | undefined;
}

/** A system user by id. The ids need no user account. */
export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
}

/** Thrown if the browser exits because the system has no usable sandbox. */
export class NoSandboxError extends DriverInitError {}

/** A browser that this process started. */
export interface LaunchedBrowser {
  /** Its DevTools WebSocket URL, `ws://127.0.0.1:…`. */
  readonly url: string;
  readonly pid: number;
  /** The arguments it was started with. */
  readonly args: readonly string[];
  /** Folder for its downloads. Removed with the browser. */
  readonly downloads: string;
  /** Blocks host names that resolve to blocked addresses. Undefined if host names are not checked. */
  readonly names: NameCheck | undefined;
  /**
   * Waits until the browser, which was closed over CDP, has exited. Kills it if it does not exit. Removes a temporary
   * profile.
   */
  end(options: { force: boolean }): Promise<void>;
  /** Stops guarding the browser and leaves it running. */
  leave(): void;
}

/** Maximum ms for a closing browser to write its profile. It is killed afterwards. */
export const CLOSE_GRACE_MS = 5000;
const LAST_WORDS_LINES = 20;
/** Maximum ms to read the browser's output after it exits, because a child process may keep the pipe open. */
const LAST_WORDS_MS = 500;

/**
 * Shell script that waits for a line on file descriptor 3 and then becomes the browser, with the same process id. It
 * exits if the pipe closes first, so that a process killed during a start leaves no unguarded browser.
 */
const GATE = 'read -r line <&3 && exec "$0" "$@" 3<&-';
/** Windows has no such shell. A process that is killed there during a start may leave a browser and its profile. */
const HAS_GATE = process.platform !== 'win32';

/** Starts a browser and waits for its DevTools WebSocket URL on standard error. Cleans up on failure. */
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

/** Everything that is needed to start a browser. */
interface Starting {
  readonly settings: LaunchSettings;
  readonly profile: Profile;
  readonly args: readonly string[];
  readonly relay: NameRelay | undefined;
}

/** Starts the browser process, or on systems with `HAS_GATE` a shell that waits to become the browser. */
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

/** Checks the executable, because the shell would print its own message. Searches a name without a folder in `PATH`. */
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
  // Its own process group can be killed as a whole, and Ctrl-C in a terminal does not reach it.
  return spawn(command, rest, {
    detached: HAS_GATE,
    stdio: ['ignore', 'ignore', 'pipe', HAS_GATE ? 'pipe' : 'ignore'],
    // Another user has no home folder and may have no access to the current directory.
    ...(user ? { ...user, cwd: '/' } : {}),
    env: { ...browserEnvironment(), ...temporaryFolder(profile), ...(user ? { HOME: profile.path } : {}) },
  });
}

/** Returns the environment variables for a browser. Excludes `CHAUFFEUR_*`, which contain keys and database URLs. */
function browserEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CHAUFFEUR_')));
}

/** Creates the browser's folders and lets the waiting shell become the browser. */
function letRun({ pid, stdio: [, , , gate] }: ChildProcess, profile: Profile, user: BrowserUser | undefined): void {
  if (pid === undefined || !(gate instanceof Socket)) return;
  makeProfile(profile, user);
  // The exit of the shell is handled elsewhere.
  gate.on('error', ignoreRejection);
  gate.end('run\n');
}

/** Reads the browser's standard error until it prints its WebSocket URL. */
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
    void withTimeout(LAST_WORDS_MS, once(child, 'close')).then(() => fail(how));
  });
  try {
    return await found.promise;
  } finally {
    lines.close();
    stderr.resume();
  }
}

/** False if the port is in use. The browser then listens on the same port of IPv6, to which no client connects. */
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
  return new Failure(message, { cause, callLog: callLog.slice(-LAST_WORDS_LINES) });
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
    // Keeps the event loop alive during the wait.
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

  /**
   * Lets this process exit while the browser is running. Until `close()`, only the connection keeps the process alive.
   */
  #letParentExit(): void {
    this.#child.unref();
    const stderr: unknown = this.#child.stderr;
    if (stderr instanceof Socket) stderr.unref();
  }
}
