import { once } from 'node:events';

/** A session that was created for the load. */
export interface LoadedSession {
  readonly id: string;
  readonly connectUrl: string;
  /** How long it took to create it, in milliseconds. */
  readonly ms: number;
}

/** One who rents browsers: asks a platform, and notes how long it takes. */
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

  /** Tells two things that were done in a session, as a driver does at most once a second. */
  async tell(id: string): Promise<void> {
    const event = { kind: 'act', title: 'buy the mug', outcome: 'x'.repeat(200), isFailed: false };
    const time = new Date().toISOString();
    await this.#post(`/v1/sessions/${id}/logs`, { events: [1, 2].map(() => ({ ...event, time })) });
  }

  /** Asks the cache for something that nobody has found out yet. */
  async askCache(): Promise<void> {
    const answer = await fetch(`${this.#url}/v1/cache/none`, { headers: { authorization: `Bearer ${this.#key}` } });
    await answer.text();
  }

  async #post(path: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
    const answer = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The platform answers ${answer.status} to ${path}: ${await answer.text()}`);
    return answer;
  }
}

/** A connection to the browser of a session. */
export interface LoadedClient extends Disposable {
  /** Sends a command of the browser and gives how long its answer took, in milliseconds. */
  command(): Promise<number>;
}

/** Connects to the browser of a session, by the server at a port where one is given. */
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

/** Does work for each item, so many at a time, and gives what came of it in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const runner = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, runner));
  return results;
}

/** The middle one of some times, and the one that 95 of 100 stay below. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return `${at(0.5)} ms, ${at(0.95)} ms`;
}
