import { PlatformError } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import { recordTables } from './record-schema.ts';

/** Returns all migration steps in order. Only append steps: an older database runs those it is missing. */
export function migrations(dialect: Dialect): readonly string[] {
  return [firstTables(dialect), sharedTables(dialect), recordTables(dialect), handOverTables(dialect), nodeColumn()];
}

function firstTables({ integer, numbered, end }: Dialect): string {
  return `CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      key_id TEXT NOT NULL,
      status TEXT NOT NULL,
      keep_alive ${integer} NOT NULL,
      region TEXT NOT NULL,
      metadata TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      ended_at ${integer},
      end_reason TEXT,
      owner TEXT NOT NULL,
      idempotency_key TEXT,
      request_digest TEXT NOT NULL,
      UNIQUE (project, idempotency_key)
    ) ${end};
    CREATE INDEX sessions_by_project ON sessions (project, created_at DESC, id DESC);
    CREATE INDEX sessions_by_status ON sessions (status);
    CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      name TEXT NOT NULL,
      secret_hash TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer}
    ) ${end};
    CREATE INDEX keys_by_project ON keys (project);
    CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) ${end};
    CREATE TABLE cache (
      project TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      written ${numbered},
      expires_at ${integer} NOT NULL,
      UNIQUE (project, key)
    ) ${end}`;
}

/** Tables for several servers. Drops all cache entries. */
function sharedTables({ integer, numbered, end }: Dialect): string {
  return `ALTER TABLE sessions ADD COLUMN browser TEXT;
    ALTER TABLE sessions ADD COLUMN idle_timeout ${integer};
    CREATE INDEX sessions_by_end ON sessions (ended_at);
    CREATE TABLE servers (
      id ${numbered},
      address TEXT NOT NULL,
      since ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    ) ${end};
    DROP TABLE cache;
    CREATE TABLE cache (
      project TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      written_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      PRIMARY KEY (project, key)
    ) ${end};
    CREATE INDEX cache_by_age ON cache (project, written_at, key);
    CREATE INDEX cache_by_end ON cache (expires_at)`;
}

/** Data with which a server takes over a session. */
function handOverTables({ integer, end }: Dialect): string {
  return `ALTER TABLE sessions ADD COLUMN seat TEXT;
    CREATE TABLE session_downloads (
      session_id TEXT NOT NULL,
      name TEXT NOT NULL,
      file_name TEXT NOT NULL,
      size ${integer} NOT NULL,
      state TEXT NOT NULL,
      started_at ${integer} NOT NULL,
      PRIMARY KEY (session_id, name)
    ) ${end}`;
}

function nodeColumn(): string {
  return 'ALTER TABLE sessions ADD COLUMN node TEXT';
}

/** Returns the number of migrations that a database has run. Throws if a newer server created it. */
export function checkVersion(version: number, steps: readonly string[]): number {
  if (version <= steps.length) return version;
  throw new PlatformError(
    'invalid_request',
    `The database has version ${version}, but this server supports ${steps.length}. Start a newer server.`,
  );
}
