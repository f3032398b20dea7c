/**
 * Runs as a process of its own beside the one that launches browsers, and outlives it by a moment: when that
 * one ends, by whatever means, its end of the pipe closes, and all that it still guarded is ended and removed.
 * It starts with those of the environment variable CHAUFFEUR_GUARDED, `[[pid, path | null], …]`.
 * Lines on standard input: `{"guard": pid, "profile": path | null}` and `{"release": pid}`.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Order {
  readonly guard?: number;
  readonly release?: number;
  readonly profile?: string | null;
}

const guardedAtStart = JSON.parse(process.env['CHAUFFEUR_GUARDED'] ?? '[]') as [pid: number, profile: string | null][];
const profileByPid = new Map(guardedAtStart);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { guard, release, profile = null } = JSON.parse(line) as Order;
  if (guard !== undefined) profileByPid.set(guard, profile);
  if (release !== undefined) profileByPid.delete(release);
});
lines.on('close', () => {
  for (const [pid, profile] of profileByPid) endBrowser(pid, profile);
});
// A terminal's Ctrl-C reaches the whole group; the pipe's end is the only signal that counts here.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function endBrowser(pid: number, profile: string | null): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the browser had already ended by itself. Its profile is removed all the same.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
  if (profile !== null) rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
