import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { parseHostRule } from '../cdp/network/host-rule.ts';

/**
 * Arguments by which a browser itself keeps to a domain policy where nobody can judge its requests: it finds no host that is
 * refused, and where few are allowed, WebRTC sends nothing past the resolver.
 */
export function boundArguments(policy: DomainPolicy, proxyServer: string | undefined): string[] {
  const proxy = proxyServer === undefined ? undefined : parseHostRule('proxy', proxyServer.replace(/^\w+:\/\//, ''));
  const rules = policy.resolverRules(proxy);
  return [
    ...(rules === undefined ? [] : [`--host-resolver-rules=${rules}`]),
    ...(policy.isClosed ? ['--webrtc-ip-handling-policy=disable_non_proxied_udp'] : []),
  ];
}
