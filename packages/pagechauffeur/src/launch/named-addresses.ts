import type { HostRule } from '../cdp/network/host-rule.ts';
import type { NameCheck } from '../cdp/network/name-check.ts';
import type { NameRelay } from './name-relay.ts';

/** Chromium checks names in its proxy auto-config script, which networks use to choose a proxy per URL. */
const ARGUMENT = '--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,';

/**
 * Parent domain of the relay's host names. A browser opens at most 32 connections per proxy, so each site gets its own
 * name for the same
 * relay. WebSockets, which never share a connection, get several.
 */
export const RELAY_DOMAIN = 'relay.localhost';

/** A blocked address, for any name that resolves to it. */
interface RefusedAddress {
  /** In the notation of a resolver: IPv6 without brackets. A trailing `*` makes it a prefix. */
  readonly address: string;
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/** Data of the script. */
interface Ways {
  readonly refused: readonly RefusedAddress[];
  /** Host and port of the relay, which checks names itself. Undefined without a relay. */
  readonly relay: string | undefined;
}

/**
 * Returns the argument that makes a browser block names of blocked addresses. Undefined if no address is blocked. A
 * relay resolves the names.
 * Without one, the browser resolves a name once for the check and again to connect, so a DNS server that changes its
 * answer in between (DNS
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

/** Returns the name check of a browser with these arguments. Undefined if it does not check names. */
export function nameCheck(args: readonly string[], relay: NameRelay | undefined): NameCheck | undefined {
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
 * Chooses the proxy for a request: none, the relay, or a nonexistent proxy if the host resolves to a blocked address or
 * not at all.
 * A name that does not resolve now may resolve a moment later. The function runs in the browser and has no access to
 * this module.
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
