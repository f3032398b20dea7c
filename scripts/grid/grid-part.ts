import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { descendantsOf } from '../leftovers.ts';

/** A process of a Grid, for example the hub or a node. */
export interface GridPart {
  readonly name: string;
  /** Path of the log file. */
  readonly log: string;
  /** Kills the process. Its child processes keep running. */
  kill(): Promise<void>;
  /** Suspends the process and its descendants, as a suspended machine would. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** How to start a part. */
export interface PartSettings {
  readonly name: string;
  readonly jar: string;
  /** The role and its options. */
  readonly words: readonly string[];
  /** Folder for the log and for temporary files. */
  readonly folder: string;
}

/** Simple compilation and a small heap, because these processes run briefly beside browsers and tests. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx256m'];

/** Starts a part, without waiting until it is ready. */
export function startPart({ name, jar, words, folder }: PartSettings): GridPart {
  const log = join(folder, `${name}.log`);
  const file = openSync(log, 'a');
  const child = spawn('java', [...JAVA_OPTIONS, `-Djava.io.tmpdir=${folder}`, '-jar', jar, ...words], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> => {
    if (child.pid === undefined) return;
    for (const pid of [child.pid, ...(await descendantsOf(child.pid))]) process.kill(pid, signal);
  };
  return { name, log, kill, freeze: () => signalAll('SIGSTOP'), thaw: () => signalAll('SIGCONT') };
}
