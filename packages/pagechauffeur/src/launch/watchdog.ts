/**
 * Runs as a process of its own beside the one that launches browsers, and outlives it by a moment: when that
 * one ends, by whatever means, its end of the pipe closes, and all that it still guarded is ended and removed.
 * It starts with those of the environment variable CHAUFFEUR_GUARDED, `[[pid, profile], …]`.
 * Lines on standard input: `{"guard": pid, "profile": profile}` and `{"release": pid}`.
 */
import { createInterface } from 'node:readline';
import { type Profile, removeProfile } from './profile.ts';

type Order = { readonly guard: number; readonly profile: Profile } | { readonly release: number };

const guardedAtStart = JSON.parse(process.env['CHAUFFEUR_GUARDED'] ?? '[]') as [pid: number, profile: Profile][];
const profileByPid = new Map(guardedAtStart);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const order = JSON.parse(line) as Order;
  if ('guard' in order) profileByPid.set(order.guard, order.profile);
  else profileByPid.delete(order.release);
});
lines.on('close', () => {
  for (const pid of profileByPid.keys()) killGroup(pid);
  // One that cannot be removed keeps none of the others; there is nobody left to be told.
  void Promise.allSettled([...profileByPid].map(([pid, profile]) => removeProfile(profile, pid)));
});
// A terminal's Ctrl-C reaches the whole group; the pipe's end is the only signal that counts here.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the browser had already ended by itself. Its profile is removed all the same.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
