import type { PlatformLog } from '../platform-log.ts';
import { isPostgres } from './is-postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { SecretBox } from './secret-box.ts';
import type { SqlDatabase } from './sql-database.ts';
import { SqlStore } from './sql-store.ts';
import type { Store } from './store.ts';

// Imported on use: older versions of Node.js would fail on `node:sqlite` before the version check.
const sqlite = {
  database: async () => import('./sqlite-database.ts'),
  lock: async () => import('./sqlite-lock.ts'),
};

/** Opens a PostgreSQL store for a `postgres://` URL. Any other value is the path of an SQLite file. */
export async function openStore(database: string, log: PlatformLog): Promise<Store> {
  if (isPostgres(database)) return new SqlStore(await PostgresDatabase.open(database, log));
  const { SqliteDatabase } = await sqlite.database();
  return new SqlStore(new SqliteDatabase(database));
}

/**
 * Opens the store for a server. Locks an SQLite file against other servers, but not against `keys` commands. With a
 * key, encrypts plaintext secrets.
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
