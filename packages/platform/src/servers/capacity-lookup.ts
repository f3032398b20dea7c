import { PEER_HEADER, type PeerTokens } from './peer-tokens.ts';
import type { PeerStates } from './peer-states.ts';
import type { Store } from '../store/store.ts';
import type { ServerLease } from './server-lease.ts';

/** Path where servers report how many sessions they could take. */
export const CAPACITY_PATH = '/v1/room';

interface CapacityParts {
  readonly store: Store;
  readonly lease: ServerLease;
  readonly tokens: PeerTokens;
  readonly states: PeerStates;
  /** Sessions that this server could take now. Undefined if all servers share the browsers. */
  readonly free: () => number | undefined;
}

/** A client is waiting for a browser meanwhile. */
const ANSWER_MS = 1000;

/** Finds a server with free capacity when this one, whose browsers run on its own machine, has none. */
export class CapacityLookup {
  readonly #parts: CapacityParts;

  constructor(parts: CapacityParts) {
    this.#parts = parts;
  }

  /** Number of sessions that this server could take now. */
  get free(): number {
    return Math.max(0, this.#parts.free() ?? 0);
  }

  /** Returns the URL of the server with the most free capacity. Resolves with `undefined` if this server has some, or none has. */
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
