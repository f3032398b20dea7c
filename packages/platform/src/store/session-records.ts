import { PlatformError } from '../errors.ts';
import type { SqlDatabase, SqlInput, SqlRow } from './sql-database.ts';

/** An event that a driver reported for a session. */
export interface EventRow {
  /** Increases with each event of a session. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** JSON without the time. */
  readonly body: string;
}

/** A file in a session, without its content. */
export interface FileRow {
  readonly name: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface DownloadRow {
  /** GUID that CDP reported for the download. Also the name of the file on disk. */
  readonly name: string;
  /** File name that Chromium suggests. */
  readonly fileName: string;
  /** Bytes received. */
  readonly size: number;
  readonly state: 'inProgress' | 'completed' | 'canceled';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Events and downloads to keep per session. The oldest are deleted. */
const MAX_EVENTS = 2000;
const MAX_DOWNLOADS = 1000;
const DAY_MS = 24 * 3600 * 1000;
/** Bytes per read. A multiple of 3, so that each part is a whole number of base64 groups. */
export const FILE_PART_BYTES = 3 * 256 * 1024;
/** How long to keep events after their session ended. */
const KEEP_EVENTS_MS = 7 * DAY_MS;
/** Length of the time range that each call of `prune` covers. Servers prune more often than this. */
const SPAN_MS = 10 * 60 * 1000;

/** Events, files and downloads of sessions. */
export class SessionRecords {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async addEvents(sessionId: string, events: readonly Omit<EventRow, 'number'>[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((_event, index) => `(:sessionId, :time${index}, :body${index})`);
    const values = events.flatMap(({ time, body }, index) => [
      [`time${index}`, time],
      [`body${index}`, body],
    ]);
    // One statement for all events, because many sessions report every second.
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

  /** `after`: number of the last event that the caller has. Oldest first. */
  async events(sessionId: string, after: number, limit: number): Promise<readonly EventRow[]> {
    const rows = await this.#database.query(
      'SELECT number, time, body FROM session_events WHERE session_id = :sessionId AND number > :after ORDER BY number LIMIT :limit',
      { sessionId, after, limit },
    );
    return rows.map(({ number, time, body }) => ({ number: Number(number), time: Number(time), body: String(body) }));
  }

  /** Sorted by name. */
  async files(sessionId: string): Promise<readonly FileRow[]> {
    const rows = await this.#database.query(
      'SELECT name, type, size, created_at FROM session_files WHERE session_id = :sessionId ORDER BY name',
      { sessionId },
    );
    return rows.map(fileOf);
  }

  async putFile(sessionId: string, { name, type, size, createdAt }: FileRow, content: Buffer): Promise<void> {
    await this.#database.query(
      `INSERT INTO session_files (session_id, name, type, size, created_at, content)
       VALUES (:sessionId, :name, :type, :size, :createdAt, :content)
       ON CONFLICT (session_id, name) DO UPDATE SET
         type = excluded.type, size = excluded.size, created_at = excluded.created_at, content = excluded.content`,
      { sessionId, name, type, size, createdAt, content: content.toString('base64') },
    );
  }

  /**
   * Yields the content in parts and reads each on demand. Throws `not_found` if the file is removed or replaced in the
   * meantime.
   */
  async *fileParts(sessionId: string, { name, size, createdAt }: FileRow): AsyncGenerator<Buffer, void, undefined> {
    for (let offset = 0; offset < size; offset += FILE_PART_BYTES) {
      const [row] = await this.#database.query(
        `SELECT substr(content, CAST(:first AS INTEGER), CAST(:length AS INTEGER)) AS part FROM session_files
         WHERE session_id = :sessionId AND name = :name AND size = :size AND created_at = :createdAt`,
        {
          sessionId,
          name,
          size,
          createdAt,
          first: lengthInBase64(offset) + 1,
          length: lengthInBase64(FILE_PART_BYTES),
        },
      );
      if (!row) throw new PlatformError('not_found', `The file ${name} was removed or replaced while it was read.`);
      yield Buffer.from(String(row['part']), 'base64');
    }
  }

  /** Returns true if the file existed. */
  async removeFile(sessionId: string, name: string): Promise<boolean> {
    const removed = await this.#database.query(
      'DELETE FROM session_files WHERE session_id = :sessionId AND name = :name RETURNING name',
      { sessionId, name },
    );
    return removed.length > 0;
  }

  /** Oldest first. */
  async downloads(sessionId: string): Promise<readonly DownloadRow[]> {
    const rows = await this.#database.query(
      'SELECT * FROM session_downloads WHERE session_id = :sessionId ORDER BY started_at, name',
      { sessionId },
    );
    return rows.map(downloadOf);
  }

  /** Adds a download, or updates a stored one that has ended. */
  async putDownload(sessionId: string, { name, fileName, size, state, startedAt }: DownloadRow): Promise<void> {
    await this.#database.query(
      `INSERT INTO session_downloads (session_id, name, file_name, size, state, started_at)
       VALUES (:sessionId, :name, :fileName, :size, :state, :startedAt)
       ON CONFLICT (session_id, name) DO UPDATE SET size = excluded.size, state = excluded.state
         WHERE excluded.state <> 'inProgress'`,
      { sessionId, name, fileName, size, state, startedAt },
    );
    await this.#database.query(
      `DELETE FROM session_downloads WHERE session_id = :sessionId AND (started_at, name) < (
         SELECT started_at, name FROM session_downloads WHERE session_id = :sessionId
         ORDER BY started_at DESC, name DESC LIMIT 1 OFFSET :most)`,
      { sessionId, most: MAX_DOWNLOADS - 1 },
    );
  }

  /** Deletes files and downloads of ended sessions, and events of sessions that ended more than 7 days ago. */
  async prune(now: number, endedBefore: number): Promise<void> {
    await this.#database.query(
      'DELETE FROM session_files WHERE session_id NOT IN (SELECT id FROM sessions WHERE ended_at IS NULL)',
    );
    await this.#database.query(
      'DELETE FROM session_downloads WHERE session_id NOT IN (SELECT id FROM sessions WHERE ended_at IS NULL)',
    );
    const last = now - KEEP_EVENTS_MS;
    // Skips older sessions, which earlier runs have pruned: there can be millions.
    await this.#database.query(
      `DELETE FROM session_events WHERE session_id IN (
         SELECT id FROM sessions WHERE ended_at < :endedBefore OR (ended_at >= :first AND ended_at < :last))`,
      { endedBefore, first: last - SPAN_MS, last },
    );
  }
}

/** `bytes` must be a multiple of 3. */
function lengthInBase64(bytes: number): number {
  return (bytes / 3) * 4;
}

function fileOf({ name, type, size, created_at: createdAt }: SqlRow): FileRow {
  return { name: String(name), type: String(type), size: Number(size), createdAt: Number(createdAt) };
}

function downloadOf({ name, file_name: fileName, size, state, started_at: startedAt }: SqlRow): DownloadRow {
  return {
    name: String(name),
    fileName: String(fileName),
    size: Number(size),
    state: String(state) as DownloadRow['state'],
    startedAt: Number(startedAt),
  };
}
