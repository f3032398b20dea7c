import { lookup } from 'node:dns/promises';
import { type BlockList, isIP } from 'node:net';
import type { GridStatus } from './grid-answers.ts';

/** Addresses of a Grid's nodes, and the sessions of each node. */
export class NodeAddresses {
  #addressesByHost = new Map<string, readonly string[]>();
  #status: Pick<GridStatus, 'nodes'> = { nodes: [] };
  readonly #also: (address: string) => boolean;

  /** `networks`: source networks of nodes that do not connect from their own address. */
  constructor(networks: BlockList | undefined) {
    this.#also = (address) => networks?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false;
  }

  /** Updates from the Grid's status. */
  async update(status: Pick<GridStatus, 'nodes'>): Promise<void> {
    const hosts = [...new Set(status.nodes.map(({ host }) => host))];
    const found = await Promise.all(hosts.map(async (host) => [host, await this.#addressesOf(host)] as const));
    this.#addressesByHost = new Map(found);
    this.#status = status;
  }

  /** True if the address belongs to the session's node, or to any node while the session's is unknown. */
  has(address: string, sessionName: string): boolean {
    const { nodes } = this.#status;
    const owners = nodes.filter(({ sessions }) => sessions.some(({ name }) => name === sessionName));
    const asked = owners.length > 0 ? owners : nodes;
    return asked.some(({ host }) => this.#addressesByHost.get(host)?.includes(address)) || this.#also(address);
  }

  /** Keeps the previous addresses if the lookup fails. */
  async #addressesOf(host: string): Promise<readonly string[]> {
    try {
      return isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
    } catch {
      // A host that has never been resolved gets no addresses, so its connections are refused.
      return this.#addressesByHost.get(host) ?? [];
    }
  }
}
