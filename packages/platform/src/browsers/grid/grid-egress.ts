import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AddressRules } from '../../egress/address-rules.ts';
import { type EgressProxy, openEgressProxy, type UpstreamProxy } from '../../egress/egress-proxy.ts';
import { PlatformError, reasonOf } from '../../errors.ts';
import type { PlatformLog } from '../../platform-log.ts';

/** Settings of the proxies through which Grid browsers reach the network. */
export interface GridEgressSettings {
  readonly rules: AddressRules;
  /**
   * Host name or address of this server, as seen from the nodes. Undefined if the nodes' network already isolates the
   * browsers.
   */
  readonly host: string | undefined;
  /** Address to listen on. Default: `host` if this machine has that address, otherwise 0.0.0.0. */
  readonly listen: string | undefined;
  /** First port of the range for sessions. 0 picks any free port. */
  readonly port: number;
  readonly log?: PlatformLog | undefined;
}

export interface GridEgressRoute {
  /** URL of the browser's proxy. Undefined if the browser connects directly. */
  readonly server: string | undefined;
  /** What another server needs to reopen the route. Undefined if the browser connects directly. */
  readonly own: EgressRoute | undefined;
  close(): Promise<void>;
}

/**
 * A session's route, for a server that adopts the session. Secret: `upstream` may contain the credentials of the
 * tenant's proxy.
 */
export interface EgressRoute {
  readonly port: number;
  readonly upstream?: UpstreamProxy | undefined;
}

interface RouteUser {
  readonly upstream?: UpstreamProxy | undefined;
  readonly admits: (address: string) => boolean;
}

const NOTHING_TO_CLOSE = async (): Promise<void> => undefined;
/** Number of ports in the range. */
export const EGRESS_PORTS = 1000;
/** Polling interval: nothing reports that a port became free. */
const POLL_INTERVAL_MS = 100;

/**
 * Opens an egress proxy on a separate port for each Grid session. A server that adopts the session opens the same port.
 */
export class GridEgress {
  readonly #settings: GridEgressSettings;
  readonly #own = new Set<EgressProxy>();
  readonly #closing = new AbortController();

  constructor(settings: GridEgressSettings) {
    this.#settings = settings;
  }

  /**
   * Opens a proxy for one browser. If no `host` is set, returns a route without a proxy, or rejects if `upstream` is
   * set.
   */
  async route({ upstream, admits }: RouteUser): Promise<GridEgressRoute> {
    const { host } = this.#settings;
    if (host === undefined && upstream)
      throw new PlatformError(
        'invalid_request',
        'proxy: this platform does not support proxies. Create the session without one.',
      );
    if (host === undefined) return { server: undefined, own: undefined, close: NOTHING_TO_CLOSE };
    const own = await this.#openAnywhere({ upstream, admits });
    return {
      server: this.#addressOf(own.port),
      own: { port: own.port, upstream },
      close: () => this.#closeOne(own),
    };
  }

  /**
   * Reopens the proxy of an adopted session on the same port. If the port is in use, for example by a frozen server on
   * this machine, returns after 100 ms and retries in the background. Rejects if another session of this server uses
   * the port.
   */
  async resume({ port, upstream }: EgressRoute, admits: RouteUser['admits']): Promise<GridEgressRoute> {
    if ([...this.#own].some((own) => own.port === port))
      throw new PlatformError('internal', `Another session uses port ${port}.`);
    const user = { upstream, admits };
    const left = new AbortController();
    const opening = this.#openWhenFree(port, user, AbortSignal.any([left.signal, this.#closing.signal]));
    // Usually the port is free, so the session continues with a working proxy.
    await Promise.race([opening, pause(POLL_INTERVAL_MS)]);
    const close = async (): Promise<void> => {
      left.abort();
      await this.#closeOne(await opening);
    };
    return { server: this.#addressOf(port), own: { port, upstream }, close };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#own].map((own) => this.#closeOne(own)));
  }

  async #closeOne(own: EgressProxy | undefined): Promise<void> {
    if (own && this.#own.delete(own)) await own.close();
  }

  /** Retries until the port is free. Returns `undefined` if the session or the server ends first. */
  async #openWhenFree(port: number, user: RouteUser, signal: AbortSignal): Promise<EgressProxy | undefined> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        return await this.#openAt(port, user);
      } catch (error) {
        const facts = { port, reason: reasonOf(error) };
        if (tries === 1) this.#settings.log?.warn(facts, 'cannot open the proxy port of a session; trying again');
        await pause(POLL_INTERVAL_MS);
      }
    }
    return undefined;
  }

  /** Starts at a random port, so that servers with the same range rarely collide. */
  async #openAnywhere(user: RouteUser): Promise<EgressProxy> {
    const { port: first } = this.#settings;
    if (first === 0) return this.#openAt(0, user);
    const start = Math.floor(Math.random() * EGRESS_PORTS);
    for (let count = 0; count < EGRESS_PORTS; count += 1) {
      try {
        return await this.#openAt(first + ((start + count) % EGRESS_PORTS), user);
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
    const last = first + EGRESS_PORTS - 1;
    throw new PlatformError('no_capacity', `No egress port from ${first} to ${last} is free.`, {
      retryAfter: 1,
    });
  }

  async #openAt(port: number, { upstream, admits }: RouteUser): Promise<EgressProxy> {
    const { host = '', listen, rules, log } = this.#settings;
    const own = await openEgressProxy(rules, { upstream, host: listen ?? listenHost(host), port, admits, log });
    this.#own.add(own);
    return own;
  }

  #addressOf(port: number): string {
    const { host = '' } = this.#settings;
    return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  }
}

/** Returns 0.0.0.0 if this machine does not have the address `host`, for example because `host` is a name. */
function listenHost(host: string): string {
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  return own.includes(host) ? host : '0.0.0.0';
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}
