import { once } from 'node:events';

export interface LoadedSession {
  readonly id: string;
  readonly connectUrl: string;
  /** Time for the creation, in ms. */
  readonly ms: number;
}

/** A client of a platform's API that also measures time. */
export class Tenant {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async create(): Promise<LoadedSession> {
    const begun = performance.now();
    const answer = await this.#post('/v1/sessions', { keepAlive: true });
    const { id, connectUrl } = (await answer.json()) as { id: string; connectUrl: string };
    return { id, connectUrl, ms: performance.now() - begun };
  }

  async release(id: string): Promise<void> {
    await this.#post(`/v1/sessions/${id}`, { status: 'REQUEST_RELEASE' });
  }

  /** Sends two log events, as a driver does at most once per second. */
  async tell(id: string): Promise<void> {
    const event = { kind: 'act', title: 'buy the mug', outcome: 'x'.repeat(200), isFailed: false };
    const time = new Date().toISOString();
    await this.#post(`/v1/sessions/${id}/logs`, { events: [1, 2].map(() => ({ ...event, time })) });
  }

  /** Requests a cache entry that does not exist. */
  async askCache(): Promise<void> {
    const answer = await fetch(`${this.#url}/v1/cache/none`, { headers: { authorization: `Bearer ${this.#key}` } });
    await answer.text();
  }

  async #post(path: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
    const answer = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The platform responded with ${answer.status} to ${path}: ${await answer.text()}`);
    return answer;
  }
}

export interface LoadedClient extends Disposable {
  /** Sends a browser command and returns the time until the response, in ms. */
  command(): Promise<number>;
}

/** With `port`, connects through the server on that port, which need not own the session. */
export async function connectClient({ connectUrl }: LoadedSession, port?: number): Promise<LoadedClient> {
  const url = new URL(connectUrl);
  if (port !== undefined) url.host = `127.0.0.1:${port}`;
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let id = 0;
  return {
    command: async () => {
      const begun = performance.now();
      const answered = once(socket, 'message');
      socket.send(JSON.stringify({ id: (id += 1), method: 'Browser.getVersion' }));
      await answered;
      return performance.now() - begun;
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

/** Calls `work` for at most `width` items at the same time. Returns the results in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const runner = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, runner));
  return results;
}

/** Formats the median and the 95th percentile. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return `${at(0.5)} ms, ${at(0.95)} ms`;
}
