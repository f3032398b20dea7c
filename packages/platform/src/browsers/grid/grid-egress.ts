import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AddressRules } from '../../egress/address-rules.ts';
import { type EgressProxy, openEgressProxy, type UpstreamProxy } from '../../egress/egress-proxy.ts';
import { PlatformError, reasonOf } from '../../errors.ts';
import type { PlatformLog } from '../../platform-log.ts';

/** Where browsers on other machines find the route to the network. */
export interface GridEgressSettings {
  readonly rules: AddressRules;
  /** Name or address of this server as the nodes reach it; undefined when the nodes' own network is to keep them from the inside. */
  readonly host: string | undefined;
  /** Address to listen at; undefined for the one of `host`, where that is this machine's, else all. */
  readonly listen: string | undefined;
  /** The first of the ports of which each session has one; 0 for any. */
  readonly port: number;
  readonly log?: PlatformLog | undefined;
}

/** A browser's route to the network. */
export interface GridEgressRoute {
  /** What the browser is told; undefined for its machine's own route. */
  readonly server: string | undefined;
  /** What another server needs to go on with it; undefined for its machine's own route. */
  readonly own: EgressRoute | undefined;
  close(): Promise<void>;
}

/** The route of one session: with a proxy of its own as secret as that proxy's credentials. */
export interface EgressRoute {
  readonly port: number;
  readonly upstream?: UpstreamProxy | undefined;
}

/** Whose route it is. */
interface RouteUser {
  readonly upstream?: UpstreamProxy | undefined;
  /** Whether an address is that of the browser's machine. */
  readonly admits: (address: string) => boolean;
}

const NOTHING_TO_CLOSE = async (): Promise<void> => undefined;
/** How many ports there are, from the first on. */
export const EGRESS_PORTS = 1000;
/** Nobody is told that a port is free. */
const LOOK_AGAIN_MS = 100;

/**
 * The ways to the network for browsers on the nodes of a Grid. Each session has a port of its own, which only the machine of its browser
 * may use, and which is closed with it. Another server that goes on with the session opens the same port.
 */
export class GridEgress {
  readonly #settings: GridEgressSettings;
  readonly #own = new Set<EgressProxy>();
  readonly #closing = new AbortController();

  constructor(settings: GridEgressSettings) {
    this.#settings = settings;
  }

  /** A route for one browser. */
  async route({ upstream, admits }: RouteUser): Promise<GridEgressRoute> {
    const { host } = this.#settings;
    if (host === undefined && upstream)
      throw new PlatformError('invalid_request', 'proxy: is not available on this platform.');
    if (host === undefined) return { server: undefined, own: undefined, close: NOTHING_TO_CLOSE };
    const own = await this.#openAnywhere({ upstream, admits });
    return {
      server: this.#addressOf(own.port),
      own: { port: own.port, upstream },
      close: () => this.#closeOne(own),
    };
  }

  /**
   * Opens the proxy of a session that another server had, at the same port. A frozen server on this machine may still hold the port: the
   * session has no network until the port is free. Fails if another session of this server uses the port.
   */
  async resume({ port, upstream }: EgressRoute, admits: RouteUser['admits']): Promise<GridEgressRoute> {
    if ([...this.#own].some((own) => own.port === port))
      throw new PlatformError('internal', `Another session has the port ${port}.`);
    const user = { upstream, admits };
    const left = new AbortController();
    const opening = this.#openWhenFree(port, user, AbortSignal.any([left.signal, this.#closing.signal]));
    // Usually the port is free, and the proxy listens before the session goes on.
    await Promise.race([opening, pause(LOOK_AGAIN_MS)]);
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

  /** Opens the port as soon as it is free. Returns `undefined` if the session or the server ended first. */
  async #openWhenFree(port: number, user: RouteUser, signal: AbortSignal): Promise<EgressProxy | undefined> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        return await this.#openAt(port, user);
      } catch (error) {
        const facts = { port, reason: reasonOf(error) };
        if (tries === 1) this.#settings.log?.warn(facts, 'the proxy port of a session is in use; trying again');
        await pause(LOOK_AGAIN_MS);
      }
    }
    return undefined;
  }

  /** At any of the ports that is free: not the first one, so that servers which share them rarely want the same. */
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
    throw new PlatformError(
      'no_capacity',
      `No port from ${first} to ${last} is free for a session's route to the network.`,
      {
        retryAfter: 1,
      },
    );
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

/** A name, or an address that is shared by several servers, leads here by ways that this machine does not know. */
function listenHost(host: string): string {
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  return own.includes(host) ? host : '0.0.0.0';
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}
