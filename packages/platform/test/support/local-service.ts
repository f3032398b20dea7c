import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A program on a port that it keeps across restarts. */
export interface LocalService extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  start(): Promise<void>;
  /** Stops it with a signal and waits. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

interface ServiceProgram {
  /** Its data folder. Removed with it. */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly url: string;
  readonly options?: SpawnOptions;
}

/** Starts a program that listens on a port. */
export async function startService({
  command,
  args,
  port,
  url,
  folder,
  options = {},
}: ServiceProgram): Promise<LocalService> {
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new TypeError(`${command} ended with ${child.exitCode}`);
      // No event reports that it listens.
      await pause(20);
    }
  };
  const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  await start();
  return {
    url,
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
      // Its child processes exit a moment later.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('connect', () => resolve(true));
  socket.on('error', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
