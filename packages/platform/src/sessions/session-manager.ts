import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserBackend, DownloadedFile, RentedBrowser } from '../browsers/browser-backend.ts';
import { innerReasonOf, PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { DownloadRow } from '../store/session-records.ts';
import type { KeyRow, SessionQuery, SessionRow, Store } from '../store/store.ts';
import { browserRequestOf, type CreateParameters, type UpdateParameters } from './create-parameters.ts';
import { DownloadController } from './download-controller.ts';
import { OutsideTargets } from './outside-targets.ts';
import { DownloadList } from './download-list.ts';
import { HandoverState } from './handover-state.ts';
import { LiveSession, type SessionEnd, type SessionTimes } from './live-session.ts';
import type { ForwardRequest, Place, Slots } from './slots.ts';

/** Defaults for new sessions. Times are in milliseconds. */
export interface SessionManagerSettings {
  readonly region: string;
  readonly timeout: number;
  /** Does not apply with `keepAlive`. */
  readonly idleTimeout: number;
  /** Maximum size of all downloads of a session in bytes. */
  readonly downloadQuota: number;
  readonly times: Pick<SessionTimes, 'grace' | 'firstClient' | 'beat'>;
}

interface SessionManagerParts {
  readonly store: Store;
  readonly backend: BrowserBackend;
  readonly slots: Slots;
  readonly log: PlatformLog;
  /** `owner` marks the sessions of this server in the store. */
  readonly lease: { readonly owner: string };
  readonly settings: SessionManagerSettings;
}

/** Adopted sessions wait at most this long for their clients to reconnect. */
const RECONNECT_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 3;
/** Polling interval: nothing reports that another server has started a session. */
const STARTED_PAUSE_MS = 100;

export interface CreateRequest {
  readonly key: KeyRow;
  readonly parameters: CreateParameters;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
  /** Id of the slot that the forwarding server reserved here. */
  readonly place?: string | undefined;
  /** Forwards the request to the server with the slot. Missing if another server forwarded the request here. */
  readonly forwardRequest?: ForwardRequest | undefined;
}

/** Creates, adopts, updates and ends sessions. */
export class SessionManager {
  readonly #parts: SessionManagerParts;
  readonly #live = new Map<string, LiveSession>();
  readonly #starting = new Map<string, Promise<SessionRow>>();
  readonly #adopting = new Map<string, Promise<void>>();
  readonly #ending = new Map<string, Promise<void>>();
  readonly #placeBySession = new Map<string, Place>();
  readonly #handover: HandoverState;
  readonly #closing = new AbortController();
  #created = 0;
  #failed = 0;
  #takenOver = 0;

  constructor(parts: SessionManagerParts) {
    this.#parts = parts;
    this.#handover = new HandoverState(parts);
  }

  /** Sessions whose browsers run on this server, by id. */
  get live(): ReadonlyMap<string, LiveSession> {
    return this.#live;
  }

  /** True once `close` was called. */
  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /**
   * `created`: sessions started here; `failed`: sessions that ended with ERROR; `takenOver`: sessions adopted from
   * other servers.
   */
  get tally(): { readonly created: number; readonly failed: number; readonly takenOver: number } {
    return { created: this.#created, failed: this.#failed, takenOver: this.#takenOver };
  }

  get liveByProject(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { row } of this.#live.values()) counts.set(row.project, (counts.get(row.project) ?? 0) + 1);
    return counts;
  }

  /**
   * Creates a session, or returns the one created with the same idempotency key. Resolves with `undefined` if another
   * server has responded.
   */
  async create(request: CreateRequest): Promise<{ readonly row: SessionRow; readonly isNew: boolean } | undefined> {
    if (this.#closing.signal.aborted) throw shuttingDown();
    const { store, backend, slots, settings } = this.#parts;
    const { parameters, signal } = request;
    if (parameters.region !== undefined && parameters.region !== settings.region)
      throw new PlatformError('invalid_request', `region: this platform serves only ${settings.region}.`);
    const row = this.#newRow(request);
    const known = await this.#sameRequest(row);
    if (known) return { row: await this.#known(known, row.requestDigest), isNew: false };
    await backend.check?.(browserRequestOf(row.id, parameters));
    const stopSignal = AbortSignal.any([signal, this.#closing.signal]);
    const place = await slots.take(
      { ...row, id: request.place ?? row.id, forwardRequest: request.forwardRequest },
      stopSignal,
    );
    if (!place) return undefined;
    const admitted = backend.admit(stopSignal).then(() => store.addSession(row));
    const added = await admitted.catch((error: unknown) => {
      place.free();
      throw error;
    });
    if (!added.isNew) {
      place.free();
      return { row: await this.#known(added.row, row.requestDigest), isNew: false };
    }
    const started = this.#start(row, parameters, place);
    this.#starting.set(row.id, started);
    try {
      const running = await started;
      if (signal.aborted) this.#live.get(row.id)?.abandon();
      return { row: running, isNew: true };
    } finally {
      this.#starting.delete(row.id);
    }
  }

  /** Returns a session. Rejects with `session_not_found` if it does not exist or belongs to another project. */
  async find(project: string, id: string): Promise<SessionRow> {
    const row = await this.#parts.store.session(id);
    if (row?.project !== project) throw new PlatformError('session_not_found', `There is no session ${id}.`);
    return row;
  }

  list(query: SessionQuery): Promise<readonly SessionRow[]> {
    return this.#parts.store.sessions(query);
  }

  /**
   * Updates or ends a session. Ending it twice has no effect. Any other change to an ended session rejects with
   * `session_ended`.
   */
  async update(project: string, id: string, { status, ...change }: UpdateParameters): Promise<SessionRow> {
    const row = await this.find(project, id);
    if (status !== undefined) return this.#release(row);
    const { keepAlive = row.keepAlive, metadata = row.metadata } = change;
    const changed = await this.#parts.store.changeSession(this.#ownerOf(id), { keepAlive, metadata });
    if (!changed) throw await this.sessionUnavailable(id);
    this.#live.get(id)?.update(changed);
    return changed;
  }

  /**
   * Opens a file that the session's browser downloaded. Rejects with `not_found` if there is none, or with
   * `session_ended` if the session has ended.
   */
  async download(project: string, id: string, name: string): Promise<DownloadedFile> {
    await this.find(project, id);
    const session = this.#live.get(id);
    if (!session) throw await this.sessionUnavailable(id);
    const file = await session.browser.openDownload(name);
    if (!file) throw new PlatformError('not_found', `The session has no download ${name}.`);
    return file;
  }

  /** Lists the downloads that the browser reported. Rejects with `session_ended` if the session has ended. */
  async downloads(project: string, id: string): Promise<readonly DownloadRow[]> {
    await this.find(project, id);
    const session = this.#live.get(id);
    if (!session) throw await this.sessionUnavailable(id);
    await session.downloads.checkSilent((name) => session.browser.openDownload(name));
    return session.downloads.list();
  }

  /** Ends a session and its browser. Concurrent calls share one promise. */
  end(id: string, end: SessionEnd): Promise<void> {
    const known = this.#ending.get(id);
    if (known) return known;
    const ending = this.#end(id, end).finally(() => this.#ending.delete(id));
    this.#ending.set(id, ending);
    return ending;
  }

  /** Returns `unavailable` if another server owns the session, and `session_ended` otherwise. */
  async sessionUnavailable(id: string): Promise<PlatformError> {
    const row = await this.#parts.store.session(id);
    if (row && row.endedAt === undefined)
      return new PlatformError('unavailable', 'Another server owns this session now. Try again in a moment.', {
        retryAfter: 1,
      });
    return new PlatformError('session_ended', `Session ${id} has ended: ${row?.endReason ?? ''}`);
  }

  /** Waits until a session has started or been adopted here, or has failed to. */
  async settled(id: string): Promise<void> {
    await Promise.allSettled([this.#starting.get(id), this.#adopting.get(id)]);
  }

  /** True while a session is starting or being adopted here. */
  isSettling(id: string): boolean {
    return this.#starting.has(id) || this.#adopting.has(id);
  }

  /** Adopts the session of a dead server if its browser still runs, and ends it otherwise. */
  async adopt(row: SessionRow): Promise<void> {
    const adopting = this.#adopt(row).finally(() => this.#adopting.delete(row.id));
    this.#adopting.set(row.id, adopting);
    await adopting;
  }

  /** Refuses new requests, hands sessions over that other servers can adopt, and ends the others. */
  async close(): Promise<void> {
    this.#closing.abort(shuttingDown());
    await Promise.allSettled([...this.#starting.values(), ...this.#adopting.values()]);
    await this.#handOver('The server is shutting down. The session continues; connect to it again.');
    const end = { status: 'COMPLETED', reason: 'The server is shutting down.' } as const;
    await Promise.all([...this.#live.keys()].map((id) => this.end(id, end)));
  }

  /** Stops every session without ending it in the store, because other servers own the sessions now. */
  async drop(): Promise<void> {
    const reason = 'Another server has taken over the sessions of this one. Connect again.';
    await this.#handOver(reason);
    for (const [id, session] of this.#live) {
      session.stop(reason);
      this.#forget(id)?.leave();
      await session.browser.end();
    }
  }

  /** Stops sessions that another server can adopt. Their browsers keep running. */
  async #handOver(reason: string): Promise<void> {
    const left: Promise<void>[] = [];
    for (const [id, session] of this.#live) {
      if (session.browser.handle === undefined) continue;
      session.stop(reason, 'handed over');
      this.#forget(id)?.leave();
      if (session.browser.leave) left.push(session.browser.leave());
      this.#parts.log.info({ session: id }, 'session handed over');
    }
    await Promise.all(left);
  }

  #forget(id: string): Place | undefined {
    const place = this.#placeBySession.get(id);
    this.#live.delete(id);
    this.#placeBySession.delete(id);
    return place;
  }

  #newRow({ key, parameters, idempotencyKey }: CreateRequest): SessionRow {
    const { region, timeout } = this.#parts.settings;
    const createdAt = Date.now();
    return {
      id: randomUUID(),
      project: key.project,
      keyId: key.id,
      status: 'PENDING',
      keepAlive: parameters.keepAlive ?? false,
      region,
      metadata: parameters.metadata ?? {},
      createdAt,
      expiresAt: createdAt + (parameters.timeout ?? timeout),
      endedAt: undefined,
      endReason: undefined,
      owner: this.#parts.lease.owner,
      browser: undefined,
      seat: undefined,
      node: undefined,
      idleTimeout: parameters.idleTimeout,
      idempotencyKey,
      requestDigest: createHash('sha256').update(JSON.stringify(parameters)).digest('hex'),
    };
  }

  async #known(row: SessionRow, requestDigest: string): Promise<SessionRow> {
    if (row.requestDigest !== requestDigest)
      throw new PlatformError(
        'idempotency_conflict',
        'This Idempotency-Key was used with a different body. Use a new key for a new request.',
      );
    return (await this.#starting.get(row.id)) ?? this.#startedElsewhere(row);
  }

  /** Runs before a slot is reserved, because a repeated request needs none. */
  async #sameRequest({ project, idempotencyKey }: SessionRow): Promise<SessionRow | undefined> {
    return idempotencyKey === undefined ? undefined : this.#parts.store.sessionOfRequest(project, idempotencyKey);
  }

  /** Waits for a session that another server is starting. If that server dies, its successor ends the session. */
  async #startedElsewhere(row: SessionRow): Promise<SessionRow> {
    let now = row;
    while (now.status === 'PENDING') {
      await pause(STARTED_PAUSE_MS, undefined, { signal: this.#closing.signal });
      now = (await this.#parts.store.session(row.id)) ?? { ...row, status: 'ERROR' };
    }
    if (row.status === 'PENDING' && now.status === 'ERROR') throw ownershipLost();
    return now;
  }

  #ownerOf(id: string): Pick<SessionRow, 'id' | 'owner'> {
    return this.#live.get(id)?.row ?? { id, owner: this.#parts.lease.owner };
  }

  /** From here on, the session starts even if the client disconnects. */
  async #start(row: SessionRow, parameters: CreateParameters, place: Place): Promise<SessionRow> {
    const { store, log } = this.#parts;
    let browser: RentedBrowser | undefined;
    try {
      const session = await this.#newSession(row, parameters);
      ({ browser } = session);
      this.#live.set(row.id, session);
      this.#placeBySession.set(row.id, place);
      const expiresAt = Date.now() + row.expiresAt - row.createdAt;
      const running = await store.changeSession(row, { status: 'RUNNING', expiresAt, browser: browser.handle });
      if (!running) throw new PlatformError('session_ended', 'The session was ended while it was starting.');
      session.begin(running);
      void this.#handover.noteNode(session);
      this.#created += 1;
      log.info({ session: row.id, project: row.project }, 'session created');
      return running;
    } catch (error) {
      if (isRefusal(error)) {
        // Removes the row as if there had been no slot, so that a retry creates a new session.
        log.warn({ session: row.id, reason: innerReasonOf(error) }, 'no browser available for a session');
        await store.removePending(row);
        place.free();
        throw error;
      }
      log.error({ session: row.id, reason: innerReasonOf(error) }, 'session failed to start');
      await browser?.end();
      await this.end(row.id, { status: 'ERROR', reason: 'The browser could not be started.' });
      place.free();
      if (this.#closing.signal.aborted) throw shuttingDown();
      if (await this.#isTakenOver(row)) throw elsewhere();
      if (error instanceof PlatformError) throw error;
      throw new PlatformError('internal', 'The browser could not be started.', { cause: error });
    }
  }

  /** True if another server took over a session while it was starting here. */
  async #isTakenOver({ id, owner }: SessionRow): Promise<boolean> {
    const row = await this.#parts.store.session(id);
    return row !== undefined && row.owner !== owner;
  }

  /** Starts a browser that responds. On Grids, tries up to 3 browsers if one is lost during the start. */
  async #newSession(row: SessionRow, parameters: CreateParameters): Promise<LiveSession> {
    const { backend, settings, log } = this.#parts;
    for (let attempt = 1; ; attempt += 1) {
      const browser = await backend.start(browserRequestOf(row.id, parameters), this.#closing.signal);
      const session = this.#liveSession(row, browser, { times: settings.times, downloads: [] });
      try {
        await session.watchBrowser();
        return session;
      } catch (error) {
        await browser.end();
        if (!browser.state || attempt === MAX_ATTEMPTS || this.#closing.signal.aborted) throw error;
        log.warn({ session: row.id, reason: reasonOf(error) }, 'cannot reach a started browser');
      }
    }
  }

  async #adopt(row: SessionRow): Promise<void> {
    const { slots, log, settings } = this.#parts;
    const browser = await this.#adoptedBrowser(row);
    if (!browser) return this.end(row.id, { status: 'ERROR', reason: 'The server that ran the session was lost.' });
    const { times } = settings;
    const downloads = await this.#parts.store.records.downloads(row.id);
    const session = this.#liveSession(row, browser, {
      times: { ...times, firstClient: Math.min(times.firstClient, RECONNECT_TIMEOUT_MS) },
      downloads,
    });
    this.#live.set(row.id, session);
    this.#placeBySession.set(row.id, slots.hold(row));
    try {
      await session.watchBrowser();
      session.begin(row);
      this.#takenOver += 1;
      log.info({ session: row.id, project: row.project }, 'session taken over');
    } catch (error) {
      log.warn({ session: row.id, reason: reasonOf(error) }, 'browser of a lost server does not respond');
      await this.end(row.id, { status: 'ERROR', reason: 'The browser was lost with its server.' });
    }
  }

  async #adoptedBrowser({ id, status, browser }: SessionRow): Promise<RentedBrowser | undefined> {
    if (status !== 'RUNNING' || browser === undefined) return undefined;
    try {
      return await this.#parts.backend.adopt?.(id, browser, this.#closing.signal);
    } catch (error) {
      this.#parts.log.warn({ session: id, reason: reasonOf(error) }, 'cannot take over a session');
      return undefined;
    }
  }

  #liveSession(
    row: SessionRow,
    browser: RentedBrowser,
    {
      times,
      downloads,
    }: { readonly times: SessionManagerSettings['times']; readonly downloads: readonly DownloadRow[] },
  ): LiveSession {
    const idle = row.idleTimeout ?? (row.keepAlive ? Number.POSITIVE_INFINITY : this.#parts.settings.idleTimeout);
    const list = new DownloadList(downloads, (download) => this.#handover.addDownload(browser, download));
    const { log, settings } = this.#parts;
    const session = new LiveSession({
      row,
      browser,
      times: { ...times, idle },
      downloads: list,
      downloadController: new DownloadController({
        sessionId: row.id,
        folder: browser.downloads,
        quota: settings.downloadQuota,
        bytesInFolder: browser.bytesInDownloads?.bind(browser),
        list,
        log,
      }),
      outsideTargets: new OutsideTargets(row.id, log),
      onEnd: (end) => void this.end(row.id, end).catch((error: unknown) => this.#tellFailedEnd(row.id, error)),
    });
    this.#handover.trackControl(session);
    return session;
  }

  async #release(row: SessionRow): Promise<SessionRow> {
    await this.end(row.id, { status: 'COMPLETED', reason: 'The session was released.' });
    return (await this.#parts.store.session(row.id)) ?? row;
  }

  async #end(id: string, { status, reason }: SessionEnd): Promise<void> {
    const owned = this.#ownerOf(id);
    const session = this.#live.get(id);
    session?.stop(reason);
    const place = this.#forget(id);
    const endedAt = Date.now();
    const ended = await this.#parts.store.changeSession(owned, {
      status,
      endReason: reason,
      endedAt,
      // Deletes the secrets, which only an adopting server needs.
      browser: undefined,
      seat: undefined,
    });
    await session?.browser.end();
    place?.free();
    if (ended && status === 'ERROR') this.#failed += 1;
    if (ended) this.#parts.log.info({ session: id, status, reason }, 'session ended');
  }

  #tellFailedEnd(id: string, error: unknown): void {
    this.#parts.log.error({ session: id, reason: reasonOf(error) }, 'cannot end a session cleanly');
  }
}

/** True if a retry may find a free browser. */
function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.code === 'no_capacity';
}

function ownershipLost(): PlatformError {
  const message =
    'The server that was starting this session was lost. Try again in a moment, with another Idempotency-Key.';
  return new PlatformError('unavailable', message, { retryAfter: 1 });
}

function elsewhere(): PlatformError {
  const message = 'Another server took over while this one was starting the session. Try again in a moment.';
  return new PlatformError('unavailable', message, { retryAfter: 1 });
}

function shuttingDown(): PlatformError {
  return new PlatformError('shutting_down', 'This server is shutting down. Try again in a moment.', { retryAfter: 1 });
}
