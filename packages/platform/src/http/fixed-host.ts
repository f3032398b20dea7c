import { isIP } from 'node:net';

/** True for addresses and `localhost`. The owner of any other name can make it lead here. */
export function isFixedHost(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
