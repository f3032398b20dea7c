import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { descendantsOf } from '../leftovers.ts';

/** A process of a Grid: hub, router or node. */
export interface GridPart {
  readonly name: string;
  /** Path of its log file. */
  readonly log: string;
  /** Kills it. Its child processes live on. */
  kill(): Promise<void>;
  /** Stops it and all that it started, as a machine does that is suspended. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** How to start a part. */
export interface PartSettings {
  readonly name: string;
  readonly jar: string;
  /** The role and its options. */
  readonly words: readonly string[];
  /** For its output, and the temporary folder of its child processes. */
  readonly folder: string;
}

/** Simple compilation and a small heap, because these run briefly beside browsers and tests. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx256m'];

/** Starts a part. The Grid reports when it is ready. */
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
