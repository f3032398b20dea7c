import type { PlatformLog } from '../platform-log.ts';
import { isPostgres } from './is-postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { SqlStore } from './sql-store.ts';
import type { Store } from './store.ts';

// Files that import `node:sqlite` are loaded on use: an older Node.js would stop at them before the check of its version.
const sqlite = {
  database: async () => import('./sqlite-database.ts'),
  lock: async () => import('./sqlite-lock.ts'),
};

/** Opens the store: `postgres://…` is one that many servers share, anything else the path of a file of SQLite. */
export async function openStore(database: string, log: PlatformLog): Promise<Store> {
  if (isPostgres(database)) return new SqlStore(await PostgresDatabase.open(database, log));
  const { SqliteDatabase } = await sqlite.database();
  return new SqlStore(new SqliteDatabase(database));
}

/** Opens the store for a server. A file of SQLite is then nobody else's, but for single commands. */
export async function openServerStore(database: string, log: PlatformLog): Promise<Store> {
  if (isPostgres(database) || database === ':memory:') return openStore(database, log);
  const [{ SqliteDatabase }, { lockStore }] = await Promise.all([sqlite.database(), sqlite.lock()]);
  const unlock = lockStore(database);
  try {
    return new SqlStore(new SqliteDatabase(database, unlock));
  } catch (error) {
    unlock();
    throw error;
  }
}
