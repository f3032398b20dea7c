import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppStartError, type RunningApp } from './running-app.ts';

const START_TIMEOUT = 60_000;
const OUTPUT_KEPT = 4_000;

/**
 * Runs a server file in a process of its own, which gets a fresh directory as its argument and reports its address by
 * `reportUrl`. The process ends by itself when this one is gone.
 */
export async function startChildApp(name: string, serverFile: URL): Promise<RunningApp> {
  const directory = await mkdtemp(join(tmpdir(), `chauffeur-${name}-`));
  const child = fork(fileURLToPath(serverFile), [directory], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const close = async (): Promise<void> => {
    await endChild(child);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const url = await reportedUrl(name, child);
    let closing: Promise<void> | undefined;
    return { url, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function reportedUrl(name: string, child: ChildProcess): Promise<string> {
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('message', (message) => resolve(String(message)));
  child.once('exit', (code) =>
    reject(new AppStartError(`${name} ended with code ${code} before it listened.\n${output}`)),
  );
  const timer = setTimeout(
    () => reject(new AppStartError(`${name} did not listen within ${START_TIMEOUT} ms.\n${output}`)),
    START_TIMEOUT,
  );
  return promise.finally(() => clearTimeout(timer));
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
