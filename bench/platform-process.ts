import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '../packages/platform/dist/main.js');
const LOOK_AGAIN_MS = 50;

/** A platform in its own process. */
export interface PlatformProcess extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  /** Creates a session. `connectUrl` is the DevTools URL of its browser. */
  readonly create: (parameters?: object) => Promise<RentedSession>;
  /** Waits until a pre-started browser is available. */
  readonly hasBrowserReady: () => Promise<void>;
}

export interface RentedSession {
  readonly id: string;
  readonly connectUrl: string;
  readonly end: () => Promise<void>;
}

/** Starts a platform with these additional arguments and waits until it listens. */
export async function startPlatformProcess(words: readonly string[] = []): Promise<PlatformProcess> {
  const data = await mkdtemp(join(tmpdir(), 'chauffeur-bench-platform-'));
  const own = ['--port', '0', '--data', data, '--log-level', 'silent'];
  const always = [...own, '--allow-network', '127.0.0.0/8', '--allow-no-sandbox'];
  const platform = spawn(process.execPath, [MAIN, ...always, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { url, key } = await addressOf(platform);
  const ask = async (path: string, body?: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const post = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(url + path, { headers, ...post });
    if (!response.ok)
      throw new Error(`The platform responded with ${response.status} to ${path}: ${await response.text()}`);
    return response;
  };
  return {
    url,
    key,
    pid: platform.pid ?? 0,
    create: async (parameters = {}) => {
      const response = await ask('/v1/sessions', parameters);
      const { id, connectUrl } = (await response.json()) as { id: string; connectUrl: string };
      const end = async (): Promise<void> => {
        await ask(`/v1/sessions/${id}`, { status: 'REQUEST_RELEASE' });
      };
      return { id, connectUrl, end };
    },
    hasBrowserReady: async () => {
      while (!/^chauffeur_browsers_ready [1-9]/m.test(await (await ask('/metrics')).text())) await pause(LOOK_AGAIN_MS);
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(platform, 'exit');
      platform.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** The platform prints its URL and then its first key. */
async function addressOf({ stdout }: ChildProcess): Promise<{ url: string; key: string }> {
  if (!stdout) throw new Error('The platform was started without a pipe.');
  let url = '';
  for await (const line of createInterface({ input: stdout })) {
    url = /^Platform at (\S+)/.exec(line)?.[1] ?? url;
    const key = /^REMOTE_API_KEY=(\S+)/.exec(line)?.[1];
    if (key !== undefined) return { url, key };
  }
  throw new Error('The platform exited before it listened.');
}
