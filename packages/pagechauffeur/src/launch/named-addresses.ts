import type { HostRule } from '../cdp/network/host-rule.ts';
import type { NameCheck } from '../cdp/network/name-check.ts';
import type { NameRelay } from './name-relay.ts';

/** Start of the argument with the proxy auto-config (PAC) script, in which Chromium checks host names. */
const ARGUMENT = '--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,';

/**
 * Parent domain of many host names for the same relay. Chromium opens at most 32 connections per proxy, so each host
 * gets its own name. WebSockets never share a connection, so those of one host get 8 names.
 */
export const RELAY_DOMAIN = 'relay.localhost';

interface RefusedAddress {
  /** As in DNS results, for example IPv6 without brackets. A trailing `*` makes it a prefix. */
  readonly address: string;
  /** Undefined: all ports. */
  readonly port: number | undefined;
}

/** Parameters of the PAC script, serialized as JSON. */
interface ProxyRoutes {
  readonly refused: readonly RefusedAddress[];
  /** `host:port` of the relay, which checks names itself. */
  readonly relay: string | undefined;
}

/**
 * Returns the argument that blocks host names by their addresses, or `undefined` if no address is blocked. With a
 * relay, the relay resolves names. Without one, Chromium resolves a name for the check and again to connect, and DNS
 * rebinding can return a blocked address the second time.
 */
export function namedAddressArgument(blocked: readonly HostRule[], relayPort: number | undefined): string | undefined {
  const refused = blocked.map(({ host, port }): RefusedAddress => ({ address: host.replace(/^\[|\]$/g, ''), port }));
  if (refused.length === 0) return undefined;
  const routes: ProxyRoutes = { refused, relay: relayPort === undefined ? undefined : `${RELAY_DOMAIN}:${relayPort}` };
  const script = [
    `const ways = ${JSON.stringify(routes)};`,
    `const proxyFor = ${proxyFor.toString()};`,
    'function FindProxyForURL(url, host) { return proxyFor(ways, { url, host, lookUp: dnsResolveEx }); }',
  ].join('\n');
  return ARGUMENT + Buffer.from(script).toString('base64');
}

/** Returns `undefined` if the arguments contain no PAC script of this module. */
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
 * `FindProxyForURL` of the PAC script. It runs in the browser, without access to this module. Returns `DIRECT`, the
 * relay, or a nonexistent proxy. A host gets the nonexistent proxy if it resolves to a blocked address, or not at all,
 * because it may resolve a moment later.
 */
export function proxyFor(
  { refused, relay }: ProxyRoutes,
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
