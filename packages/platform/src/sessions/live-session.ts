import type { RentedBrowser } from '../browsers/browser-backend.ts';
import type { SessionRow, SessionStatus } from '../store/store.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import type { DownloadController } from './download-controller.ts';
import type { DownloadList } from './download-list.ts';
import type { OutsideTargets } from './outside-targets.ts';
import { QuestionStore } from './question-store.ts';
import { SessionControl } from './session-control.ts';

/** Time limits of a session, in milliseconds. */
export interface SessionTimes {
  /** How long the session waits after its last client disconnected. Not with `keepAlive`. */
  readonly grace: number;
  /** How long the session waits for its first client. Not with `keepAlive`. */
  readonly firstClient: number;
  /** How long clients may send nothing. `Infinity` for no limit. */
  readonly idle: number;
  /** Interval of pings to the browser. */
  readonly beat: number;
}

/** Final status, and a sentence that tells users why the session ended. */
export interface SessionEnd {
  readonly status: Extract<SessionStatus, 'COMPLETED' | 'TIMED_OUT' | 'ERROR'>;
  readonly reason: string;
}

/** `ended`: the session is over; `handed over`: it continues on another server. */
export type SessionStop = 'ended' | 'handed over';

export interface SessionClient {
  /** Closes the connection. The close code tells the client whether the session continues on another server. */
  end(reason: string, how: SessionStop): void;
}

interface LiveSessionParts {
  readonly row: SessionRow;
  readonly browser: RentedBrowser;
  readonly times: SessionTimes;
  readonly downloads: DownloadList;
  readonly downloadController: DownloadController;
  readonly outsideTargets: OutsideTargets;
  /** Called once, when a time limit expires or the browser is lost. */
  readonly onEnd: (end: SessionEnd) => void;
}

/** A running session that this server owns: its clients, time limits and heartbeat. */
export class LiveSession {
  readonly browser: RentedBrowser;
  readonly control = new SessionControl();
  readonly questions = new QuestionStore();
  readonly downloads: DownloadList;
  readonly downloadController: DownloadController;
  readonly outsideTargets: OutsideTargets;
  readonly #times: SessionTimes;
  readonly #onEnd: (end: SessionEnd) => void;
  readonly #clients = new Set<SessionClient>();
  readonly #handOverWatchers = new Set<() => void>();
  #expiry: NodeJS.Timeout | undefined;
  #row: SessionRow;
  #heartbeat: Heartbeat | undefined;
  #unattended: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastActive = 0;
  #wasAttended = false;
  #leftAt = 0;
  #arriving = 0;
  #isOver = false;
  /** True while the connection to the browser is lost. */
  #isCut = false;

  constructor({ row, browser, times, downloads, downloadController, outsideTargets, onEnd }: LiveSessionParts) {
    this.#row = row;
    this.browser = browser;
    this.#times = times;
    this.downloads = downloads;
    this.downloadController = downloadController;
    this.outsideTargets = outsideTargets;
    this.#onEnd = onEnd;
  }

