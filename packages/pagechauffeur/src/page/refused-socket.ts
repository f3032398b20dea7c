import type { DomainPolicy } from '../cdp/network/domain-policy.ts';

const SOCKET_FAILURE = /^WebSocket connection to '(?<address>wss?:[^']*)' failed:/;

/**
 * What the browser says of a WebSocket, with the reason that every refused request has: the browser knows no way to
 * refuse a socket but to act as if there were no network, and says so.
 */
export function withRefusal(text: string, policy: DomainPolicy | undefined): string {
  const address = SOCKET_FAILURE.exec(text)?.groups?.['address'];
  if (address === undefined || !policy?.refuses(address)) return text;
  return text.replace('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_BLOCKED_BY_CLIENT');
}
