import { isIP } from 'node:net';

/** Returns true for IP addresses and `localhost`. The owner of any other name can make it resolve to this server. */
export function isFixedHost(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
