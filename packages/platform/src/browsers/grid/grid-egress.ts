import { isIP } from 'node:net';
import type { AddressRules } from '../../egress/address-rules.ts';
import { type EgressProxy, openEgressProxy, type UpstreamProxy } from '../../egress/egress-proxy.ts';
import { PlatformError } from '../../errors.ts';

/** Where browsers on other machines find the way to the network. */
export interface GridEgressSettings {
  readonly rules: AddressRules;
  /** Name or address of this server as the nodes reach it; undefined when the nodes' own network is to keep them from the inside. */
  readonly host: string | undefined;
  /** Port of the way that all sessions without a proxy of their own share; 0 for any. */
  readonly port: number;
}

/** A browser's way to the network. */
export interface GridEgressWay {
  /** What the browser is told; undefined for its machine's own way. */
  readonly server: string | undefined;
  close(): Promise<void>;
}

const NOTHING_TO_CLOSE = async (): Promise<void> => undefined;

/**
 * The ways to the network for browsers on the nodes of a Grid. Sessions share one: its port is known, so that another server
 * at that address can take over. One with a proxy of its own has its own way, which ends with this server.
 */
export class GridEgress {
  readonly #settings: GridEgressSettings;
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
    const { host, rules } = this.#settings;
    if (host === undefined && upstream)
      throw new PlatformError('invalid_request', 'proxy: is not available on this platform.');
    if (host === undefined) return { server: undefined, close: NOTHING_TO_CLOSE };
    if (!upstream) return { server: this.#addressOf(await this.#openShared()), close: NOTHING_TO_CLOSE };
    const own = await openEgressProxy(rules, { upstream, host: listenHost(host) });
    return { server: this.#addressOf(own), close: () => own.close() };
  }

  async close(): Promise<void> {
    const shared = await this.#shared;
    await shared?.close();
  }

  #openShared(): Promise<EgressProxy> {
    const { host = '', port, rules } = this.#settings;
    this.#shared ??= openEgressProxy(rules, { host: listenHost(host), port });
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
