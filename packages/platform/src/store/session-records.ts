import type { SqlDatabase, SqlInput, SqlRow } from './sql-database.ts';

/** Something that happened in a session, as its client told it. */
export interface EventRow {
  /** Its number; later events have greater ones. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** JSON. */
  readonly body: string;
}

/** A file that was given to a session, without its content. */
export interface FileRow {
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What a session may have of each; above that the oldest events go, and files are refused. */
const MAX_EVENTS = 2000;
const DAY_MS = 24 * 3600 * 1000;
/** How long they outlive their session. */
const KEEP_EVENTS_MS = 7 * DAY_MS;
/** Servers look more often than this. */
const SPAN_MS = 10 * 60 * 1000;

/** What belongs to sessions beside their rows: what happened in them, and files. It goes with them. */
export class SessionRecords {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Adds events, in their order. */
  async addEvents(sessionId: string, events: readonly Omit<EventRow, 'number'>[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((_event, index) => `(:sessionId, :time${index}, :body${index})`);
    const values = events.flatMap(({ time, body }, index) => [
      [`time${index}`, time],
      [`body${index}`, body],
    ]);
    // Together: many sessions say each second what they did.
    await this.#database.query(`INSERT INTO session_events (session_id, time, body) VALUES ${rows.join()}`, {
      sessionId,
      ...(Object.fromEntries(values) as Readonly<Record<string, SqlInput>>),
    });
    await this.#database.query(
      `DELETE FROM session_events WHERE session_id = :sessionId AND number < (
         SELECT number FROM session_events WHERE session_id = :sessionId ORDER BY number DESC LIMIT 1 OFFSET :most)`,
      { sessionId, most: MAX_EVENTS - 1 },
    );
  }

  /** The events after one, oldest first. */
  async events(sessionId: string, after: number, limit: number): Promise<readonly EventRow[]> {
    const rows = await this.#database.query(
      'SELECT number, time, body FROM session_events WHERE session_id = :sessionId AND number > :after ORDER BY number LIMIT :limit',
      { sessionId, after, limit },
    );
    return rows.map(({ number, time, body }) => ({ number: Number(number), time: Number(time), body: String(body) }));
  }

  /** The files of a session, by name. */
  async files(sessionId: string): Promise<readonly FileRow[]> {
    const rows = await this.#database.query(
      'SELECT name, type, size, created_at FROM session_files WHERE session_id = :sessionId ORDER BY name',
      { sessionId },
    );
    return rows.map(fileOf);
  }

  /** Adds or replaces a file. */
  async putFile(sessionId: string, { name, type, size, createdAt }: FileRow, content: Buffer): Promise<void> {
    await this.#database.query(
      `INSERT INTO session_files (session_id, name, type, size, created_at, content)
       VALUES (:sessionId, :name, :type, :size, :createdAt, :content)
       ON CONFLICT (session_id, name) DO UPDATE SET
         type = excluded.type, size = excluded.size, created_at = excluded.created_at, content = excluded.content`,
      { sessionId, name, type, size, createdAt, content: content.toString('base64') },
    );
  }

  /** The content of a file; undefined when there is none of that name. */
  async file(sessionId: string, name: string): Promise<(FileRow & { readonly content: Buffer }) | undefined> {
    const [row] = await this.#database.query(
      'SELECT * FROM session_files WHERE session_id = :sessionId AND name = :name',
      { sessionId, name },
    );
    return row && { ...fileOf(row), content: Buffer.from(String(row['content']), 'base64') };
  }

  /** Removes a file. Whether it was there. */
  async removeFile(sessionId: string, name: string): Promise<boolean> {
    const removed = await this.#database.query(
      'DELETE FROM session_files WHERE session_id = :sessionId AND name = :name RETURNING name',
      { sessionId, name },
    );
    return removed.length > 0;
  }

  /** Removes the files of sessions that have ended, and events of those that ended a while ago or are to be forgotten. */
  async prune(now: number, endedBefore: number): Promise<void> {
    await this.#database.query(
      'DELETE FROM session_files WHERE session_id NOT IN (SELECT id FROM sessions WHERE ended_at IS NULL)',
    );
    const last = now - KEEP_EVENTS_MS;
    // A span that was looked at before is not looked at again: sessions are kept by the million.
    await this.#database.query(
      `DELETE FROM session_events WHERE session_id IN (
         SELECT id FROM sessions WHERE ended_at < :endedBefore OR (ended_at >= :first AND ended_at < :last))`,
      { endedBefore, first: last - SPAN_MS, last },
    );
  }
}

function fileOf({ name, type, size, created_at: createdAt }: SqlRow): FileRow {
  return { name: String(name), type: String(type), size: Number(size), createdAt: Number(createdAt) };
}
