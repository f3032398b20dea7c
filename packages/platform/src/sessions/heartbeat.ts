import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from 'pagechauffeur/internal';
import type { BrowserState, RentedBrowser } from '../browsers/browser-backend.ts';
import { reasonOf } from '../errors.ts';

export interface Heartbeat {
  stop(): void;
}

type WatchedBrowser = Pick<RentedBrowser, 'url' | 'state'>;

interface WatchSettings {
  readonly browser: WatchedBrowser;
  /** Milliseconds between two pings. */
  readonly every: number;
  /** Called on each new connection to the browser. */
  readonly onConnect: (connection: Connection) => Promise<void>;
  /** Called after each successful ping. */
  readonly onBeat: () => Promise<void>;
  readonly onLoss: (reason: string) => void;
  /** Called with false when the connection is lost, and with true when it is restored. */
  readonly onConnectionChange?: (isOpen: boolean) => void;
}

/** A browser on a busy machine responds within seconds. After this time it counts as hung. */
const ANSWER_MS = 20_000;
/**
 * Beats without a response before the heartbeat queries the browser's state: a router keeps the sockets of a dead
 * browser open.
 */
const DOUBT_BEATS = 0.4;
const TRY_AGAIN_MS = 500;
const CONNECT_MS = 5000;
/**
 * Beats without a response or connection after which a browser in this state is lost. A router needs seconds to
 * restart.
 */
const TIMEOUT_BEATS: Readonly<Record<BrowserState, number>> = {
  gone: 0,
  silent: 1,
  frozen: 2,
  unknown: 6,
  alive: 6,
};
/** Beats without a connection after which the browser is lost in any state. */
const BROKEN_BEATS = 12;
const STATE_MESSAGE: Readonly<Record<BrowserState, string>> = {
  gone: 'The browser was lost.',
  silent: 'The Grid lost contact with the browser.',
  frozen: 'The machine that runs the browser stopped responding.',
  unknown: 'The browser did not respond.',
  alive: 'The browser did not respond.',
};

/**
 * Pings a browser on a separate connection. The browser is lost if it does not respond, or if the connection breaks and
 * cannot be restored. Local browsers are lost when the connection breaks.
 */
export async function startHeartbeat(settings: WatchSettings): Promise<Heartbeat> {
  const watch = new Watch(settings);
  await watch.connect(ANSWER_MS);
  watch.beat();
  return watch;
}

class Watch implements Heartbeat {
  readonly #browser: WatchedBrowser;
  readonly #every: number;
  readonly #settings: WatchSettings;
  #connection: Connection | undefined;
  #next: NodeJS.Timeout | undefined;
  #overdue: NodeJS.Timeout | undefined;
  #askedAt = 0;
  #isStopped = false;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
    this.#browser = settings.browser;
    this.#every = settings.every;
  }

  async connect(timeout: number): Promise<void> {
    const connection = await Connection.open(this.#browser.url, { signal: AbortSignal.timeout(timeout) });
    if (this.#isStopped) return connection.close();
    await this.#settings.onConnect(connection);
    this.#connection = connection;
    connection.browser.on('closed', () => void this.#reconnect(connection));
  }

  /** Sends a ping. The response schedules the next one. */
  beat(): void {
    this.#askedAt = performance.now();
    this.#overdue = setTimeout(() => void this.#doubt(this.#askedAt), DOUBT_BEATS * this.#every);
    void this.#ask();
  }

  stop(): void {
    this.#isStopped = true;
    this.#clearTimers();
    this.#connection?.close();
  }

  async #ask(): Promise<void> {
    const connection = this.#connection;
    try {
      await connection?.browser.send('Browser.getVersion');
      await this.#settings.onBeat();
      this.#clearTimers();
      if (!this.#isStopped) this.#next = setTimeout(() => this.beat(), this.#every);
    } catch (error) {
      // The `closed` event handles a lost connection.
      if (connection?.browser.isClosed === false) this.#lose(`The browser was lost: ${reasonOf(error)}`);
    }
  }

  async #doubt(askedAt: number): Promise<void> {
    const begun = performance.now();
    const state = (await this.#browser.state?.()) ?? 'unknown';
    const pauseMs = Math.max(0, DOUBT_BEATS * this.#every - (performance.now() - begun));
    const isAnswered = this.#isStopped || askedAt !== this.#askedAt || !this.#overdue;
    if (isAnswered) return;
    if (performance.now() - askedAt >= Math.min(this.#timeout(state), ANSWER_MS)) this.#lose(STATE_MESSAGE[state]);
    else this.#overdue = setTimeout(() => void this.#doubt(askedAt), pauseMs);
  }

  async #reconnect({ fault }: Connection): Promise<void> {
    this.#clearTimers();
    if (!this.#browser.state)
      return this.#lose(fault === undefined ? 'The browser exited.' : 'The browser sent an invalid message.');
    if (!this.#isStopped) this.#settings.onConnectionChange?.(false);
    const deadline = performance.now() + BROKEN_BEATS * this.#every;
    let known: { state: BrowserState; since: number } | undefined;
    while (!this.#isStopped) {
      const state = await this.#browser.state();
      const now = performance.now();
      // A starting router briefly reports that nothing is reachable, so the state must persist.
      if (known?.state !== state) known = { state, since: now };
      if (now - known.since >= this.#timeout(state) || now > deadline) return this.#lose(STATE_MESSAGE[state]);
      const mayAnswer = state === 'alive' || state === 'unknown';
      if (mayAnswer && (await this.#isConnected())) return this.#goOn();
      await pause(TRY_AGAIN_MS);
    }
  }

  #goOn(): void {
    if (this.#isStopped) return;
    this.#settings.onConnectionChange?.(true);
    this.beat();
  }

  async #isConnected(): Promise<boolean> {
    try {
      await this.connect(CONNECT_MS);
      return true;
    } catch {
      // The loop in `#reconnect` retries until its timeout.
      return false;
    }
  }

  #timeout(state: BrowserState): number {
    return TIMEOUT_BEATS[state] * this.#every;
  }

  #clearTimers(): void {
    clearTimeout(this.#next);
    clearTimeout(this.#overdue);
    this.#overdue = undefined;
  }

  #lose(reason: string): void {
    if (this.#isStopped) return;
    this.stop();
    this.#settings.onLoss(reason);
  }
}
