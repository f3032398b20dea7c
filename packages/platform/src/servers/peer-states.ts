import { PlatformError } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import { type PartState, Reachability } from '../reachability.ts';
import type { Store } from '../store/store.ts';
import type { ServerLease } from './server-lease.ts';
import { isResponding } from './watch-peer.ts';

interface StatesParts {
  readonly store: Store;
  readonly lease: ServerLease;
  readonly log: PlatformLog;
}

const ASK_MS = 5000;

/** Tracks which other servers are reachable. Pings all servers with a lease every 5 s. */
export class PeerStates implements Disposable {
  readonly #parts: StatesParts;
  readonly #stateByAddress = new Map<string, Reachability>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(parts: StatesParts) {
    this.#parts = parts;
    if (parts.store.isShared) this.#timer = setInterval(() => void this.#ask(), ASK_MS).unref();
  }

  get all(): readonly PartState[] {
    return [...this.#stateByAddress.values()];
  }

  /** Returns the state of the server at this URL. A server counts as reachable until a check fails. */
  of(address: string): Reachability {
    const known = this.#stateByAddress.get(address);
    if (known) return known;
    const state = new Reachability(this.#parts.log, 'peer', address);
    this.#stateByAddress.set(address, state);
    return state;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    const { store, lease } = this.#parts;
    try {
      const addresses = await store.leaseAddresses(lease.owner);
      for (const address of this.#stateByAddress.keys())
        if (!addresses.includes(address)) this.#stateByAddress.delete(address);
      await Promise.all(addresses.map((address) => this.#askOne(address)));
    } catch (error) {
      // Without a lease or the database, no addresses are known. Both are logged elsewhere.
      if (!(error instanceof PlatformError))
        this.#parts.log.error({ reason: String(error) }, 'cannot check the other servers');
    }
  }

  async #askOne(address: string): Promise<void> {
    if (await isResponding(address)) this.of(address).reached();
    else this.of(address).missed('no response in time');
  }
}
