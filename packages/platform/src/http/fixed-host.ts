import { isIP } from 'node:net';

/** True for IP addresses and `localhost`. Owners of other names can make them resolve to this server. */
export function isFixedHost(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
