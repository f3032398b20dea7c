import { DatabaseSync } from 'node:sqlite';
import { PlatformError } from '../errors.ts';

/** A server that ends lets go of it within this time. */
const PATIENCE_MS = 5000;

/**
 * Keeps the file of an embedded store for one server: a second one would end the sessions of the first. The lock is the
 * system's, so it is gone with the process, however that ends. Gives what lets go of it.
 */
export function lockStore(path: string, patience: number = PATIENCE_MS): () => void {
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    throw new PlatformError(
      'unavailable',
      `Another server uses ${path}. Give this one a --data folder of its own, or both a --database that servers share.`,
      { cause: error },
    );
  }
  return () => lock.close();
}
