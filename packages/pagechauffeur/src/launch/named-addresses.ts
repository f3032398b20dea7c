import type { HostRule } from '../cdp/network/host-rule.ts';
import type { NameJudge } from '../cdp/network/name-judge.ts';
import type { NameRelay } from './name-relay.ts';

/** Chromium takes what judges names as the script by which networks choose a proxy for each address. */
const ARGUMENT = '--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,';

/**
 * The hosts under which the script names the relay. A browser opens 32 connections to a proxy at most, so each site gets a name of its own
 * for the same one, and its sockets, which are never shared, several.
 */
export const RELAY_DOMAIN = 'relay.localhost';

/** An address of machines that must not be reached, whatever name leads to it. */
interface RefusedAddress {
  /** As a resolver tells it, IPv6 without brackets; the beginning of many when it ends in `*`. */
  readonly address: string;
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/** What the script goes by. */
interface Ways {
  readonly refused: readonly RefusedAddress[];
  /** Host and port of the relay, which judges names by itself; undefined when there is none. */
  readonly relay: string | undefined;
}

/**
 * The argument by which a browser refuses names that lead to blocked addresses; undefined when no address is blocked. With a relay it
 * is the relay that looks names up. Without one the browser looks a name up to judge it and once more to connect: a server that answers
 * the second question with another address is not held up.
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

/** Says of a browser with these arguments which names it refused; undefined when it judges none. */
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
 * How a request is to go: directly, by the relay, or, when its host leads to a refused address or nowhere, to a proxy that is not there. A
 * name that leads nowhere now may lead somewhere a moment later. It runs in the browser and can use nothing from around it.
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
