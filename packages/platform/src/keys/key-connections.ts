import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { KeyRing } from './key-ring.ts';

/** A long-lived connection and the key that opened it. */
export interface KeyConnection {
  /** May change when the client reconnects. */
  readonly keyId: string;
  /** Expiry of the connection itself, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  end(reason: string): void;
}

/** Interval of key checks. Every server notices a revoked key within this time. */
const CHECK_INTERVAL_MS = 10_000;

/**
 * All long-lived connections to this server, from drivers, DevTools and the dashboard. Closes a connection when it
 * expires or its key is no longer valid.
 */
export class KeyConnections {
  readonly #keys: KeyRing;
  readonly #log: PlatformLog;
  readonly #links = new Set<KeyConnection>();
  readonly #timer: NodeJS.Timeout;

  constructor(keys: KeyRing, log: PlatformLog) {
    this.#keys = keys;
    this.#log = log;
    this.#timer = setInterval(() => void this.#checkKeys(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Returns a function that removes the connection. */
  add(link: KeyConnection): () => void {
    this.#links.add(link);
    return () => this.#links.delete(link);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #checkKeys(): Promise<void> {
    const now = Date.now();
    for (const link of this.#links)
      if ((link.expiresAt ?? Infinity) <= now) this.#end(link, 'This link has expired. Request another link.');
    const byKey = Map.groupBy(this.#links, ({ keyId }) => keyId);
    try {
      for (const [keyId, links] of byKey) {
        if (await this.#keys.isInForce(keyId)) continue;
        for (const link of links) this.#end(link, 'The key of this connection is no longer valid.');
      }
    } catch (error) {
      this.#log.warn({ reason: reasonOf(error) }, 'cannot check keys; trying again later');
    }
  }

  /** If closing fails, the next check retries it. The other connections still close. */
  #end(link: KeyConnection, reason: string): void {
    try {
      link.end(reason);
    } catch (error) {
      this.#log.error({ handler: 'keys', reason: reasonOf(error) }, 'cannot end a connection');
    }
  }
}
