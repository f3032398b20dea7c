import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BrowserBackend } from './browsers/browser-backend.ts';
import type { CdpGateway } from './gateway/cdp-gateway.ts';
import type { PartState } from './reachability.ts';
import type { ServerLease } from './servers/server-lease.ts';
import type { SessionManager } from './sessions/session-manager.ts';
import type { Peers } from './servers/peers.ts';
import type { Slots } from './sessions/slots.ts';
import type { Store } from './store/store.ts';

interface MeasuredParts {
  readonly sessionManager: SessionManager;
  readonly backend: BrowserBackend;
  readonly gateway: CdpGateway;
  readonly slots: Slots;
  readonly peers: Peers;
  readonly lease: ServerLease;
  readonly store: Store;
  /** Number of open dashboard WebSockets. */
  readonly viewers: () => number;
}

/** The server computes metrics at most once in this time, however many requests arrive. */
const MIN_COMPUTE_MS = 250;

/** Prometheus metrics of this server. */
export class PlatformMetrics {
  readonly #registry = new Registry();
  /** Metrics with project names, which only authorized requests see. */
  readonly #ofProjects = new Registry();
  readonly #text = sharedFor(MIN_COMPUTE_MS, () => this.#registry.metrics());
  readonly #textOfProjects = sharedFor(MIN_COMPUTE_MS, () => this.#ofProjects.metrics());
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  readonly #parts: () => readonly PartState[];

  constructor({ sessionManager, backend, gateway, slots, peers, lease, store, viewers }: MeasuredParts) {
    this.#parts = () => {
      const states = [store.state, slots.state, ...(backend.states ?? []), ...peers.states];
      return states.filter((state) => state !== undefined);
    };
    this.#requests = new Histogram({
      name: 'chauffeur_request_seconds',
      help: 'Duration of requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 30],
      registers: [this.#registry],
    });
    this.#gauge('chauffeur_sessions', 'Sessions whose browsers run on this server.', () => sessionManager.live.size);
    this.#gauge('chauffeur_browsers_ready', 'Warm browsers.', () => backend.ready ?? 0);
    this.#gauge('chauffeur_connections', 'Client connections to browsers.', () => gateway.links);
    this.#gauge('chauffeur_passed_connections', 'Connections forwarded to other servers.', () => peers.joined);
    this.#gauge('chauffeur_queue', 'Queued session requests.', () => slots.counts.waiting);
    this.#gauge('chauffeur_slots_taken', 'Session slots in use.', () => slots.counts.taken);
    this.#gauge('chauffeur_slots', 'Session slots, as currently known.', () => backend.capacity);
    this.#gauge('chauffeur_viewers', 'WebSockets of dashboard viewers.', viewers);
    this.#counter('chauffeur_sessions_created_total', 'Sessions started.', () => sessionManager.tally.created);
    this.#counter(
      'chauffeur_sessions_failed_total',
      'Sessions ended with status ERROR.',
      () => sessionManager.tally.failed,
    );
    this.#counter(
      'chauffeur_takeovers_total',
      'Sessions taken over from other servers.',
      () => sessionManager.tally.takenOver,
    );
    this.#counter(
      'chauffeur_lease_losses_total',
      'Number of times other servers took over sessions from this server.',
      () => lease.losses,
    );
    addLabelled(this.#ofProjects, {
      name: 'chauffeur_project_sessions',
      labelNames: ['project'],
      help: 'Sessions of a project on this server.',
      read: () => [...sessionManager.liveByProject].map(([project, count]) => [{ project }, count]),
    });
    addLabelled(this.#registry, {
      name: 'chauffeur_reachable',
      labelNames: ['part', 'name'],
      help: '1 if a dependency of this server is reachable.',
      read: () => this.#parts().map(({ part, name, isReachable }) => [{ part, name }, isReachable ? 1 : 0]),
    });
    this.#counter('process_cpu_seconds_total', 'CPU time of this server.', processorSeconds);
    this.#gauge('process_resident_memory_bytes', 'Memory of this server.', () => process.memoryUsage.rss());
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Records a finished request. `ms` is its duration. */
  noteRequest({ method, route, status }: { method: string; route: string; status: number }, ms: number): void {
    this.#requests.observe({ method, route, status: String(status) }, ms / 1000);
  }

  /** Reachability of the dependencies: database, Redis, Grids and other servers. */
  get parts(): readonly PartState[] {
    return this.#parts();
  }

  /** Returns metrics in the Prometheus text format, at most 250 ms old. */
  async text({ withProjects }: { readonly withProjects: boolean }): Promise<string> {
    return withProjects ? `${await this.#text()}\n${await this.#textOfProjects()}` : this.#text();
  }

  /** Adds a counter that reads its value with `read` on each scrape. */
  #counter(name: string, help: string, read: () => number): void {
    const collect = (): void => {
      counter.reset();
      counter.inc(read());
    };
    const counter: Counter = new Counter({ name, help, registers: [this.#registry], collect });
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }
}

interface LabelledMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly read: () => readonly (readonly [Record<Label, string>, number])[];
}

/** Adds a gauge with one value per label set, read on each scrape. */
function addLabelled<Label extends string>(registry: Registry, { read, ...metric }: LabelledMetric<Label>): void {
  const collect = (): void => {
    gauge.reset();
    for (const [labels, value] of read()) gauge.set(labels, value);
  };
  const gauge: Gauge<Label> = new Gauge({ ...metric, registers: [registry], collect });
}

/** Caches the result of `compute` for `ms` milliseconds. Concurrent callers share one call. */
function sharedFor<T>(ms: number, compute: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let computedAt = 0;
  return () => {
    const now = performance.now();
    if (shared && now - computedAt < ms) return shared;
    computedAt = now;
    return (shared = compute());
  };
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
