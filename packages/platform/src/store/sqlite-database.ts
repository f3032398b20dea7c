import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { checkVersion, migrations } from './schema.ts';
import type { SqlDatabase, SqlInput, SqlRow } from './sql-database.ts';

/** Embedded SQLite database for one server, in a file or in memory. */
export class SqliteDatabase implements SqlDatabase {
  readonly clock = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  readonly isShared = false;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  readonly #onClose: () => void;

  constructor(path: string, onClose: () => void = () => undefined) {
    this.#onClose = onClose;
    // Only this user may read the file. SQLite creates its other files with the same mode.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    this.#database = new DatabaseSync(path);
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
    this.#migrate();
  }

  textsOf(json: string): string {
    return `SELECT value FROM json_each(${json})`;
  }

  async query(sql: string, values: Readonly<Record<string, SqlInput>> = {}): Promise<readonly SqlRow[]> {
    return this.#statement(sql).all(values);
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#database.close();
    this.#onClose();
  }

  #migrate(): void {
    const steps = migrations({ integer: 'INTEGER', numbered: 'INTEGER PRIMARY KEY AUTOINCREMENT', end: 'STRICT' });
    const [row] = this.#statement('PRAGMA user_version').all();
    const version = checkVersion(Number(row?.['user_version']), steps);
    for (const [index, step] of steps.entries())
      if (index >= version) this.#database.exec(`BEGIN; ${step}; PRAGMA user_version = ${index + 1}; COMMIT;`);
  }

  /** Caches prepared statements. */
  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    statement.setAllowUnknownNamedParameters(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}
