import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { parseHostRule } from '../cdp/network/host-rule.ts';
import { namedAddressArgument, RELAY_DOMAIN } from './named-addresses.ts';

/**
 * Returns arguments that enforce a domain policy in the browser, for requests that no CDP session receives. Blocked
 * hosts do not resolve. If only some hosts are allowed or addresses are blocked, WebRTC sends no UDP packets.
 */
export function boundArguments(
  policy: DomainPolicy,
  proxyServer: string | undefined,
  {
    hasOtherProxy = false,
    relayPort,
  }: { readonly hasOtherProxy?: boolean; readonly relayPort?: number | undefined } = {},
): string[] {
  const proxy = proxyServer === undefined ? undefined : parseHostRule('proxy', proxyServer.replace(/^\w+:\/\//, ''));
  const rules = policy.resolverRules(proxy);
  const relay = relayPort === undefined ? '' : `MAP *.${RELAY_DOMAIN}:${relayPort} 127.0.0.1, `;
  // With a proxy, the proxy resolves host names.
  const names = proxy || hasOtherProxy ? undefined : namedAddressArgument(policy.blockedAddresses, relayPort);
  return [
    ...(rules === undefined ? [] : [`--host-resolver-rules=${relay}${rules}`]),
    ...(names === undefined ? [] : [names]),
    ...(policy.isClosed || policy.blockedAddresses.length > 0
      ? ['--webrtc-ip-handling-policy=disable_non_proxied_udp']
      : []),
  ];
}

/** Launch settings that determine who resolves host names. */
interface NameSettings {
  readonly domainPolicy: DomainPolicy | undefined;
  readonly proxy: object | undefined;
  readonly args: readonly string[];
  readonly keepAlive: boolean;
}

/**
 * True if the driver resolves names and connects for the browser. It does so if addresses are blocked, unless the user
 * sets a proxy or host rules or the browser outlives this process.
 */
export function needsNameRelay({ domainPolicy, proxy, args, keepAlive }: NameSettings): boolean {
  if (!domainPolicy || domainPolicy.blockedAddresses.length === 0) return false;
  const isMapped = args.some((argument) => /^--host-(?:resolver-)?rules=/.test(argument));
  return !proxy && !keepAlive && !isMapped && !hasOwnProxy(args, process.env);
}

/** True if the user's arguments or the environment configure a proxy for Chromium. */
export function hasOwnProxy(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (args.some((argument) => /^--(?:no-)?proxy-/.test(argument))) return true;
  return Object.entries(env).some(([name, value]) => /^(?:all|auto|https?)_proxy$/i.test(name) && value !== '');
}
