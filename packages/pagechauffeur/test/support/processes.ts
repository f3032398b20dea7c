import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether a process runs; one that has ended and only waits to be collected does not. */
export function isRunning(pid: number): boolean {
  return !['', 'Z', 'X'].includes(statusField(pid, 'State').slice(0, 1));
}

/** The arguments that a process was started with. */
export function commandLine(pid: number): readonly string[] {
  return readProcessFile(pid, 'cmdline').split('\0').filter(Boolean);
}

/** The profile folder of a browser. */
export function profileOf(browser: number): string {
  const prefix = '--user-data-dir=';
  const argument = commandLine(browser).find((part) => part.startsWith(prefix));
  if (argument === undefined) throw new TypeError(`process ${browser} has no profile`);
  return argument.slice(prefix.length);
}

/** Every running process that was started with an argument that contains `text`. */
export function processesWith(text: string): number[] {
  return allProcesses().filter((pid) => isRunning(pid) && commandLine(pid).some((argument) => argument.includes(text)));
}

/** Every running process that was started by this one. */
export function childrenOf(parent: number): number[] {
  return allProcesses().filter((pid) => Number(statusField(pid, 'PPid')) === parent && isRunning(pid));
}

/** What is left of a browser: its processes and its profile. */
export function remainsOf(profile: string): readonly (number | string)[] {
  return [...processesWith(profile), ...(existsSync(profile) ? [profile] : [])];
}

function allProcesses(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function statusField(pid: number, name: string): string {
  return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readProcessFile(pid, 'status'))?.[1] ?? '';
}

function readProcessFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}

/** What this process holds open: processes, sockets, servers and pipes. Timers and file reads also belong to the test runner. */
export function openHandles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /Process|TCP|Pipe|Server|Socket/.test(name))
    .toSorted();
}
