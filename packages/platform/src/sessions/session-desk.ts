import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BrowserBackend, RentedBrowser } from '../browsers/browser-backend.ts';
import { PlatformError, reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { KeyRow, SessionQuery, SessionRow, Store } from '../store/store.ts';
import { browserRequestOf, type CreateParameters, type UpdateParameters } from './create-parameters.ts';
import { LiveSession, type SessionEnd, type SessionTimes } from './live-session.ts';
import type { Slots } from './slots.ts';

/** How sessions live when their creators do not say. Milliseconds. */
export interface DeskSettings {
  /** Names this server in the rows that it owns. */
  readonly owner: string;
  readonly region: string;
  readonly timeout: number;
  /** For sessions that are not kept alive. */
  readonly idleTimeout: number;
  readonly times: Pick<SessionTimes, 'grace' | 'firstClient' | 'beat'>;
}

interface DeskParts {
  readonly store: Store;
  readonly backend: BrowserBackend;
  readonly slots: Slots;
  readonly log: PlatformLog;
  readonly settings: DeskSettings;
}

/** A request for a session. */
export interface CreateRequest {
  readonly key: KeyRow;
  readonly parameters: CreateParameters;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
}

/** Rents out browsers: everything that begins, changes or ends a session passes here. */
export class SessionDesk {
  readonly #parts: DeskParts;
  readonly #live = new Map<string, LiveSession>();
  readonly #starting = new Map<string, Promise<SessionRow>>();
  readonly #ending = new Map<string, Promise<void>>();
  /** Frees the place of a session. */
  readonly #freeAtEnd = new Map<string, () => void>();
  readonly #closing = new AbortController();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** The sessions whose browsers run on this server. */
  get live(): ReadonlyMap<string, LiveSession> {
    return this.#live;
  }

  /** Creates a session, or gives the one that the same idempotency key created before. */
  async create(request: CreateRequest): Promise<{ readonly row: SessionRow; readonly isNew: boolean }> {
    if (this.#closing.signal.aborted) throw shuttingDown();
    const { store, slots, settings } = this.#parts;
    const { key, parameters, signal } = request;
    if (parameters.region !== undefined && parameters.region !== settings.region)
      throw new PlatformError('invalid_request', `region: only ${settings.region} is served here.`);
    const row = this.#newRow(request);
    const free = await slots.take(key.project, AbortSignal.any([signal, this.#closing.signal]));
    const added = await store.addSession(row).catch((error: unknown) => {
      free();
      throw error;
    });
    if (!added.isNew) {
      free();
      return { row: await this.#known(added.row, row.requestDigest), isNew: false };
    }
    const started = this.#start(row, parameters, free);
    this.#starting.set(row.id, started);
    try {
      const running = await started;
      if (signal.aborted) this.#live.get(row.id)?.abandon();
      return { row: running, isNew: true };
    } finally {
      this.#starting.delete(row.id);
    }
  }

  /** A session of a project; `session_not_found` when there is none, and so for another project's. */
  async find(project: string, id: string): Promise<SessionRow> {
    const row = await this.#parts.store.session(id);
    if (row?.project !== project) throw new PlatformError('session_not_found', `There is no session ${id}.`);
    return row;
  }

  /** The sessions of a project. */
  list(query: SessionQuery): Promise<readonly SessionRow[]> {
    return this.#parts.store.sessions(query);
  }

  /** Changes a session, or ends it. Ending one that has ended changes nothing; any other change is `session_ended`. */
  async update(project: string, id: string, { status, ...change }: UpdateParameters): Promise<SessionRow> {
    const row = await this.find(project, id);
    if (status !== undefined) return this.#release(row);
    const { keepAlive = row.keepAlive, metadata = row.metadata } = change;
    const changed = await this.#parts.store.changeSession(id, { keepAlive, metadata });
    if (!changed) throw new PlatformError('session_ended', `The session ${id} has ended: ${row.endReason ?? ''}`);
    this.#live.get(id)?.update(changed);
    return changed;
  }

  /** A file that the browser of a session downloaded; `not_found` when there is none, `session_ended` when that has gone with it. */
  async download(project: string, id: string, name: string): Promise<Readable> {
    await this.find(project, id);
    const session = this.#live.get(id);
    if (!session) throw new PlatformError('session_ended', 'What a session downloaded goes with it.');
    const file = await session.browser.openDownload(name);
    if (!file) throw new PlatformError('not_found', `The session has no download ${name}.`);
    return file;
  }

  /** Ends a session and its browser, once; later calls wait for the same end. */
  end(id: string, end: SessionEnd): Promise<void> {
    const known = this.#ending.get(id);
    if (known) return known;
    const ending = this.#end(id, end).finally(() => this.#ending.delete(id));
    this.#ending.set(id, ending);
    return ending;
  }

  /** Takes no more requests and ends every session. */
  async close(): Promise<void> {
    this.#closing.abort(shuttingDown());
    await Promise.allSettled(this.#starting.values());
    const end = { status: 'COMPLETED', reason: 'The server was shut down.' } as const;
    await Promise.all([...this.#live.keys()].map((id) => this.end(id, end)));
  }

  #newRow({ key, parameters, idempotencyKey }: CreateRequest): SessionRow {
    const { owner, region, timeout } = this.#parts.settings;
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
      owner,
      idempotencyKey,
      requestDigest: createHash('sha256').update(JSON.stringify(parameters)).digest('hex'),
    };
  }

  async #known(row: SessionRow, requestDigest: string): Promise<SessionRow> {
    if (row.requestDigest !== requestDigest)
      throw new PlatformError('idempotency_conflict', 'This Idempotency-Key was used with another body.');
    return (await this.#starting.get(row.id)) ?? row;
  }

  /** From here on the session ends by itself, whether or not whoever asked for it still waits. */
  async #start(row: SessionRow, parameters: CreateParameters, free: () => void): Promise<SessionRow> {
    const { backend, store, log } = this.#parts;
    let browser: RentedBrowser | undefined;
    try {
      browser = await backend.start(browserRequestOf(row.id, parameters), this.#closing.signal);
      const session = this.#liveSession(row, browser, parameters);
      this.#live.set(row.id, session);
      this.#freeAtEnd.set(row.id, free);
      await session.watchBrowser();
      const expiresAt = Date.now() + row.expiresAt - row.createdAt;
      const running = await store.changeSession(row.id, { status: 'RUNNING', expiresAt });
      if (!running) throw new PlatformError('session_ended', 'The session was ended while it began.');
      session.begin(running);
      log.info({ session: row.id, project: row.project }, 'session created');
      return running;
    } catch (error) {
      log.error({ session: row.id, reason: reasonOf(error) }, 'session failed to start');
      await browser?.end();
      await this.end(row.id, { status: 'ERROR', reason: 'Its browser could not be started.' });
      free();
      if (this.#closing.signal.aborted) throw shuttingDown();
      throw new PlatformError('internal', 'The browser could not be started.', { cause: error });
    }
  }

  #liveSession(row: SessionRow, browser: RentedBrowser, parameters: CreateParameters): LiveSession {
    const { times, idleTimeout } = this.#parts.settings;
    const idle = parameters.idleTimeout ?? (row.keepAlive ? Number.POSITIVE_INFINITY : idleTimeout);
    return new LiveSession({
      row,
      browser,
      times: { ...times, idle },
      onEnd: (end) => void this.end(row.id, end).catch((error: unknown) => this.#tellFailedEnd(row.id, error)),
    });
  }

  async #release(row: SessionRow): Promise<SessionRow> {
    await this.end(row.id, { status: 'COMPLETED', reason: 'It was released.' });
    return (await this.#parts.store.session(row.id)) ?? row;
  }

  async #end(id: string, { status, reason }: SessionEnd): Promise<void> {
    const session = this.#live.get(id);
    session?.stop(reason);
    this.#live.delete(id);
    const endedAt = Date.now();
    const ended = await this.#parts.store.changeSession(id, { status, endReason: reason, endedAt });
    await session?.browser.end();
    this.#freeAtEnd.get(id)?.();
    this.#freeAtEnd.delete(id);
    if (ended) this.#parts.log.info({ session: id, status, reason }, 'session ended');
  }

  #tellFailedEnd(id: string, error: unknown): void {
    this.#parts.log.error({ session: id, reason: reasonOf(error) }, 'session could not be ended in order');
  }
}

function shuttingDown(): PlatformError {
  return new PlatformError('shutting_down', 'This server is shutting down. Try again in a moment.', { retryAfter: 1 });
}
