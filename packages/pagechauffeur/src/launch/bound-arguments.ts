import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { parseHostRule } from '../cdp/network/host-rule.ts';
import { namedAddressArgument, RELAY_DOMAIN } from './named-addresses.ts';

/**
 * Returns Chromium arguments that enforce a domain policy for requests that no CDP session sees. Blocked hosts do not
 * resolve. With an allowlist or blocked addresses, WebRTC sends no UDP packets past the proxy.
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
  // The proxy resolves host names, so the browser cannot check them.
  const names = proxy || hasOtherProxy ? undefined : namedAddressArgument(policy.blockedAddresses, relayPort);
  return [
    ...(rules === undefined ? [] : [`--host-resolver-rules=${relay}${rules}`]),
    ...(names === undefined ? [] : [names]),
    ...(policy.isClosed || policy.blockedAddresses.length > 0
      ? ['--webrtc-ip-handling-policy=disable_non_proxied_udp']
      : []),
  ];
}

interface NameSettings {
  readonly domainPolicy: DomainPolicy | undefined;
  readonly proxy: object | undefined;
  readonly args: readonly string[];
  readonly keepAlive: boolean;
}

/**
 * True if blocked addresses require a relay that resolves host names for the browser. A proxy or host rules from the
 * user rule it out, and so does `keepAlive`, because the relay ends with this process.
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
