import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ignoreRejection } from '../util/deferred.ts';
import type { Profile } from './profile.ts';

let watchdog: ChildProcess | undefined;
/** Limits restarts on systems where the watchdog cannot run. */
const MAX_REPLACEMENTS = 3;

const GUARDED_AT_START = 'CHAUFFEUR_GUARDED';

let replacements = 0;
const profileByPid = new Map<number, Profile>();

/**
 * Makes a watchdog process kill the browser and remove its temporary files if this process exits without doing so. All
 * browsers of this process share one watchdog, which exits after the last one is released.
 */
export function guardBrowser(pid: number, profile: Profile): Disposable {
  profileByPid.set(pid, profile);
  if (watchdog === undefined) watchdog = startWatchdog();
  else tell({ guard: pid, profile });
  return { [Symbol.dispose]: () => release(pid) };
}

function release(pid: number): void {
  if (!profileByPid.delete(pid)) return;
  tell({ release: pid });
  if (profileByPid.size > 0) return;
  watchdog?.stdin?.end();
  watchdog = undefined;
}

function tell(order: object): void {
  watchdog?.stdin?.write(`${JSON.stringify(order)}\n`);
}

function startWatchdog(): ChildProcess {
  const file = new URL(import.meta.url.endsWith('.ts') ? './watchdog.ts' : './watchdog.js', import.meta.url);
  // The initial list is passed in the environment, because this process may be killed before it writes to the pipe.
  const env = { ...process.env, [GUARDED_AT_START]: JSON.stringify([...profileByPid]) };
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
  });
  child.unref();
  // A broken pipe means that the watchdog was killed. Its `exit` event starts a new one.
  child.stdin.on('error', ignoreRejection);
  child.once('error', () => watchdog === child && replaceWatchdog());
  child.once('exit', () => watchdog === child && replaceWatchdog());
  // The pipe is a socket. After `unref`, it does not keep this process alive.
  const stdin: unknown = child.stdin;
  if (stdin instanceof Socket) stdin.unref();
  return child;
}

function replaceWatchdog(): void {
  watchdog = undefined;
  replacements += 1;
  if (replacements > MAX_REPLACEMENTS) return;
  watchdog = startWatchdog();
}
