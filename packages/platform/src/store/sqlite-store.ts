import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { MIGRATIONS } from './schema.ts';
import { keyOf, sessionOf, sessionValues, type Values } from './sqlite-rows.ts';
import type { CacheRow, KeyRow, SessionChange, SessionQuery, SessionRow, Store } from './store.ts';

const LIVE = "status IN ('PENDING', 'RUNNING')";

/** The embedded store: one file of SQLite, or the memory of this process. */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens a database file, or `:memory:`. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
    this.#migrate();
  }

  async addSession(row: SessionRow): Promise<{ row: SessionRow; isNew: boolean }> {
    const values = sessionValues(row);
    const names = Object.keys(values);
    const places = names.map((name) => `:${name}`);
    const { changes } = this.#statement(
      `INSERT INTO sessions (${names.join()}) VALUES (${places.join()}) ON CONFLICT (project, idempotency_key) DO NOTHING`,
    ).run(values);
    if (changes === 1) return { row, isNew: true };
    const known = this.#get('SELECT * FROM sessions WHERE project = :project AND idempotency_key = :idempotencyKey', {
      project: row.project,
      idempotencyKey: row.idempotencyKey ?? null,
    });
    return known ? { row: sessionOf(known), isNew: false } : { row, isNew: true };
  }

  async session(id: string): Promise<SessionRow | undefined> {
    const found = this.#get('SELECT * FROM sessions WHERE id = :id', { id });
    return found && sessionOf(found);
  }

  async changeSession(id: string, change: SessionChange): Promise<SessionRow | undefined> {
    const values = sessionValues(change);
    const changes = Object.keys(values).map((column) => `${column} = :${column}`);
    const changed = this.#get(`UPDATE sessions SET ${changes.join()} WHERE id = :id AND ${LIVE} RETURNING *`, {
      ...values,
      id,
    });
    return changed && sessionOf(changed);
  }

  async sessions({ project, status, limit, before }: SessionQuery): Promise<readonly SessionRow[]> {
    const found = this.#statement(
      `SELECT * FROM sessions WHERE project = :project AND (:status IS NULL OR status = :status)
         AND (:createdAt IS NULL OR (created_at, id) < (:createdAt, :id))
       ORDER BY created_at DESC, id DESC LIMIT :limit`,
    ).all({
      project,
      status: status ?? null,
      limit,
      createdAt: before?.createdAt ?? null,
      id: before?.id ?? null,
    });
    return found.map(sessionOf);
  }

  async liveSessions(): Promise<readonly SessionRow[]> {
    return this.#statement(`SELECT * FROM sessions WHERE ${LIVE}`).all().map(sessionOf);
  }

  async addKey(row: KeyRow): Promise<void> {
    this.#statement(
      `INSERT INTO keys (id, project, name, secret_hash, scopes, created_at, expires_at, revoked_at)
       VALUES (:id, :project, :name, :secretHash, :scopes, :createdAt, :expiresAt, :revokedAt)`,
    ).run({
      ...row,
      scopes: JSON.stringify(row.scopes),
      expiresAt: row.expiresAt ?? null,
      revokedAt: row.revokedAt ?? null,
    });
  }

  async key(id: string): Promise<KeyRow | undefined> {
    const found = this.#get('SELECT * FROM keys WHERE id = :id', { id });
    return found && keyOf(found);
  }

  async keys(project: string): Promise<readonly KeyRow[]> {
    return this.#statement('SELECT * FROM keys WHERE project = :project ORDER BY created_at')
      .all({ project })
      .map(keyOf);
  }

  async revokeKey(project: string, id: string, at: number): Promise<boolean> {
    const { changes } = this.#statement(
      'UPDATE keys SET revoked_at = :at WHERE project = :project AND id = :id AND revoked_at IS NULL',
    ).run({ project, id, at });
    return changes === 1;
  }

  async hasKeys(): Promise<boolean> {
    return this.#get('SELECT 1 FROM keys LIMIT 1', {}) !== undefined;
  }

  async secret(name: string, make: () => string): Promise<string> {
    this.#statement('INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING').run({
      name,
      value: make(),
    });
    return String(this.#get('SELECT value FROM secrets WHERE name = :name', { name })?.['value']);
  }

  async cacheEntry(project: string, key: string, now: number): Promise<CacheRow | undefined> {
    const found = this.#get(
      'SELECT value, expires_at FROM cache WHERE project = :project AND key = :key AND expires_at > :now',
      { project, key, now },
    );
    return found && { project, key, value: String(found['value']), expiresAt: Number(found['expires_at']) };
  }

  async putCacheEntry({ project, key, value, expiresAt }: CacheRow, most: number): Promise<void> {
    this.#statement(
      'INSERT OR REPLACE INTO cache (project, key, value, expires_at) VALUES (:project, :key, :value, :expiresAt)',
    ).run({ project, key, value, expiresAt });
    this.#statement(
      `DELETE FROM cache WHERE project = :project AND written <= (
         SELECT written FROM cache WHERE project = :project ORDER BY written DESC LIMIT 1 OFFSET :most)`,
    ).run({ project, most });
  }

  async removeCacheEntry(project: string, key: string): Promise<void> {
    this.#statement('DELETE FROM cache WHERE project = :project AND key = :key').run({ project, key });
  }

  async prune(now: number, endedBefore: number): Promise<void> {
    this.#statement('DELETE FROM cache WHERE expires_at <= :now').run({ now });
    this.#statement('DELETE FROM sessions WHERE ended_at < :endedBefore').run({ endedBefore });
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#database.close();
  }

  #migrate(): void {
    const version = Number(this.#get('PRAGMA user_version', {})?.['user_version'] ?? 0);
    for (const [index, migration] of MIGRATIONS.entries())
      if (index >= version) this.#database.exec(`BEGIN; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT;`);
  }

  #get(sql: string, values: Record<string, SQLInputValue>): Values | undefined {
    return this.#statement(sql).get(values);
  }

  /** Prepared once each. */
  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}
