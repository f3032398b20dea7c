import { isIP } from 'node:net';
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
  /** Port of the way that all sessions without a proxy of their own share; 0 for any. */
  readonly port: number;
  readonly log?: PlatformLog | undefined;
}

/** A browser's way to the network. */
export interface GridEgressWay {
  /** What the browser is told; undefined for its machine's own way. */
  readonly server: string | undefined;
  /** What another server needs to go on with it; undefined for one that all share. */
  readonly own: OwnWay | undefined;
  close(): Promise<void>;
}

/** The way of a session with a proxy of its own: as secret as that proxy's credentials. */
export interface OwnWay {
  readonly port: number;
  readonly upstream: UpstreamProxy;
}

const NOTHING_TO_CLOSE = async (): Promise<void> => undefined;
/** A server that hands its sessions over lets go of its ports a moment later. */
const HANDOVER_MS = 10_000;
/** Nobody is told that a port is free. */
const LOOK_AGAIN_MS = 100;

/**
 * The ways to the network for browsers on the nodes of a Grid. Sessions share one: its port is known, so that another server
 * at that address can take over. One with a proxy of its own has its own way, which another server opens again.
 */
export class GridEgress {
  readonly #settings: GridEgressSettings;
  readonly #own = new Set<EgressProxy>();
  #shared: Promise<EgressProxy> | undefined;

  constructor(settings: GridEgressSettings) {
    this.#settings = settings;
  }

  /** Begins to listen. */
  async open(): Promise<void> {
    if (this.#settings.host !== undefined) await this.#openShared();
  }

  /** A way for one browser. */
  async way(upstream: UpstreamProxy | undefined): Promise<GridEgressWay> {
    const { host, rules, log } = this.#settings;
    if (host === undefined && upstream)
      throw new PlatformError('invalid_request', 'proxy: is not available on this platform.');
    if (host === undefined) return { server: undefined, own: undefined, close: NOTHING_TO_CLOSE };
    if (!upstream)
      return { server: this.#addressOf(await this.#openShared()), own: undefined, close: NOTHING_TO_CLOSE };
    return this.#ownWay(await openEgressProxy(rules, { upstream, host: listenHost(host), log }), upstream);
  }

  /** The way of a session that another server had, at its port. Fails when somebody else has that now, whose way it would be. */
  async resume({ port, upstream }: OwnWay): Promise<GridEgressWay> {
    const { host = '', rules, log } = this.#settings;
    const deadline = performance.now() + HANDOVER_MS;
    for (;;) {
      try {
        return this.#ownWay(await openEgressProxy(rules, { upstream, host: listenHost(host), port, log }), upstream);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await pause(LOOK_AGAIN_MS);
      }
    }
  }

  async close(): Promise<void> {
    const shared = await this.#shared;
    await Promise.all([shared?.close(), ...[...this.#own].map((own) => own.close())]);
  }

  #ownWay(own: EgressProxy, upstream: UpstreamProxy): GridEgressWay {
    this.#own.add(own);
    const close = async (): Promise<void> => {
      if (this.#own.delete(own)) await own.close();
    };
    return { server: this.#addressOf(own), own: { port: own.port, upstream }, close };
  }

  #openShared(): Promise<EgressProxy> {
    const { host = '', port, rules, log } = this.#settings;
    this.#shared ??= openEgressProxy(rules, { host: listenHost(host), port, log });
    return this.#shared;
  }

  #addressOf({ port }: EgressProxy): string {
    const { host = '' } = this.#settings;
    return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  }
}

/** A name, or an address that is shared by several servers, leads here by ways that this machine does not know. */
function listenHost(host: string): string {
  return host === '127.0.0.1' || host === '::1' ? host : '0.0.0.0';
}
