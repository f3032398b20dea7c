import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PlatformError, reasonOf } from '../errors.ts';
import { isPostgres } from '../store/is-postgres.ts';

/**
 * Returns the database URL, or the path of the SQLite file after creating its folder. Throws if both --data and a
 * database URL are set.
 */
export function databaseOf({ database, data }: { readonly database?: string; readonly data?: string }): string {
  const shared = database ?? process.env['CHAUFFEUR_DATABASE'];
  if (shared === undefined) return ownDatabase(data);
  if (data !== undefined)
    throw new PlatformError(
      'invalid_request',
      `Found two stores: --data and ${database === undefined ? 'CHAUFFEUR_DATABASE' : '--database'}. Pass only one.`,
    );
  if (isPostgres(shared)) return shared;
  throw new PlatformError('invalid_request', '--database must be a postgres:// URL. For a local file, pass --data.');
}

function ownDatabase(data: string = join(homedir(), '.chauffeur')): string {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new PlatformError('invalid_request', `--data: ${reasonOf(error)}`, { cause: error });
  }
  return join(data, 'platform.sqlite');
}
