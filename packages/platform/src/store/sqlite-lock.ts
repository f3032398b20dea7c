import { DatabaseSync } from 'node:sqlite';
import { PlatformError } from '../errors.ts';

/** A server that shuts down releases the lock within this time. */
const TIMEOUT_MS = 5000;

/**
 * Locks the file of an embedded store, because a second server would end the sessions of the first. The operating
 * system releases the lock when the process exits for any reason. Returns a function that releases the lock.
 */
export function lockStore(path: string, timeout: number = TIMEOUT_MS): () => void {
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec(`PRAGMA busy_timeout = ${timeout}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    throw new PlatformError(
      'unavailable',
      `Another server uses ${path}. Pass another --data folder, or a shared --database to both.`,
      { cause: error },
    );
  }
  return () => lock.close();
}
