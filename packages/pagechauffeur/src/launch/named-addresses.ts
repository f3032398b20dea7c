import type { HostRule } from '../cdp/network/host-rule.ts';

/** Chromium takes what judges names as the script by which networks choose a proxy for each address. */
const ARGUMENT = '--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,';

/** An address of machines that must not be reached, whatever name leads to it. */
interface RefusedAddress {
  /** As a resolver tells it, IPv6 without brackets; the beginning of IPv4 ones when it ends in a dot. */
  readonly address: string;
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/**
 * The argument by which a browser refuses names that lead to blocked addresses; undefined when no address is blocked. The browser
 * looks a name up to judge it and once more to connect: a server that answers the second question with another address is not held up.
 */
export function namedAddressArgument(blocked: readonly HostRule[]): string | undefined {
  const refused = blocked.map(({ host, port }): RefusedAddress => ({
    address: host.replace(/^\[|\]$|\*$/g, ''),
    port,
  }));
  if (refused.length === 0) return undefined;
  const script = [
    `const refused = ${JSON.stringify(refused)};`,
    `const proxyFor = ${proxyFor.toString()};`,
    'function FindProxyForURL(url, host) { return proxyFor(refused, url, dnsResolveEx(host)); }',
  ].join('\n');
  return ARGUMENT + Buffer.from(script).toString('base64');
}

/** Whether this is that argument. */
export function isNamedAddressArgument(argument: string): boolean {
  return argument.startsWith(ARGUMENT);
}

/**
 * How a request is to go: directly, or, when its host leads to a refused address or nowhere, to a proxy that is not there. A name that
 * leads nowhere now may lead somewhere a moment later. It runs in the browser and can use nothing from around it.
 */
export function proxyFor(refused: readonly RefusedAddress[], url: string, addresses: string): string {
  const [, scheme = '', given = ''] = /^([a-z]+):\/\/(?:[^/?#]*?)(?::(\d+))?(?:[/?#]|$)/.exec(url) ?? [];
  const port = given === '' ? (scheme === 'https' || scheme === 'wss' ? 443 : 80) : Number(given);
  const found = addresses.split(';').filter((address) => address !== '');
  const isRefused = found.some((one) =>
    refused.some(
      ({ address, port: only }) =>
        (only === undefined || only === port) &&
        (one === address || (address.endsWith('.') && !one.includes(':') && one.startsWith(address))),
    ),
  );
  return found.length === 0 || isRefused ? 'PROXY 127.0.0.1:1' : 'DIRECT';
}
