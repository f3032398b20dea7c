import type { BlockList } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { checkUpstream } from '../../egress/egress-proxy.ts';
import { innerReasonOf, PlatformError } from '../../errors.ts';
import type { PlatformLog } from '../../platform-log.ts';
import { type PartState, Reachability } from '../../reachability.ts';
import type { BrowserBackend, BrowserRequest, RentedBrowser, RunningBrowser } from '../browser-backend.ts';
import { closeBrowser } from './close-browser.ts';
import { DevToolsBrowser } from './devtools-browser.ts';
import type { GridSession, GridStatus, NewGridSession } from './grid-answers.ts';
import { gridCapabilities } from './grid-capabilities.ts';
import { GridEgress, type GridEgressSettings, type EgressRoute } from './grid-egress.ts';
import { GridRouter, PROMPT_MS } from './grid-router.ts';
import { firstOfTries } from './parallel-tries.ts';
import { openRemoteFile } from './remote-file.ts';
import { NodeAddresses } from './node-addresses.ts';
import { remoteVersion } from './remote-version.ts';

export interface GridBackendSettings {
  /** One router URL per Grid, optionally with `user:password@`. */
  readonly addresses: readonly string[];
  /** Limit for all Grids together. */
  readonly capacity: number;
  /** Part of each Grid session name. Separates our sessions from others on the same Grids. */
  readonly platformId: string;
  readonly egress: GridEgressSettings;
  /** Further networks from which nodes may connect, for example because of NAT. */
  readonly nodeNetworks: BlockList | undefined;
  /** How long a session request waits for a free browser, in milliseconds. */
  readonly queueTimeout: number;
  /** Local browser that serves the DevTools frontend. Default: the one found on this machine. */
  readonly executablePath: string | undefined;
  readonly log: PlatformLog;
}

/** Selenium's router closes a socket on messages above 32 MiB. */
const MAX_MESSAGE_BYTES = 31 * 1024 * 1024;
/** Polling intervals: a Grid sends no events for free slots or node changes. */
const POLL_INTERVAL_MS = 300;
const REFRESH_MS = 5000;
/**
 * Delay before another attempt starts in parallel. A node starts a browser in 1 s, on a busy machine in 10 s, and more
 * attempts would slow it down further.
 */
const SLOW_CREATE_MS = 15_000;
const MAX_TRIES_AT_ONCE = 3;
const NODE_POLL_INTERVAL_MS = 1000;
const NODE_TRIES = 20;
const RETRY_AFTER_S = 5;
const DOWNLOADS = 'chauffeur-downloads';
const EMPTY: GridStatus = { capacity: 0, free: 0, sessions: [], nodes: [] };

const handleFormat = z.object({
  grid: z.string(),
  id: z.string(),
  profile: z.string(),
  /** Missing if the browser connects to the network directly. */
  route: z
    .object({
      port: z.number(),
      upstream: z
        .object({ host: z.string(), port: z.number(), authorization: z.string().or(z.undefined()) })
        .optional(),
    })
    .optional(),
});

interface GridCell {
  readonly router: GridRouter;
  readonly addresses: NodeAddresses;
  status: GridStatus;
  /** Number of browsers that this server runs or is starting on this Grid. */
  held: number;
  readonly state: Reachability;
}

interface GridBrowser {
  readonly cell: GridCell;
  readonly session: NewGridSession;
  readonly route: EgressRoute | undefined;
  readonly close: () => Promise<void>;
}

