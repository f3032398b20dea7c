import { lookup } from 'node:dns/promises';
import { type BlockList, isIP } from 'node:net';
import type { GridStatus } from './grid-answers.ts';

/** Resolves Grid nodes to the addresses from which their browsers connect. */
export class NodeAddresses {
  #addressesByHost = new Map<string, readonly string[]>();
  #status: Pick<GridStatus, 'nodes'> = { nodes: [] };
  readonly #also: (address: string) => boolean;

  /** `networks`: further networks from which nodes may connect, for example because of NAT. */
  constructor(networks: BlockList | undefined) {
    this.#also = (address) => networks?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false;
  }

  /** Resolves the host names of all nodes in this status. */
  async update(status: Pick<GridStatus, 'nodes'>): Promise<void> {
    const hosts = [...new Set(status.nodes.map(({ host }) => host))];
    const found = await Promise.all(hosts.map(async (host) => [host, await this.#addressesOf(host)] as const));
    this.#addressesByHost = new Map(found);
    this.#status = status;
  }

  /**
   * True if the address belongs to the session's node, to any node while the Grid does not list the session, or to
   * `networks`.
   */
  has(address: string, sessionName: string): boolean {
    const { nodes } = this.#status;
    const owners = nodes.filter(({ sessions }) => sessions.some(({ name }) => name === sessionName));
    const asked = owners.length > 0 ? owners : nodes;
    return asked.some(({ host }) => this.#addressesByHost.get(host)?.includes(address)) || this.#also(address);
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    try {
      return isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
    } catch {
      // Keeps the previous addresses. A host that was never resolved has none, so its connections are refused.
      return this.#addressesByHost.get(host) ?? [];
    }
  }
}
