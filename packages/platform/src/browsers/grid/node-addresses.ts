import { lookup } from 'node:dns/promises';
import { type BlockList, isIP } from 'node:net';
import type { GridStatus } from './grid-answers.ts';

/** The addresses of a Grid's nodes, and which of them has which session. */
export class NodeAddresses {
  #addressesByHost = new Map<string, readonly string[]>();
  #status: Pick<GridStatus, 'nodes'> = { nodes: [] };
  readonly #also: (address: string) => boolean;

  /** `networks` are those from which nodes come that do not come by their own address. */
  constructor(networks: BlockList | undefined) {
    this.#also = (address) => networks?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false;
  }

  /** Takes notice of what the Grid says of its nodes. */
  async update(status: Pick<GridStatus, 'nodes'>): Promise<void> {
    const hosts = [...new Set(status.nodes.map(({ host }) => host))];
    const found = await Promise.all(hosts.map(async (host) => [host, await this.#addressesOf(host)] as const));
    this.#addressesByHost = new Map(found);
    this.#status = status;
  }

  /** Whether an address is of the node that has a session; of any node, while none is known to have it. */
  has(address: string, sessionName: string): boolean {
    const { nodes } = this.#status;
    const owners = nodes.filter(({ sessions }) => sessions.some(({ name }) => name === sessionName));
    const asked = owners.length > 0 ? owners : nodes;
    return asked.some(({ host }) => this.#addressesByHost.get(host)?.includes(address)) || this.#also(address);
  }

  /** A name that cannot be looked up now is what it was. */
  async #addressesOf(host: string): Promise<readonly string[]> {
    try {
      return isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
    } catch {
      // A node of which nothing is known is not admitted.
      return this.#addressesByHost.get(host) ?? [];
    }
  }
}
