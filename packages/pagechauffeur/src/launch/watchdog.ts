/**
 * A separate process that outlives the process that launched browsers. When that process ends for any reason, its end
 * of the pipe closes. The watchdog then kills the browsers that are still guarded and removes their files.
 * The initial list is the environment variable CHAUFFEUR_GUARDED, `[[pid, profile], …]`.
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
  // One failure must not stop the others. Nobody is left to report it to.
  void Promise.allSettled([...profileByPid].map(([pid, profile]) => removeProfile(profile, pid)));
});
// These signals must not end the watchdog. It exits when the pipe closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the browser has already exited. Its profile is still removed.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