  get row(): SessionRow {
    return this.#row;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Number of clients that are still connecting. */
  get arriving(): number {
    return this.#arriving;
  }

  /** True once the session accepts no more clients. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Starts the heartbeat. Rejects if the browser does not respond. */
  async watchBrowser(): Promise<void> {
    const heartbeat = await startHeartbeat({
      browser: this.browser,
      every: this.#times.beat,
      onConnect: (connection) => {
        this.outsideTargets.attach(connection);
        return this.downloadController.attach(connection);
      },
      onBeat: () => this.downloadController.renew(),
      onLoss: (reason) => this.#over('ERROR', reason),
      onConnectionChange: (isOpen) => this.#noteConnection(isOpen),
    });
    if (this.#isOver) heartbeat.stop();
    else this.#heartbeat = heartbeat;
  }

  /** Starts the time limits of a session that the store lists as running. */
  begin(row: SessionRow): void {
    this.#row = row;
    if (this.#isOver) return;
    this.touch();
    this.#expiry = setTimeout(
      () => this.#over('TIMED_OUT', 'The session reached its timeout.'),
      row.expiresAt - Date.now(),
    );
    this.#watchAttendance();
    if (Number.isFinite(this.#times.idle)) this.#watchIdleness(this.#times.idle);
  }

  /** Applies a changed row. Restarts the time limit for sessions without clients. */
  update(row: SessionRow): void {
    this.#row = row;
    this.#leftAt = Date.now();
    this.#watchAttendance();
  }

  /** Counts a connecting client until `arrival` settles, so that the session does not end for lack of clients. */
  async expectClient<T>(arrival: Promise<T>): Promise<T> {
    this.#arriving += 1;
    this.#watchAttendance();
    try {
      return await arrival;
    } finally {
      this.#arriving -= 1;
      this.#leftAt = Date.now();
      this.#watchAttendance();
    }
  }

  attach(client: SessionClient): void {
    this.#clients.add(client);
    this.#wasAttended = true;
    this.touch();
    this.#watchAttendance();
  }

  /** `leftAt`: when the client's socket closed, which is earlier if the link has waited for the client to return. */
  detach(client: SessionClient, leftAt: number = Date.now()): void {
    if (!this.#clients.delete(client)) return;
    this.#leftAt = leftAt;
    this.touch();
    this.#watchAttendance();
  }

  /** Starts the `grace` timeout, because the creator disconnected before it got the response. */
  abandon(): void {
    this.#wasAttended = true;
    this.#leftAt = Date.now();
    this.#watchAttendance();
  }

  /** Records client activity, which restarts the idle timeout. */
  touch(): void {
    this.#lastActive = Date.now();
  }

  /** Calls `onHandOver` when another server takes over the session. Returns a function that removes the callback. */
  onHandOver(onHandOver: () => void): () => void {
    this.#handOverWatchers.add(onHandOver);
    return () => this.#handOverWatchers.delete(onHandOver);
  }

  /** Stops all timers and disconnects the clients. Does not end the browser. */
  stop(reason: string, how: SessionStop = 'ended'): void {
    this.#isOver = true;
    clearTimeout(this.#expiry);
    clearTimeout(this.#unattended);
    clearTimeout(this.#idle);
    this.#heartbeat?.stop();
    for (const client of this.#clients) client.end(reason, how);
    this.#clients.clear();
    if (how === 'handed over') for (const onHandOver of [...this.#handOverWatchers]) onHandOver();
  }

  /** Suspends the timeout for sessions without clients while clients cannot reach the browser. */
  #noteConnection(isOpen: boolean): void {
    this.#isCut = !isOpen;
    this.#leftAt = Date.now();
    this.#watchAttendance();
  }

  /** Ends a session without clients after `grace` or `firstClient` milliseconds, unless it is kept alive. */
  #watchAttendance(): void {
    clearTimeout(this.#unattended);
    if (this.#isOver || this.#isCut || this.#row.keepAlive || this.#clients.size + this.#arriving > 0) return;
    const [time, reason] = this.#wasAttended
      ? [Math.max(0, this.#leftAt + this.#times.grace - Date.now()), 'The last client disconnected.']
      : [this.#times.firstClient, 'No client connected.'];
    this.#unattended = setTimeout(() => this.#over(this.#wasAttended ? 'COMPLETED' : 'TIMED_OUT', reason), time);
  }

  /**
   * Ends the session after `limit` milliseconds without activity. Activity only sets `#lastActive`, so each timer
   * checks it again.
   */
  #watchIdleness(limit: number): void {
    const left = this.#lastActive + limit - Date.now();
    if (left <= 0) return this.#over('TIMED_OUT', `The clients were idle for ${limit} ms.`);
    this.#idle = setTimeout(() => this.#watchIdleness(limit), left);
  }

  #over(status: SessionEnd['status'], reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd({ status, reason });
  }
}
