import { Gauge, Histogram, Registry } from 'prom-client';
import type { BrowserBackend } from './browsers/browser-backend.ts';
import type { CdpGateway } from './gateway/cdp-gateway.ts';
import type { SessionDesk } from './sessions/session-desk.ts';
import type { Peers } from './servers/peers.ts';
import type { Slots } from './sessions/slots.ts';

interface MeasuredParts {
  readonly desk: SessionDesk;
  readonly backend: BrowserBackend;
  readonly gateway: CdpGateway;
  readonly slots: Slots;
  readonly peers: Peers;
}

/** The figures of a server, as Prometheus reads them. */
export class PlatformMetrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor({ desk, backend, gateway, slots, peers }: MeasuredParts) {
    this.#requests = new Histogram({
      name: 'chauffeur_request_seconds',
      help: 'How long requests took.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 30],
      registers: [this.#registry],
    });
    this.#gauge('chauffeur_sessions', 'Sessions whose browsers run on this server.', () => desk.live.size);
    this.#gauge('chauffeur_browsers_ready', 'Browsers that wait for a session.', () => backend.ready ?? 0);
    this.#gauge('chauffeur_connections', 'Connections of clients to browsers.', () => gateway.links);
    this.#gauge('chauffeur_passed_connections', 'Connections that lead on to other servers.', () => peers.joined);
    this.#gauge('chauffeur_queue', 'Requests for a session that wait.', () => slots.counts.waiting);
    this.#gauge('chauffeur_slots_taken', 'Places for sessions in use.', () => slots.counts.taken);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Notes a request that was answered after so many milliseconds. */
  noteRequest({ method, route, status }: { method: string; route: string; status: number }, ms: number): void {
    this.#requests.observe({ method, route, status: String(status) }, ms / 1000);
  }

  /** All figures. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }
}
