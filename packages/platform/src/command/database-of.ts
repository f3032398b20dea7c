import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PlatformError, reasonOf } from '../errors.ts';
import { isPostgres } from '../store/is-postgres.ts';

/** The store that a command works with: the database that many share, or a file of its own. Both named is an error, for one would be ignored. */
export function databaseOf({ database, data }: { readonly database?: string; readonly data?: string }): string {
  const shared = database ?? process.env['CHAUFFEUR_DATABASE'];
  if (shared === undefined) return ownDatabase(data);
  if (data !== undefined)
    throw new PlatformError(
      'invalid_request',
      `Two stores are named: --data and ${database === undefined ? 'CHAUFFEUR_DATABASE' : '--database'}. Give one of them.`,
    );
  if (isPostgres(shared)) return shared;
  throw new PlatformError(
    'invalid_request',
    '--database must begin with postgres://; for a file of its own, give --data.',
  );
}

function ownDatabase(data: string = join(homedir(), '.chauffeur')): string {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new PlatformError('invalid_request', `--data: ${reasonOf(error)}`, { cause: error });
  }
  return join(data, 'platform.sqlite');
}
