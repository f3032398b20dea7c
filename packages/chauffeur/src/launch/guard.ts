import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

let watchdog: ChildProcess | undefined;
const guarded = new Set<number>();

/**
 * Has a browser ended, and its temporary profile removed, should this process end without doing so itself.
 * One watchdog process serves all browsers of this process and ends with the last of them.
 */
export function guardBrowser(pid: number, profile: string | null): Disposable {
  guarded.add(pid);
  watchdog ??= startWatchdog();
  tell({ guard: pid, profile });
  return { [Symbol.dispose]: () => release(pid) };
}

function release(pid: number): void {
  if (!guarded.delete(pid)) return;
  tell({ release: pid });
  if (guarded.size > 0) return;
  watchdog?.stdin?.end();
  watchdog = undefined;
}

function tell(order: object): void {
  watchdog?.stdin?.write(`${JSON.stringify(order)}\n`);
}

function startWatchdog(): ChildProcess {
  const file = new URL(import.meta.url.endsWith('.ts') ? './watchdog.ts' : './watchdog.js', import.meta.url);
  const child = spawn(process.execPath, [fileURLToPath(file)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  // A broken pipe means the watchdog was killed from outside; browsers are then ended by `close()` alone.
  child.stdin.on('error', () => undefined);
  // The pipe is a socket underneath; unreferenced, it does not keep this process alive.
  const stdin: unknown = child.stdin;
  if (stdin instanceof Socket) stdin.unref();
  return child;
}
