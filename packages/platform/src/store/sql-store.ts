import type { PartState } from '../reachability.ts';
import { keyOf, sessionOf, sessionValues } from './sql-rows.ts';
import type { SqlDatabase, SqlInput, SqlRow } from './sql-database.ts';
import { SecretBox } from './secret-box.ts';
import { SessionRecords } from './session-records.ts';
import type { CacheRow, KeyRow, SessionChange, SessionQuery, SessionRow, Store, TakeOver } from './store.ts';

const LIVE = "status IN ('PENDING', 'RUNNING')";

/** Columns to encrypt, because their values give control of a browser. */
const SECRET_COLUMNS = ['browser', 'seat'] as const;
type SecretColumn = (typeof SECRET_COLUMNS)[number];

/** Implements `Store` with SQL for SQLite and PostgreSQL. */
export class SqlStore implements Store {
  readonly records: SessionRecords;
  readonly #database: SqlDatabase;

  readonly #box: SecretBox;

  constructor(database: SqlDatabase, box: SecretBox = new SecretBox(undefined)) {
    this.#database = database;
    this.#box = box;
    this.records = new SessionRecords(database);
  }

  get isShared(): boolean {
    return this.#database.isShared;
  }

  async addSession(row: SessionRow): Promise<{ row: SessionRow; isNew: boolean }> {
    const values = this.#values(row.id, row);
    const names = Object.keys(values);
    const placeholders = names.map((name) => `:${name}`);
    const added = await this.#one(
      `INSERT INTO sessions (${names.join()}) VALUES (${placeholders.join()}) ON CONFLICT DO NOTHING RETURNING id`,
      values,
    );
    if (added || row.idempotencyKey === undefined) return { row, isNew: true };
    const known = await this.sessionOfRequest(row.project, row.idempotencyKey);
    // The same id: the statement ran twice because a connection was lost.
    return known && known.id !== row.id ? { row: known, isNew: false } : { row, isNew: true };
  }

  async session(id: string): Promise<SessionRow | undefined> {
    const found = await this.#one('SELECT * FROM sessions WHERE id = :id', { id });
    return found && this.#sessionOf(found);
  }

  async sessionOfRequest(project: string, idempotencyKey: string): Promise<SessionRow | undefined> {
    const found = await this.#one(
      'SELECT * FROM sessions WHERE project = :project AND idempotency_key = :idempotencyKey',
      { project, idempotencyKey },
    );
    return found && this.#sessionOf(found);
  }

  async changeSession(
    { id, owner }: Pick<SessionRow, 'id' | 'owner'>,
    change: SessionChange,
  ): Promise<SessionRow | undefined> {
    const values = this.#values(id, change);
    const changes = Object.keys(values).map((column) => `${column} = :${column}`);
    const changed = await this.#one(
      `UPDATE sessions SET ${changes.join()} WHERE id = :id AND owner = :owner AND ${LIVE} RETURNING *`,
      { ...values, id, owner },
    );
    return changed && this.#sessionOf(changed);
  }

  async removePending({ id, owner }: Pick<SessionRow, 'id' | 'owner'>): Promise<void> {
    await this.#database.query(`DELETE FROM sessions WHERE id = :id AND owner = :owner AND status = 'PENDING'`, {
      id,
      owner,
    });
  }

  async sessions({ project, status, limit, before }: SessionQuery): Promise<readonly SessionRow[]> {
    const found = await this.#database.query(
      `SELECT * FROM sessions WHERE project = :project AND (CAST(:status AS TEXT) IS NULL OR status = :status)
         AND (CAST(:createdAt AS BIGINT) IS NULL OR (created_at, id) < (:createdAt, :id))
       ORDER BY created_at DESC, id DESC LIMIT :limit`,
      { project, status: status ?? null, limit, createdAt: before?.createdAt ?? null, id: before?.id ?? null },
    );
    return found.map((values) => this.#sessionOf(values));
  }

  async liveAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const members = this.#database.textsOf(':ids');
    const found = await this.#database.query(`SELECT id FROM sessions WHERE id IN (${members}) AND ${LIVE}`, {
      ids: JSON.stringify(ids),
    });
    return new Set(found.map(({ id }) => String(id)));
  }

  async liveSessions(owner: string): Promise<readonly SessionRow[]> {
    const found = await this.#database.query(`SELECT * FROM sessions WHERE owner = :owner AND ${LIVE}`, { owner });
    return found.map((values) => this.#sessionOf(values));
  }

  get state(): PartState | undefined {
    return this.#database.state;
  }

  async addLease(address: string, ms: number): Promise<string> {
    const { clock, isShared } = this.#database;
    // Deletes leases from earlier runs: only one server uses an embedded store.
    if (!isShared) await this.#database.query('DELETE FROM servers');
    const added = await this.#one(
      `INSERT INTO servers (address, since, expires_at) VALUES (:address, ${clock}, ${clock} + :ms) RETURNING id`,
      { address, ms },
    );
    return String(added?.['id']);
  }

  async renewLease(owner: string, ms: number): Promise<boolean> {
    const { clock } = this.#database;
    const renewed = await this.#one(
      `UPDATE servers SET since = CASE WHEN expires_at < ${clock} THEN ${clock} ELSE since END, expires_at = ${clock} + :ms
       WHERE CAST(id AS TEXT) = :owner RETURNING id`,
      { owner, ms },
    );
    return renewed !== undefined;
  }

  async endLease(owner: string): Promise<void> {
    await this.#database.query('DELETE FROM servers WHERE CAST(id AS TEXT) = :owner', { owner });
  }

  async leaseAddress(owner: string): Promise<string | undefined> {
    const found = await this.#one(
      `SELECT address FROM servers WHERE CAST(id AS TEXT) = :owner AND expires_at > ${this.#database.clock}`,
      { owner },
    );
    return found && String(found['address']);
  }

  async leaseAddresses(owner: string): Promise<readonly string[]> {
    const found = await this.#database.query(
      `SELECT address FROM servers WHERE CAST(id AS TEXT) <> :owner AND expires_at > ${this.#database.clock}`,
      { owner },
    );
    return found.map(({ address }) => String(address));
  }

  async takeOver(owner: string, { heldFor, canAdopt }: TakeOver): Promise<readonly SessionRow[]> {
    const { clock } = this.#database;
    await this.#database.query(
      `DELETE FROM servers WHERE expires_at < ${clock} AND EXISTS (
         SELECT 1 FROM servers AS own
         WHERE CAST(own.id AS TEXT) = :owner AND own.since <= ${clock} - :heldFor AND own.expires_at > ${clock})`,
      { owner, heldFor },
    );
    const taken = await this.#database.query(
      `UPDATE sessions SET owner = :owner WHERE ${LIVE} AND owner NOT IN (SELECT CAST(id AS TEXT) FROM servers)
         AND EXISTS (SELECT 1 FROM servers WHERE CAST(id AS TEXT) = :owner)
         AND (browser IS NULL OR :canAdopt = 1 OR expires_at < ${clock}) RETURNING *`,
      { owner, canAdopt: canAdopt ? 1 : 0 },
    );
    return taken.map((values) => this.#sessionOf(values));
  }

  async addKey(row: KeyRow): Promise<boolean> {
    await this.#database.query(
      `INSERT INTO keys (id, project, name, secret_hash, scopes, created_at, expires_at, revoked_at)
       VALUES (:id, :project, :name, :secretHash, :scopes, :createdAt, :expiresAt, :revokedAt) ON CONFLICT DO NOTHING`,
      {
        ...row,
        scopes: JSON.stringify(row.scopes),
        expiresAt: row.expiresAt ?? null,
        revokedAt: row.revokedAt ?? null,
      },
    );
    // Also true if the statement ran twice because a connection was lost.
    return (await this.key(row.id))?.secretHash === row.secretHash;
  }

  async key(id: string): Promise<KeyRow | undefined> {
    const found = await this.#one('SELECT * FROM keys WHERE id = :id', { id });
    return found && keyOf(found);
  }

  async keys(project: string): Promise<readonly KeyRow[]> {
    const found = await this.#database.query('SELECT * FROM keys WHERE project = :project ORDER BY created_at, id', {
      project,
    });
    return found.map(keyOf);
  }

  async revokeKey(project: string, id: string, at: number): Promise<boolean> {
    const revoked = await this.#one(
      'UPDATE keys SET revoked_at = :at WHERE project = :project AND id = :id AND revoked_at IS NULL RETURNING id',
      { project, id, at },
    );
    return revoked !== undefined;
  }

  async expireKey(project: string, id: string, at: number): Promise<void> {
    await this.#database.query(
      `UPDATE keys SET expires_at = :at
       WHERE project = :project AND id = :id AND (expires_at IS NULL OR expires_at > :at)`,
      { project, id, at },
    );
  }

  async hasKeys(): Promise<boolean> {
    return (await this.#one('SELECT 1 AS found FROM keys LIMIT 1')) !== undefined;
  }

  async secret(name: string, make: () => string): Promise<string> {
    await this.#database.query('INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING', {
      name,
      value: this.#box.seal(secretContext(name), make()),
    });
    const stored = String((await this.#one('SELECT value FROM secrets WHERE name = :name', { name }))?.['value']);
    return this.#box.open(secretContext(name), stored);
  }

  /** Encrypts plaintext secrets. Rejects if a row of the table `secrets` was encrypted with another key. */
  async sealSecrets(): Promise<void> {
    for (const { name, value } of await this.#database.query('SELECT name, value FROM secrets')) {
      const context = secretContext(String(name));
      const secret = this.#box.open(context, String(value));
      if (this.#box.needsSealing(String(value)))
        await this.#database.query('UPDATE secrets SET value = :sealed WHERE name = :name AND value = :value', {
          name: String(name),
          value: String(value),
          sealed: this.#box.seal(context, secret),
        });
    }
    const rows = await this.#database.query(
      'SELECT id, browser, seat FROM sessions WHERE browser IS NOT NULL OR seat IS NOT NULL',
    );
    for (const row of rows)
      for (const column of SECRET_COLUMNS) await this.#sealColumn(String(row['id']), column, row[column]);
  }

  async #sealColumn(id: string, column: SecretColumn, stored: unknown): Promise<void> {
    if (typeof stored !== 'string' || !this.#box.needsSealing(stored)) return;
    const sealed = this.#box.seal(columnContext(id, column), stored);
    await this.#database.query(`UPDATE sessions SET ${column} = :sealed WHERE id = :id AND ${column} = :stored`, {
      id,
      stored,
      sealed,
    });
  }

  async cacheEntry(project: string, key: string, now: number): Promise<CacheRow | undefined> {
    const found = await this.#one(
      'SELECT value, expires_at FROM cache WHERE project = :project AND key = :key AND expires_at > :now',
      { project, key, now },
    );
    if (!found) return undefined;
    const value = JSON.parse(String(found['value'])) as string;
    return { project, key, value, expiresAt: Number(found['expires_at']) };
  }

  async putCacheEntry({ project, key, value, expiresAt }: CacheRow, most: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO cache (project, key, value, written_at, expires_at)
       VALUES (:project, :key, :value, ${this.#database.clock}, :expiresAt)
       ON CONFLICT (project, key) DO UPDATE
       SET value = excluded.value, written_at = excluded.written_at, expires_at = excluded.expires_at`,
      // JSON escapes characters that PostgreSQL cannot store, such as U+0000.
      { project, key, value: JSON.stringify(value), expiresAt },
    );
    await this.#database.query(
      `DELETE FROM cache WHERE project = :project AND (written_at, key) <= (
         SELECT written_at, key FROM cache WHERE project = :project ORDER BY written_at DESC, key DESC LIMIT 1 OFFSET :most)`,
      { project, most },
    );
  }

  async removeCacheEntry(project: string, key: string): Promise<void> {
    await this.#database.query('DELETE FROM cache WHERE project = :project AND key = :key', { project, key });
  }

  async prune(now: number, endedBefore: number): Promise<void> {
    await this.#database.query('DELETE FROM cache WHERE expires_at <= :now', { now });
    // First, because this finds records through their sessions.
    await this.records.prune(now, endedBefore);
    await this.#database.query('DELETE FROM sessions WHERE ended_at < :endedBefore', { endedBefore });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Converts fields to column values and encrypts the secret ones. */
  #values(id: string, row: Partial<SessionRow>): Record<string, SqlInput> {
    const values = sessionValues(row);
    for (const column of SECRET_COLUMNS) {
      const secret = values[column];
      if (typeof secret === 'string') values[column] = this.#box.seal(columnContext(id, column), secret);
    }
    return values;
  }

  #sessionOf(values: SqlRow): SessionRow {
    const row = sessionOf(values);
    const open = (column: SecretColumn): string | undefined => {
      const stored = row[column];
      return stored === undefined ? undefined : this.#box.open(columnContext(row.id, column), stored);
    };
    return { ...row, browser: open('browser'), seat: open('seat') };
  }

  async #one(sql: string, values: Readonly<Record<string, SqlInput>> = {}): Promise<SqlRow | undefined> {
    const [row] = await this.#database.query(sql, values);
    return row;
  }
}

function secretContext(name: string): string {
  return `secret ${name}`;
}

function columnContext(id: string, column: SecretColumn): string {
  return `session ${id} ${column}`;
}
