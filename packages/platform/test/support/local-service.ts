import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that others connect to, on a port of this machine that it keeps when it is started again. */
export interface LocalService extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  start(): Promise<void>;
  /** Ends it with this signal, and waits for that. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

interface ServiceProgram {
  /** Where it keeps its files; removed with it. */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly url: string;
  readonly options?: SpawnOptions;
}

/** Starts a program that listens at a port. */
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
      // Nothing tells that it listens.
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
      // What it started ends a moment after it.
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

/** A port at which nobody listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
