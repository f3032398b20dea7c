import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { PlatformError } from '../errors.ts';
import { isFixedHost } from './fixed-host.ts';

interface MetricsAccessOptions {
  /** Bearer token that `/metrics` requires. If undefined, `/metrics` is open. */
  readonly token: string | undefined;
  /** Address on which the server listens. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/** Decides who may read `/metrics`, and who may see project names in the response. */
export class MetricsAccess {
  readonly #tokenHash: Buffer | undefined;
  readonly #isLocal: boolean;

  constructor({ token, host, publicUrl }: MetricsAccessOptions) {
    this.#tokenHash = token === undefined ? undefined : hashOf(token);
    this.#isLocal = publicUrl === undefined && isLoopback(host);
  }

  /**
   * True if the response may contain project names.
   *
   * @throws PlatformError if the request lacks the metrics token.
   */
  maySeeProjects({ authorization = '', host }: IncomingHttpHeaders): boolean {
    if (!this.#tokenHash) return this.#isLocal && isFixedHost(hostnameOf(host));
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (!timingSafeEqual(hashOf(token), this.#tokenHash))
      throw new PlatformError(
        'unauthorized',
        'The metrics token is required. Send it as `Authorization: Bearer <token>`.',
      );
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

/** Returns an empty string for a missing or malformed header. */
function hostnameOf(host: string | undefined): string {
  const url = `http://${host}`;
  return host !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
