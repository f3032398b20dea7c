import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { KeyRing } from './key-ring.ts';

/** A long-lived connection and the key it was opened with. */
export interface KeyConnection {
  /** The current key. */
  readonly keyId: string;
  /** Expiry of the connection itself, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Ends it with a reason for the client. */
  end(reason: string): void;
}

/** Every server notices a revoked key within this time. */
const LOOK_MS = 10_000;

/**
 * All long-lived connections of this server: drivers, DevTools and dashboard. A connection ends when its key is
 * revoked, expires
 * or is replaced.
 */
export class KeyConnections {
  readonly #keys: KeyRing;
  readonly #log: PlatformLog;
  readonly #links = new Set<KeyConnection>();
  readonly #looks: NodeJS.Timeout;

  constructor(keys: KeyRing, log: PlatformLog) {
    this.#keys = keys;
    this.#log = log;
    this.#looks = setInterval(() => void this.#look(), LOOK_MS);
    this.#looks.unref();
  }

  /** Tracks a connection. Returns a function that stops it. */
  add(link: KeyConnection): () => void {
    this.#links.add(link);
    return () => this.#links.delete(link);
  }

  close(): void {
    clearInterval(this.#looks);
  }

  async #look(): Promise<void> {
    const now = Date.now();
    for (const link of this.#links) if ((link.expiresAt ?? Infinity) <= now) this.#end(link, 'This link has expired.');
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

  /** A connection that fails to end is retried next time. The others still end. */
  #end(link: KeyConnection, reason: string): void {
    try {
      link.end(reason);
    } catch (error) {
      this.#log.error({ handler: 'keys', reason: reasonOf(error) }, 'cannot end a connection');
    }
  }
}
