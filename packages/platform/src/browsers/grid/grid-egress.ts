import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AddressRules } from '../../egress/address-rules.ts';
import { type EgressProxy, openEgressProxy, type UpstreamProxy } from '../../egress/egress-proxy.ts';
import { PlatformError } from '../../errors.ts';
import type { PlatformLog } from '../../platform-log.ts';

/** Where browsers on other machines find the way to the network. */
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

/** A browser's way to the network. */
export interface GridEgressWay {
  /** What the browser is told; undefined for its machine's own way. */
  readonly server: string | undefined;
  /** What another server needs to go on with it; undefined for its machine's own way. */
  readonly own: OwnWay | undefined;
  close(): Promise<void>;
}

/** The way of one session: with a proxy of its own as secret as that proxy's credentials. */
export interface OwnWay {
  readonly port: number;
  readonly upstream?: UpstreamProxy | undefined;
}

/** Whose way it is. */
interface WayUser {
  readonly upstream?: UpstreamProxy | undefined;
  /** Whether an address is that of the browser's machine. */
  readonly admits: (address: string) => boolean;
}

const NOTHING_TO_CLOSE = async (): Promise<void> => undefined;
/** How many ports there are, from the first on. */
export const EGRESS_PORTS = 1000;
/** A server that hands its sessions over lets go of its ports a moment later. */
const HANDOVER_MS = 10_000;
/** Nobody is told that a port is free. */
const LOOK_AGAIN_MS = 100;

/**
 * The ways to the network for browsers on the nodes of a Grid. Each session has a port of its own, which only the machine of its browser
 * may use, and which is closed with it. Another server that goes on with the session opens the same port.
 */
export class GridEgress {
  readonly #settings: GridEgressSettings;
  readonly #own = new Set<EgressProxy>();

  constructor(settings: GridEgressSettings) {
    this.#settings = settings;
  }

  /** A way for one browser. */
  async way({ upstream, admits }: WayUser): Promise<GridEgressWay> {
    const { host } = this.#settings;
    if (host === undefined && upstream)
      throw new PlatformError('invalid_request', 'proxy: is not available on this platform.');
    if (host === undefined) return { server: undefined, own: undefined, close: NOTHING_TO_CLOSE };
    return this.#ownWay(await this.#openAnywhere({ upstream, admits }), upstream);
  }

  /** The way of a session that another server had, at its port. Fails when somebody else has that now, whose way it would be. */
  async resume({ port, upstream }: OwnWay, admits: WayUser['admits']): Promise<GridEgressWay> {
    const deadline = performance.now() + HANDOVER_MS;
    for (;;) {
      try {
        return this.#ownWay(await this.#openAt(port, { upstream, admits }), upstream);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await pause(LOOK_AGAIN_MS);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#own].map((own) => own.close()));
  }

  /** At any of the ports that is free: not the first one, so that servers which share them rarely want the same. */
  async #openAnywhere(user: WayUser): Promise<EgressProxy> {
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
      `No port from ${first} to ${last} is free for a session's way to the network.`,
      {
        retryAfter: 1,
      },
    );
  }

  #openAt(port: number, { upstream, admits }: WayUser): Promise<EgressProxy> {
    const { host = '', listen, rules, log } = this.#settings;
    return openEgressProxy(rules, { upstream, host: listen ?? listenHost(host), port, admits, log });
  }

  #ownWay(own: EgressProxy, upstream: UpstreamProxy | undefined): GridEgressWay {
    this.#own.add(own);
    const close = async (): Promise<void> => {
      if (this.#own.delete(own)) await own.close();
    };
    return { server: this.#addressOf(own), own: { port: own.port, upstream }, close };
  }

  #addressOf({ port }: EgressProxy): string {
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
