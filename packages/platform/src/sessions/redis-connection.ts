import { createClient } from '@redis/client';
import type { PlatformLog } from '../platform-log.ts';
import { Reachability } from '../reachability.ts';

const CONNECT_MS = 5000;
/** Closes a connection after this long without data. A healthy one gets a pong every 3 s. */
const SILENCE_MS = 10_000;
const PING_MS = 3000;
const LONGEST_PAUSE_MS = 500;

/**
 * Redis client that reconnects. `timeout` limits the retries of the first connection, in milliseconds. Commands fail
 * immediately while disconnected.
 */
export class RedisConnection {
  readonly #client: ReturnType<typeof createClient>;
  readonly #listener: ReturnType<typeof createClient>;
  readonly state: Reachability;
  #isOpen = false;

  constructor(url: string, log: PlatformLog, timeout: number) {
    const begun = performance.now();
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      pingInterval: PING_MS,
      socket: {
        connectTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        reconnectStrategy: (retries, cause) =>
          this.#isOpen || performance.now() - begun < timeout ? Math.min(50 * retries, LONGEST_PAUSE_MS) : cause,
      },
    });
    // Subscriptions need their own connection. The client subscribes again after a reconnect.
    this.#listener = this.#client.duplicate({ disableOfflineQueue: false });
    this.state = new Reachability(log, 'redis');
    this.#client.on('error', (error) => this.state.missed(error));
    this.#client.on('ready', () => this.state.reached());
    // Both clients lose their connection together, so one log line is enough.
    this.#listener.on('error', () => undefined);
  }

  async open(channel: string, onMessage: () => void): Promise<void> {
    await Promise.all([this.#client.connect(), this.#listener.connect()]);
    await this.#listener.subscribe(channel, onMessage);
    this.#isOpen = true;
  }

  async run(program: string, values: readonly (string | number)[]): Promise<string> {
    try {
      const answer = await this.#client.eval(program, { arguments: values.map(String) });
      this.state.reached();
      return String(answer);
    } catch (error) {
      this.state.missed(error);
      throw error;
    }
  }

  close(): void {
    for (const client of [this.#client, this.#listener]) if (client.isOpen) client.destroy();
  }
}
