/** The tables. Statements are only ever added: a database of an older version goes through those that it lacks. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    key_id TEXT NOT NULL,
    status TEXT NOT NULL,
    keep_alive INTEGER NOT NULL,
    region TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT,
    owner TEXT NOT NULL,
    idempotency_key TEXT,
    request_digest TEXT NOT NULL,
    UNIQUE (project, idempotency_key)
  ) STRICT;
  CREATE INDEX sessions_by_project ON sessions (project, created_at DESC, id DESC);
  CREATE INDEX sessions_by_status ON sessions (status);
  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX keys_by_project ON keys (project);
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE cache (
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    written INTEGER PRIMARY KEY AUTOINCREMENT,
    expires_at INTEGER NOT NULL,
    UNIQUE (project, key)
  ) STRICT;`,
];
