import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { KeyRing } from './key-ring.ts';

/** A connection that lasts, and the key that it was opened with. */
export interface KeyConnection {
  /** The key that it stands on now. */
  readonly keyId: string;
  /** When it ends whatever becomes of the key, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** Ends it, with the reason for its other side. */
  end(reason: string): void;
}

/** A key that was taken back is known to every server within this time. */
const LOOK_MS = 10_000;

/**
 * All connections of this server that last: of drivers, of DevTools and of people. One is ended when its key is revoked, has expired
 * or was replaced.
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

  /** Watches a connection until what this gives is called. */
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
        for (const link of links) this.#end(link, 'The key of this connection is not in force any more.');
      }
    } catch (error) {
      this.#log.warn({ reason: reasonOf(error) }, 'keys could not be asked for; they are the next time');
    }
  }

  /** A connection that fails to end is tried again the next time. The others still end. */
  #end(link: KeyConnection, reason: string): void {
    try {
      link.end(reason);
    } catch (error) {
      this.#log.error({ door: 'keys', reason: reasonOf(error) }, 'a connection could not be ended');
    }
  }
}
