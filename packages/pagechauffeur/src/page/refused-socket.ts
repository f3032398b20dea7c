import type { DomainPolicy } from '../cdp/network/domain-policy.ts';

const SOCKET_FAILURE = /^WebSocket connection to '(?<address>wss?:[^']*)' failed:/;

/**
 * Corrects the reason in the console message about a WebSocket that the domain policy refused. Sockets are refused by
 * emulating a lost network connection, and Chromium reports that as the reason.
 */
export function withRefusal(text: string, policy: DomainPolicy | undefined): string {
  const address = SOCKET_FAILURE.exec(text)?.groups?.['address'];
  if (address === undefined || !policy?.refuses(address)) return text;
  return text.replace('net::ERR_INTERNET_DISCONNECTED', 'net::ERR_BLOCKED_BY_CLIENT');
}
