import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ignoreRejection } from '../util/deferred.ts';
import type { Profile } from './profile.ts';

let watchdog: ChildProcess | undefined;
/** One that cannot live here is not started for ever. */
const MAX_REPLACEMENTS = 3;

/** As the watchdog reads it. */
const GUARDED_AT_START = 'CHAUFFEUR_GUARDED';

let replacements = 0;
const profileByPid = new Map<number, Profile>();

/**
 * Has a browser ended, and its temporary profile removed, should this process end without doing so itself.
 * One watchdog process serves all browsers of this process and ends with the last of them.
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
  // What it is to guard comes with its very start: written to the pipe it would be lost should this process be killed
  // between the two.
  const env = { ...process.env, [GUARDED_AT_START]: JSON.stringify([...profileByPid]) };
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
  });
  child.unref();
  // A broken pipe means the watchdog was killed from outside; its end is then told, too, and another takes over.
  child.stdin.on('error', ignoreRejection);
  child.once('error', () => watchdog === child && replaceWatchdog());
  child.once('exit', () => watchdog === child && replaceWatchdog());
  // The pipe is a socket underneath; unreferenced, it does not keep this process alive.
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
