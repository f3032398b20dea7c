import type { HostRule } from '../cdp/network/host-rule.ts';
import type { NameJudge } from '../cdp/network/name-judge.ts';
import type { NameRelay } from './name-relay.ts';

/** Chromium takes what judges names as the script by which networks choose a proxy for each address. */
const ARGUMENT = '--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,';

/**
 * Parent domain of the relay's host names. A browser opens at most 32 connections per proxy, so each site gets its own name for the same
 * relay. WebSockets, which never share a connection, get several.
 */
export const RELAY_DOMAIN = 'relay.localhost';

/** An address of machines that must not be reached, whatever name leads to it. */
interface RefusedAddress {
  /** As a resolver returns it, IPv6 without brackets. A `*` at the end makes it a prefix. */
  readonly address: string;
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/** Data of the script. */
interface Ways {
  readonly refused: readonly RefusedAddress[];
  /** Host and port of the relay, which judges names itself; undefined without a relay. */
  readonly relay: string | undefined;
}

/**
 * The argument that makes a browser refuse names of blocked addresses; undefined if no address is blocked. A relay resolves the names.
 * Without one, the browser resolves a name to judge it and once more to connect, so a name server that changes its answer in between (DNS
 * rebinding) is not stopped.
 */
export function namedAddressArgument(blocked: readonly HostRule[], relayPort: number | undefined): string | undefined {
  const refused = blocked.map(({ host, port }): RefusedAddress => ({ address: host.replace(/^\[|\]$/g, ''), port }));
  if (refused.length === 0) return undefined;
  const ways: Ways = { refused, relay: relayPort === undefined ? undefined : `${RELAY_DOMAIN}:${relayPort}` };
  const script = [
    `const ways = ${JSON.stringify(ways)};`,
    `const proxyFor = ${proxyFor.toString()};`,
    'function FindProxyForURL(url, host) { return proxyFor(ways, { url, host, lookUp: dnsResolveEx }); }',
  ].join('\n');
  return ARGUMENT + Buffer.from(script).toString('base64');
}

/** The name judge of a browser with these arguments; undefined if it does not judge names. */
export function nameJudge(args: readonly string[], relay: NameRelay | undefined): NameJudge | undefined {
  if (!args.some((argument) => argument.startsWith(ARGUMENT))) return undefined;
  return {
    failureOf: (address, errorText) => {
      if (errorText.includes('ERR_PROXY_CONNECTION_FAILED')) return { kind: 'refused' };
      if (!errorText.includes('ERR_SOCKS_CONNECTION') || !URL.canParse(address)) return undefined;
      const { hostname, port, protocol } = new URL(address);
      return relay?.failureOf(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
    },
  };
}

/**
 * Chooses the proxy for a request: none, the relay, or a proxy that does not exist if the host resolves to a refused address or to none. A
 * name that does not resolve now may do so a moment later. The function runs in the browser and has no access to this module.
 */
export function proxyFor(
  { refused, relay }: Ways,
  { url, host, lookUp }: { readonly url: string; readonly host: string; readonly lookUp: (host: string) => string },
): string {
  const isName = !/^[\d.]+$|:/.test(host) && !/(?:^|\.)localhost\.?$/i.test(host);
  if (isName && relay !== undefined) {
    const number = [...host].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_536, 0);
    const lane = /^wss?:/.test(url) ? Math.floor(Math.random() * 8) : 0;
    return `SOCKS5 site-${number}-${lane}.${relay}`;
  }
  const [, scheme = '', given = ''] = /^([a-z]+):\/\/(?:[^/?#]*?)(?::(\d+))?(?:[/?#]|$)/.exec(url) ?? [];
  const port = given === '' ? (scheme === 'https' || scheme === 'wss' ? 443 : 80) : Number(given);
  const found = lookUp(host)
    .split(';')
    .filter((address) => address !== '');
  const isRefused = found.some((one) =>
    refused.some(
      ({ address, port: only }) =>
        (only === undefined || only === port) &&
        (one === address || (address.endsWith('*') && one.startsWith(address.slice(0, -1)))),
    ),
  );
  return found.length === 0 || isRefused ? 'PROXY 127.0.0.1:1' : 'DIRECT';
}
