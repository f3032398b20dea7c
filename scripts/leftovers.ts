import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const GRACE = 5_000; // The library guarantees that nothing is left 5 s after its process has exited.
const POLL = 250; // The exit of a process that is not our child raises no event.

// After a worker was killed, vitest keeps its watchdog process until vitest itself exits.
const WATCHDOG = 'vitest-watchdog';

/**
 * Finds processes with `folder` in their environment or command line, and browser profiles in the folder. Waits up to
 * `grace` ms for them to disappear, then ends, removes and reports them.
 */
export async function endLeftovers(folder: string, grace = GRACE): Promise<string[]> {
  const end = performance.now() + grace;
  let found = await leftoversIn(folder);
  while (!isClean(found) && performance.now() < end) {
    await delay(POLL);
    found = await leftoversIn(folder);
  }
  for (const { pid } of found.processes) endProcess(pid);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return [
    ...found.processes.map(({ pid, command }) => `process ${pid}: ${command.slice(0, 200)}`),
    ...found.profiles.map((name) => `profile ${join(folder, name)}`),
  ];
}

interface Leftovers {
  readonly processes: readonly { readonly pid: number; readonly command: string }[];
  readonly profiles: readonly string[];
}

function isClean({ processes, profiles }: Leftovers): boolean {
  return processes.length === 0 && profiles.length === 0;
}

async function leftoversIn(folder: string): Promise<Leftovers> {
  return { processes: await processesOf(folder), profiles: await profilesIn(folder) };
}

export async function processesOf(folder: string): Promise<Leftovers['processes']> {
  const pids = (await entriesOf('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const described = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: (await textOf(`/proc/${pid}/cmdline`)).replaceAll('\0', ' '),
      environment: await textOf(`/proc/${pid}/environ`),
    })),
  );
  return described.filter(
    ({ command, environment }) => `${command}\n${environment}`.includes(folder) && !command.startsWith(WATCHDOG),
  );
}

/** Returns all descendants of a process. */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const pids = (await entriesOf('/proc')).map(Number).filter((each) => each > 0);
  const parents = await Promise.all(pids.map(parentOf));
  const found = [pid];
  // The loop also visits pids that are added during the iteration.
  for (const parent of found) found.push(...pids.filter((_each, index) => parents[index] === parent));
  return found.slice(1);
}

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)/m.exec(await textOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

// Chromium creates `Local State` in a folder that it uses as its profile.
async function profilesIn(folder: string): Promise<string[]> {
  const names = await entriesOf(folder);
  const contents = await Promise.all(names.map((name) => entriesOf(join(folder, name))));
  return names.filter((name, index) => name.startsWith('chauffeur') || contents[index]?.includes('Local State'));
}

// Only Linux has `/proc`, and its entries may disappear at any time.
async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Does nothing if the process has already exited. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
