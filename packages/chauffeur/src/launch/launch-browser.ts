import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DriverInitError } from '../errors.ts';
import { deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { type ArgumentSettings, browserArguments } from './default-arguments.ts';
import { guardBrowser } from './guard.ts';

/** What decides how a local browser is started; nothing is optional any more. */
export interface LaunchSettings extends Omit<ArgumentSettings, 'userDataDir' | 'isRoot'> {
  readonly executablePath: string;
  readonly userDataDir: string | undefined;
  /** The browser outlives this process and `close()`. */
  readonly keepAlive: boolean;
}

/** A browser that this process started. */
export interface LaunchedBrowser {
  /** Its DevTools socket, `ws://127.0.0.1:…`. */
  readonly url: string;
  readonly pid: number;
  /** Waits until the browser, asked to close over its protocol, has ended; kills it when it does not. Removes a temporary profile. */
  end(options: { force: boolean }): Promise<void>;
  /** Stops watching over the browser and leaves it running. */
  leave(): void;
}

const PROFILE_PREFIX = 'chauffeur-profile-';
/** A browser that was asked to close writes its profile first; after this long it is killed. */
const CLOSE_GRACE_MS = 5000;
const LAST_WORDS_LINES = 20;

/** Starts a browser and waits for the line that names its DevTools socket. */
export async function launchBrowser(progress: Progress, settings: LaunchSettings): Promise<LaunchedBrowser> {
  const profile = await profileFolder(settings.userDataDir);
  const child = startProcess(settings, profile.path);
  const browser = new BrowserProcess(child, profile, settings.keepAlive);
  try {
    const url = await progress.race(devToolsUrl(child, settings.executablePath));
    return browser.at(url);
  } catch (error) {
    await browser.end({ force: true });
    throw error;
  }
}

interface Profile {
  readonly path: string;
  readonly isTemporary: boolean;
}

async function profileFolder(userDataDir: string | undefined): Promise<Profile> {
  if (userDataDir !== undefined) return { path: userDataDir, isTemporary: false };
  return { path: await mkdtemp(join(tmpdir(), PROFILE_PREFIX)), isTemporary: true };
}

function startProcess(settings: LaunchSettings, userDataDir: string): ChildProcess {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const args = browserArguments({ ...settings, userDataDir, isRoot });
  // A group of its own: ended as a whole, and a terminal's Ctrl-C does not reach it.
  return spawn(settings.executablePath, args, { detached: process.platform !== 'win32', stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Reads the browser's standard error until it says where it listens. */
async function devToolsUrl(child: ChildProcess, executablePath: string): Promise<string> {
  const found = deferred<string>();
  const lastWords: string[] = [];
  const { stderr } = child;
  if (!stderr) throw new DriverInitError('The browser has no standard error to read its address from.');
  const lines = createInterface({ input: stderr });
  lines.on('line', (line) => {
    const url = /^DevTools listening on (ws:\/\/\S+)/.exec(line)?.[1];
    if (url) found.resolve(url);
    lastWords.push(line);
    if (lastWords.length > LAST_WORDS_LINES) lastWords.shift();
  });
  child.once('error', (error) => found.reject(new DriverInitError(`The browser ${executablePath} cannot be started: ${error.message}`, { cause: error })));
  child.once('exit', (code, signal) => found.reject(diedEarly(executablePath, signal ?? `code ${code}`, lastWords)));
  try {
    return await found.promise;
  } finally {
    lines.close();
    stderr.resume();
  }
}

function diedEarly(executablePath: string, how: string, lastWords: readonly string[]): DriverInitError {
  const words = lastWords.length > 0 ? ` Its last words:\n${lastWords.join('\n')}` : '';
  return new DriverInitError(`The browser ${executablePath} ended with ${how} before it could be driven.${words}`);
}

class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #profile: Profile;
  readonly #guard: Disposable | undefined;

  constructor(child: ChildProcess, profile: Profile, keepAlive: boolean) {
    this.#child = child;
    this.#profile = profile;
    if (!keepAlive && child.pid !== undefined) this.#guard = guardBrowser(child.pid, profile.isTemporary ? profile.path : null);
  }

  at(url: string): LaunchedBrowser {
    this.#letParentExit();
    return { url, pid: this.#child.pid ?? 0, end: (options) => this.end(options), leave: () => this.leave() };
  }

  async end({ force }: { force: boolean }): Promise<void> {
    const isRunning = this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
    if (isRunning) await this.#waitForExit(force ? 0 : CLOSE_GRACE_MS);
    // Children of the browser may outlive it by a moment and still write to the profile.
    this.#killGroup();
    if (this.#profile.isTemporary) await rm(this.#profile.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    this.#guard?.[Symbol.dispose]();
  }

  leave(): void {
    this.#child.stderr?.destroy();
    this.#guard?.[Symbol.dispose]();
  }

  async #waitForExit(grace: number): Promise<void> {
    const exited = once(this.#child, 'exit');
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
      // ESRCH: nothing of the group is left, which is what was wanted.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }

  /** A forgotten `close()` must not keep the user's process alive; the guard cleans up behind it. */
  #letParentExit(): void {
    this.#child.unref();
    const { stderr } = this.#child;
    if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
  }
}
