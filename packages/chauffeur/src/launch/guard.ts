import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let watchdog: ChildProcess | undefined;
let guarded = 0;

/**
 * Has a browser ended, and its temporary profile removed, should this process end without doing so itself.
 * One watchdog process serves all browsers of this process and ends with the last of them.
 */
export function guardBrowser(pid: number, profile: string | null): Disposable {
  guarded += 1;
  watchdog ??= startWatchdog();
  tell({ guard: pid, profile });
  return { [Symbol.dispose]: () => release(pid) };
}

function release(pid: number): void {
  tell({ release: pid });
  guarded -= 1;
  if (guarded > 0) return;
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
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
