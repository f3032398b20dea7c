import type { HostRule } from '../cdp/network/host-rule.ts';
import type { NameCheck } from '../cdp/network/name-check.ts';
import type { NameRelay } from './name-relay.ts';

/** Argument prefix for a proxy auto-config script, in which Chromium checks host names. */
const ARGUMENT = '--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,';

/**
 * Parent domain of the relay's host names. A browser opens at most 32 connections per proxy, so each site gets its own
 * host name for the same relay. WebSockets, which never share a connection, get several.
 */
export const RELAY_DOMAIN = 'relay.localhost';

/** A blocked address. Every name that resolves to it is blocked. */
interface RefusedAddress {
  /** In the format of DNS results, such as IPv6 without brackets. With a trailing `*`, it is a prefix. */
  readonly address: string;
  /** Undefined for all ports. */
  readonly port: number | undefined;
}

/** Data of the proxy auto-config script. */
interface Ways {
  readonly refused: readonly RefusedAddress[];
  /** Host and port of the relay, which checks names itself. Undefined if there is none. */
  readonly relay: string | undefined;
}

/**
 * Returns the argument that makes a browser block names of blocked addresses. Undefined if no address is blocked. With
 * a relay, the relay resolves the names. Without one, the browser resolves a name once for the check and again to
 * connect, which does not stop DNS rebinding: a DNS server may return another address the second time.
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

/** Returns the name check of a browser with these arguments; undefined if it does not check names. */
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
 * Returns the proxy for a request: none, the relay, or a nonexistent proxy if the host resolves to a blocked address.
 * The nonexistent proxy is also used if the host does not resolve, because it may resolve a moment later. The function
 * runs in the browser and has no access to this module.
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
