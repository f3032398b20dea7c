import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { PlatformError } from '../errors.ts';

/** Networks that platform browsers must not reach: this machine, private networks, cloud metadata, multicast. */
const INNER_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '::/96',
  // The next four IPv6 ranges embed IPv4 addresses, which the rules above would miss. Websites do not need them.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Subdomains of `localhost` lead to this machine too (RFC 6761). Some resolvers do not know them. */
const LOCALHOST = /(^|\.)localhost\.?$/i;

const OWN_ADDRESSES_MS = 10_000;

/** Decides which IP addresses platform browsers may reach. */
export class AddressRules {
  readonly #inner = networkList(INNER_NETWORKS);
  readonly #allowed: BlockList;
  #own: { readonly list: BlockList; readonly since: number } | undefined;

  /**
   * `allowedNetworks`: exceptions, for example `10.1.0.0/16`.
   *
   * @throws PlatformError if one is invalid.
   */
  constructor(allowedNetworks: readonly string[] = []) {
    this.#allowed = networkList(allowedNetworks);
  }

  allows(address: string): boolean {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (this.#allowed.check(address, family)) return true;
    return !this.#inner.check(address, family) && !this.#ownAddresses().check(address, family);
  }

  /**
   * Returns this machine's addresses, cached for 10 s. Browsers that reach its public addresses from inside would
   * bypass the firewall.
   */
  #ownAddresses(now: number = performance.now()): BlockList {
    if (!this.#own || now - this.#own.since > OWN_ADDRESSES_MS) {
      const addresses = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
      this.#own = { list: networkList(addresses), since: now };
    }
    return this.#own.list;
  }

  /**
   * Resolves a host name or IP address to an allowed address. Resolves with `undefined` if any of its addresses is
   * blocked.
   */
  async addressOf(host: string): Promise<string | undefined> {
    const name = host.replace(/^\[(.*)\]$/, '$1');
    if (isIP(name)) return this.allows(name) ? name : undefined;
    const found = await lookup(LOCALHOST.test(name) ? 'localhost' : name, { all: true, order: 'ipv4first' });
    // An attacker may add an internal address to the DNS records of a public name.
    return found.every(({ address }) => this.allows(address)) ? found[0]?.address : undefined;
  }
}

/**
 * Parses networks such as `10.1.0.0/16`, and single addresses.
 *
 * @throws PlatformError if one is invalid.
 */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const isSix = isIP(address) === 6;
  const prefix = bits === undefined ? (isSix ? 128 : 32) : Number(bits);
  if (!isIP(address) || !Number.isInteger(prefix) || prefix < 0 || prefix > (isSix ? 128 : 32))
    throw new PlatformError('invalid_request', `${network} is not a network. Write it as 10.0.0.0/8 or fd00::/8.`);
  list.addSubnet(address, prefix, isSix ? 'ipv6' : 'ipv4');
}
