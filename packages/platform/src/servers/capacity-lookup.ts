import { PEER_HEADER, type PeerTokens } from './peer-tokens.ts';
import type { PeerStates } from './peer-states.ts';
import type { Store } from '../store/store.ts';
import type { ServerLease } from './server-lease.ts';

/** Path at which a server reports how many sessions it could start. */
export const CAPACITY_PATH = '/v1/room';

interface CapacityParts {
  readonly store: Store;
  readonly lease: ServerLease;
  readonly tokens: PeerTokens;
  readonly states: PeerStates;
  /** Sessions that this server could start now. Undefined if a Grid or Redis counts slots for all servers. */
  readonly free: () => number | undefined;
}

/** Short, because a client waits for a browser. */
const ANSWER_MS = 1000;

/** Finds another server with free capacity when the browsers of this machine are all in use. */
export class CapacityLookup {
  readonly #parts: CapacityParts;

  constructor(parts: CapacityParts) {
    this.#parts = parts;
  }

  /** Number of sessions that this server could start now. 0 if a Grid or Redis counts slots for all servers. */
  get free(): number {
    return Math.max(0, this.#parts.free() ?? 0);
  }

  /**
   * Returns the URL of the server with the most free capacity. Resolves with `undefined` if this server has capacity,
   * if no server has any, or if slots are counted for all servers.
   */
  async elsewhere(): Promise<string | undefined> {
    const { store, lease, free } = this.#parts;
    const own = free();
    if (!store.isShared || own === undefined || own > 0) return undefined;
    const addresses = await store.leaseAddresses(lease.owner);
    const rooms = await Promise.all(addresses.map(async (address) => ({ address, room: await this.#ask(address) })));
    const [best] = rooms.toSorted((a, b) => b.room - a.room);
    return best && best.room > 0 ? best.address : undefined;
  }

  async #ask(address: string): Promise<number> {
    const { tokens, states } = this.#parts;
    try {
      const answer = await fetch(new URL(CAPACITY_PATH, address), {
        headers: { [PEER_HEADER]: tokens.sign({ method: 'GET', url: CAPACITY_PATH }) },
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const { free } = (await answer.json()) as { readonly free?: unknown };
      return typeof free === 'number' ? free : 0;
    } catch (error) {
      states.of(address).missed(error);
      return 0;
    }
  }
}
