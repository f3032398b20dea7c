import type { RentedBrowser } from '../browsers/browser-backend.ts';
import type { SessionRow, SessionStatus } from '../store/store.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import type { DownloadController } from './download-controller.ts';
import type { DownloadList } from './download-list.ts';
import { QuestionStore } from './question-store.ts';
import { SessionControl } from './session-control.ts';

/** The times of a session, in milliseconds. */
export interface SessionTimes {
  /** How long it outlives its last client when it is not kept alive. */
  readonly grace: number;
  /** How long it waits for its first client when it is not kept alive. */
  readonly firstClient: number;
  /** How long no client may say anything; `Infinity` for no limit. */
  readonly idle: number;
  /** Between two questions whether the browser still answers. */
  readonly beat: number;
}

/** How a session came to its end. */
export interface SessionEnd {
  readonly status: Extract<SessionStatus, 'COMPLETED' | 'TIMED_OUT' | 'ERROR'>;
  readonly reason: string;
}

/** Why a session is nothing any more to this server. */
export type SessionStop = 'ended' | 'handed over';

/** A client's connection to the browser of a session. */
export interface SessionClient {
  /** Ends it; the reason is told to the client, and whether the session itself goes on with another server. */
  end(reason: string, how: SessionStop): void;
}

interface LiveSessionParts {
  readonly row: SessionRow;
  readonly browser: RentedBrowser;
  readonly times: SessionTimes;
  readonly downloads: DownloadList;
  readonly downloadController: DownloadController;
  /** Called once, when a time has passed or the browser is gone. */
  readonly onEnd: (end: SessionEnd) => void;
}

/** A session whose browser runs on this server: its clients, its times and the watch over its browser. */
export class LiveSession {
  readonly browser: RentedBrowser;
  readonly control = new SessionControl();
  readonly questions = new QuestionStore();
  readonly downloads: DownloadList;
  readonly downloadController: DownloadController;
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
  /** True while the way to the browser is broken. */
  #isCut = false;

  constructor({ row, browser, times, downloads, downloadController, onEnd }: LiveSessionParts) {
    this.#row = row;
    this.browser = browser;
    this.#times = times;
    this.downloads = downloads;
    this.downloadController = downloadController;
    this.#onEnd = onEnd;
  }

  get row(): SessionRow {
    return this.#row;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Clients that are on their way. */
  get arriving(): number {
    return this.#arriving;
  }

  /** Whether it takes no client any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins to ask the browser whether it lives; fails when it does not at the start. */
  async watchBrowser(): Promise<void> {
    const heartbeat = await startHeartbeat({
      browser: this.browser,
      every: this.#times.beat,
      onConnect: (connection) => this.downloadController.attach(connection),
      onBeat: () => this.downloadController.renew(),
      onLoss: (reason) => this.#over('ERROR', reason),
      onWay: (isOpen) => this.#noteWay(isOpen),
    });
    if (this.#isOver) heartbeat.stop();
    else this.#heartbeat = heartbeat;
  }

  /** From now on it runs, as the store has it, and its times pass. */
  begin(row: SessionRow): void {
    this.#row = row;
    if (this.#isOver) return;
    this.touch();
    this.#expiry = setTimeout(() => this.#over('TIMED_OUT', 'Its time was up.'), row.expiresAt - Date.now());
    this.#watchAttendance();
    if (Number.isFinite(this.#times.idle)) this.#watchIdleness(this.#times.idle);
  }

  /** Takes over what was changed in the store. */
  update(row: SessionRow): void {
    this.#row = row;
    this.#leftAt = Date.now();
    this.#watchAttendance();
  }

  /** Waits for a client while it is on its way, be it that it does not come. Gives what it has on arrival. */
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

  /** A client has come. */
  attach(client: SessionClient): void {
    this.#clients.add(client);
    this.#wasAttended = true;
    this.touch();
    this.#watchAttendance();
  }

  /** A client has gone, be it that it was waited for since a moment before. */
  detach(client: SessionClient, leftAt: number = Date.now()): void {
    if (!this.#clients.delete(client)) return;
    this.#leftAt = leftAt;
    this.touch();
    this.#watchAttendance();
  }

  /** Whoever asked for it has gone before it was told of it, so nobody may ever come. */
  abandon(): void {
    this.#wasAttended = true;
    this.#leftAt = Date.now();
    this.#watchAttendance();
  }

  /** A client said something. */
  touch(): void {
    this.#lastActive = Date.now();
  }

  /** Calls `onHandOver` when another server goes on with the session, until the returned function is called. */
  onHandOver(onHandOver: () => void): () => void {
    this.#handOverWatchers.add(onHandOver);
    return () => this.#handOverWatchers.delete(onHandOver);
  }

  /** Stops all watching and ends the clients; the browser is the caller's. */
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

  /** While no client can reach the browser, none is waited for. */
  #noteWay(isOpen: boolean): void {
    this.#isCut = !isOpen;
    this.#leftAt = Date.now();
    this.#watchAttendance();
  }

  /** Without a client, and not to be kept alive, a session ends after a while. */
  #watchAttendance(): void {
    clearTimeout(this.#unattended);
    if (this.#isOver || this.#isCut || this.#row.keepAlive || this.#clients.size + this.#arriving > 0) return;
    const [time, reason] = this.#wasAttended
      ? [Math.max(0, this.#leftAt + this.#times.grace - Date.now()), 'Its last client was gone.']
      : [this.#times.firstClient, 'No client came.'];
    this.#unattended = setTimeout(() => this.#over(this.#wasAttended ? 'COMPLETED' : 'TIMED_OUT', reason), time);
  }

  /** Looks again when the limit would be reached if nothing more were said. */
  #watchIdleness(limit: number): void {
    const left = this.#lastActive + limit - Date.now();
    if (left <= 0) return this.#over('TIMED_OUT', `Its clients said nothing for ${limit} ms.`);
    this.#idle = setTimeout(() => this.#watchIdleness(limit), left);
  }

  #over(status: SessionEnd['status'], reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd({ status, reason });
  }
}
