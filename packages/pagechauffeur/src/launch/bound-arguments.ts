import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { parseHostRule } from '../cdp/network/host-rule.ts';
import { namedAddressArgument } from './named-addresses.ts';

/**
 * Arguments by which a browser itself keeps to a domain policy where nobody can judge its requests: it finds no host that is
 * refused, and where few are allowed, WebRTC sends nothing past the resolver.
 */
export function boundArguments(
  policy: DomainPolicy,
  proxyServer: string | undefined,
  { hasOtherProxy = false }: { readonly hasOtherProxy?: boolean } = {},
): string[] {
  const proxy = proxyServer === undefined ? undefined : parseHostRule('proxy', proxyServer.replace(/^\w+:\/\//, ''));
  const rules = policy.resolverRules(proxy);
  // Behind a proxy it is the proxy that looks names up.
  const names = proxy || hasOtherProxy ? undefined : namedAddressArgument(policy.blockedAddresses);
  return [
    ...(rules === undefined ? [] : [`--host-resolver-rules=${rules}`]),
    ...(names === undefined ? [] : [names]),
    ...(policy.isClosed ? ['--webrtc-ip-handling-policy=disable_non_proxied_udp'] : []),
  ];
}

/** Whether Chromium is told about proxies by arguments of the user, or takes one from the environment. */
export function hasOwnProxy(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (args.some((argument) => /^--(?:no-)?proxy-/.test(argument))) return true;
  return Object.entries(env).some(([name, value]) => /^(?:all|auto|https?)_proxy$/i.test(name) && value !== '');
}
