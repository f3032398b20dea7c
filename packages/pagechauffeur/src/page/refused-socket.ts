import type { DomainPolicy } from '../cdp/network/domain-policy.ts';

const SOCKET_FAILURE = /^WebSocket connection to '(?<address>wss?:[^']*)' failed:/;

/**
 * Adds the reason to the browser's message about a refused WebSocket. The browser can refuse a socket only by simulating a missing network,
 * and reports that.
 */
export function withRefusal(text: string, policy: DomainPolicy | undefined): string {
  const address = SOCKET_FAILURE.exec(text)?.groups?.['address'];
  if (address === undefined || !policy?.refuses(address)) return text;
  return text.replace('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_BLOCKED_BY_CLIENT');
}
