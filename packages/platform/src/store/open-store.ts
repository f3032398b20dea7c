import type { PlatformLog } from '../platform-log.ts';
import { isPostgres } from './is-postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { SecretBox } from './secret-box.ts';
import type { SqlDatabase } from './sql-database.ts';
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

/**
 * Opens the store for a server. A file of SQLite is then nobody else's, but for single commands. With a key, its secrets are encrypted
 * from then on.
 */
export async function openServerStore(database: string, key: string | undefined, log: PlatformLog): Promise<Store> {
  const box = new SecretBox(key);
  const store = new SqlStore(await openServerDatabase(database, log), box);
  try {
    await store.sealSecrets();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openServerDatabase(database: string, log: PlatformLog): Promise<SqlDatabase> {
  if (isPostgres(database)) return PostgresDatabase.open(database, log);
  const [{ SqliteDatabase }, { lockStore }] = await Promise.all([sqlite.database(), sqlite.lock()]);
  if (database === ':memory:') return new SqliteDatabase(database);
  const unlock = lockStore(database);
  try {
    return new SqliteDatabase(database, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}
