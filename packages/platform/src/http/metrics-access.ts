import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { PlatformError } from '../errors.ts';
import { isFixedHost } from './fixed-host.ts';

interface MetricsAccessOptions {
  /** The operator's token. */
  readonly token: string | undefined;
  /** Address that the server listens on. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/** Decides who may read a server's metrics, and the names of projects in them. */
export class MetricsAccess {
  readonly #tokenHash: Buffer | undefined;
  readonly #isLocal: boolean;

  constructor({ token, host, publicUrl }: MetricsAccessOptions) {
    this.#tokenHash = token === undefined ? undefined : hashOf(token);
    this.#isLocal = publicUrl === undefined && isLoopback(host);
  }

  /**
   * True if the request may see names of projects.
   * @throws PlatformError if it may not read metrics at all.
   */
  maySeeProjects({ authorization = '', host }: IncomingHttpHeaders): boolean {
    if (!this.#tokenHash) return this.#isLocal && isFixedHost(hostnameOf(host));
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (!timingSafeEqual(hashOf(token), this.#tokenHash))
      throw new PlatformError('unauthorized', 'The metrics of this server need its metrics token.');
    return true;
  }
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** Empty for a missing or malformed header. */
function hostnameOf(host: string | undefined): string {
  const url = `http://${host}`;
  return host !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