/** Runs browsers on Selenium Grids. Each browser is a Grid session whose name contains the platform's session id. */
export class GridBackend implements BrowserBackend {
  readonly #settings: GridBackendSettings;
  readonly #cells: readonly GridCell[];
  readonly #egress: GridEgress;
  readonly #devTools: DevToolsBrowser;
  readonly #refresh: NodeJS.Timeout;
  /** Grid session id by platform session id. */
  readonly #rentedIds = new Map<string, string>();
  #looking: Promise<void> | undefined;
  /** Settles when the last request in the queue has capacity or gave up. */
  #line: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(settings: GridBackendSettings) {
    this.#settings = settings;
    this.#cells = settings.addresses.map((address) => ({
      router: new GridRouter(address),
      addresses: new NodeAddresses(settings.nodeNetworks),
      status: EMPTY,
      held: 0,
      state: new Reachability(settings.log, 'grid', new GridRouter(address).name),
    }));
    this.#egress = new GridEgress({ ...settings.egress, log: settings.log });
    this.#devTools = new DevToolsBrowser(settings);
    this.#refresh = setInterval(() => void this.#refreshStatus(), REFRESH_MS);
    this.#refresh.unref();
  }

  get states(): readonly PartState[] {
    return this.#cells.map(({ state }) => state);
  }

  get capacity(): number {
    const slots = this.#cells.reduce((sum, { status }) => sum + status.capacity, 0);
    return Math.min(slots, this.#settings.capacity);
  }

  /** Fetches the status of all Grids. Does not fail if a Grid is down: it may come up later. */
  async open(): Promise<void> {
    await this.#refreshStatus();
  }

  async check({ proxy }: BrowserRequest): Promise<void> {
    await checkUpstream(this.#settings.egress.rules, proxy);
  }

  /** Serves requests in order: each waits until the one before it has capacity or gave up. */
  async admit(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.#settings.queueTimeout;
    if (this.#waiting === 0) {
      await this.#refreshStatus();
      if (this.#waiting === 0 && this.#hasCapacity) return;
    }
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const before = this.#line;
    this.#line = before.then(() => left);
    this.#waiting += 1;
    try {
      await untilAborted(before, signal);
      await this.#waitForCapacity(deadline, signal);
    } finally {
      this.#waiting -= 1;
      leave();
    }
  }

  async #waitForCapacity(deadline: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#refreshStatus();
      signal.throwIfAborted();
      if (this.#hasCapacity) return;
      if (performance.now() >= deadline) throw full();
      await pause(POLL_INTERVAL_MS, undefined, { signal });
    }
  }

  /**
   * Retries until a node accepts the session or the queue timeout ends, because a Grid still counts the slots of a dead
   * or frozen node for a while.
   */
  async start(request: BrowserRequest, signal: AbortSignal): Promise<RentedBrowser> {
    const deadline = performance.now() + this.#settings.queueTimeout;
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#rented(request.sessionId, await this.#firstCreated(request, signal));
      } catch (error) {
        if (!isNoCapacity(error) || performance.now() >= deadline) throw error;
        const facts = { session: request.sessionId, reason: innerReasonOf(error) };
        if (tries === 1) this.#settings.log.warn(facts, 'no node accepted the session; trying others');
        await pause(POLL_INTERVAL_MS, undefined, { signal });
        await this.#refreshStatus();
      }
    }
  }

  get #hasCapacity(): boolean {
    return this.#cells.some((cell) => freeIn(cell) > 0);
  }

  #freest(): GridCell {
    const [cell] = this.#cells.toSorted((a, b) => freeIn(b) - freeIn(a));
    if (!cell || freeIn(cell) <= 0) throw full();
    return cell;
  }

  /** Starts another attempt every 15 s, because a frozen node never responds while other nodes may have free slots. */
  #firstCreated(request: BrowserRequest, signal: AbortSignal): Promise<GridBrowser> {
    const { sessionId } = request;
    const tries = {
      attempt: (either: AbortSignal) => this.#createIn(this.#freest(), request, either),
      every: SLOW_CREATE_MS,
      most: MAX_TRIES_AT_ONCE,
      mayBegin: () => this.#mayTryAgain(sessionId),
      isTemporary: isNoCapacity,
      undo: async ({ cell, session, close }: GridBrowser) => {
        await close();
        await this.#end(cell.router, session.id, sessionId);
      },
    };
    return firstOfTries(tries, signal);
  }

  /**
   * False if no Grid has capacity, or if the Grids need more than 500 ms to respond: on a busy machine, a second
   * browser only slows down the first.
   */
  async #mayTryAgain(sessionId: string): Promise<boolean> {
    const asked = performance.now();
    await this.#refreshStatus();
    const mayTry = this.#hasCapacity && performance.now() - asked < PROMPT_MS;
    if (mayTry)
      this.#settings.log.warn({ session: sessionId }, 'a node is slow to start a browser; trying another node');
    return mayTry;
  }

  async #createIn(cell: GridCell, request: BrowserRequest, signal: AbortSignal): Promise<GridBrowser> {
    const name = this.#prefix + request.sessionId;
    const route = await this.#egress.route({ upstream: request.proxy, admits: this.#admits(cell, name) });
    cell.held += 1;
    const close = async (): Promise<void> => {
      cell.held -= 1;
      await route.close();
    };
    try {
      const session = await cell.router.create(gridCapabilities(request, { name, proxyServer: route.server }), signal);
      return { cell, session, route: route.own, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Adopts another server's browser and reopens its egress port. */
  async adopt(sessionId: string, handle: string): Promise<RentedBrowser | undefined> {
    const { grid, id, profile, route: own } = handleFormat.parse(JSON.parse(handle));
    const cell = this.#cells.find(({ router }) => router.name === grid);
    if (!cell || (await cell.router.stateOf(id)) === 'gone') return undefined;
    const route = own && (await this.#egress.resume(own, this.#admits(cell, this.#prefix + sessionId)));
    cell.held += 1;
    const close = async (): Promise<void> => {
      cell.held -= 1;
      await route?.close();
    };
    return this.#rented(sessionId, { cell, session: { id, profile }, route: own, close });
  }

  async running(): Promise<readonly RunningBrowser[]> {
    await this.#refreshStatus();
    return this.#cells.flatMap(({ router, status }) =>
      status.sessions
        .filter(({ name }) => name.startsWith(this.#prefix))
        .map((session) => this.#running(router, session)),
    );
  }

  /** The browsers keep running, so that another server can adopt them. */
  async close(): Promise<void> {
    clearInterval(this.#refresh);
    await Promise.all([this.#egress.close(), this.#devTools.close()]);
  }

  /**
   * Returns a check for connections to a session's egress port: see `NodeAddresses.has`. If `egress.host` is a loopback
   * address, every process on this machine may connect too.
   */
  #admits({ addresses }: GridCell, name: string): (address: string) => boolean {
    const { host = '' } = this.#settings.egress;
    return (address) => (isLoopback(host) && isLoopback(address)) || addresses.has(address, name);
  }

  get #prefix(): string {
    return `chauffeur/${this.#settings.platformId}/`;
  }

  /**
   * A failed attempt can leave a second browser with the session's name. Returns that browser with an empty session id,
   * because no session uses it.
   */
  #running(router: GridRouter, { id, name }: GridSession): RunningBrowser {
    const sessionId = name.slice(this.#prefix.length);
    const isOther = (this.#rentedIds.get(sessionId) ?? id) !== id;
    return { sessionId: isOther ? '' : sessionId, end: () => this.#end(router, id, sessionId) };
  }

  async #end(router: GridRouter, id: string, sessionId: string): Promise<void> {
    await closeBrowser(router.socketOf(id), { sessionId, log: this.#settings.log });
    await router.remove(id);
  }

  #rented(sessionId: string, { cell, session, route, close }: GridBrowser): RentedBrowser {
    const { log } = this.#settings;
    const { router } = cell;
    const url = router.socketOf(session.id);
    const downloads = `${session.profile}/${DOWNLOADS}`;
    let version: string | undefined;
    let left: Promise<void> | undefined;
    const leave = (): Promise<void> => (left ??= close());
    let ended: Promise<void> | undefined;
    this.#rentedIds.set(sessionId, session.id);
    const end = async (): Promise<void> => {
      this.#rentedIds.delete(sessionId);
      await Promise.all([leave(), closeBrowser(url, { sessionId, log })]);
      // If this fails, the reconciler finds the browser by its session name and ends it later.
      if (!(await router.remove(session.id))) log.warn({ session: sessionId }, 'grid did not remove the browser');
    };
    return {
      sessionId,
      url,
      downloads,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      handle: JSON.stringify({ grid: router.name, ...session, route }),
      state: () => router.stateOf(session.id),
      node: () => this.#nodeOf(cell, session.id),
      openDownload: (name) => openRemoteFile(url, `${downloads}/${name}`),
      openDevTools: async (name) => this.#devTools.open((version ??= await remoteVersion(url)), name),
      leave,
      end: () => (ended ??= end()),
    };
  }

  /** Returns the session's node. A Grid may list a session only some seconds after its start. */
  async #nodeOf(cell: GridCell, id: string): Promise<string | undefined> {
    for (let tries = 0; tries < NODE_TRIES; tries += 1) {
      await this.#refreshStatus();
      const node = cell.status.nodes.find(({ sessions }) => sessions.some((session) => session.id === id));
      if (node) return node.address;
      await pause(NODE_POLL_INTERVAL_MS, undefined, { ref: false });
    }
    return undefined;
  }

  /** Fetches the status of all Grids. Concurrent calls share one request per Grid. */
  #refreshStatus(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    await Promise.all(this.#cells.map((cell) => this.#lookAt(cell)));
  }

  async #lookAt(cell: GridCell): Promise<void> {
    try {
      cell.status = await cell.router.status(new AbortController().signal);
      await cell.addresses.update(cell.status);
      cell.state.reached();
    } catch (error) {
      // Keeps the last known capacity: the Grid may be reachable again soon.
      cell.status = { ...cell.status, free: 0, sessions: [] };
      cell.state.missed(error);
    }
  }
}

/** A Grid's status counts the sessions of all its users, but lags behind this server's latest requests. */
function freeIn({ status, held }: GridCell): number {
  return Math.min(status.free, status.capacity - held);
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function isNoCapacity(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'no_capacity';
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function full(): PlatformError {
  const message = `No browser is free. Release a session, or try again in ${RETRY_AFTER_S} s.`;
  return new PlatformError('no_capacity', message, { retryAfter: RETRY_AFTER_S });
}
