import type { PlatformLog } from '../platform-log.ts';
import { isPostgres } from './is-postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { SqlStore } from './sql-store.ts';
import { lockStore } from './sqlite-lock.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import type { Store } from './store.ts';

/** Opens the store: `postgres://…` is one that many servers share, anything else the path of a file of SQLite. */
export async function openStore(database: string, log: PlatformLog): Promise<Store> {
  return new SqlStore(isPostgres(database) ? await PostgresDatabase.open(database, log) : new SqliteDatabase(database));
}

/** Opens the store for a server. A file of SQLite is then nobody else's, but for single commands. */
export async function openServerStore(database: string, log: PlatformLog): Promise<Store> {
  if (isPostgres(database) || database === ':memory:') return openStore(database, log);
  const unlock = lockStore(database);
  try {
    return new SqlStore(new SqliteDatabase(database, unlock));
  } catch (error) {
    unlock();
    throw error;
  }
}
