import { parseArgs } from 'node:util';
import { PlatformError } from '../errors.ts';
import { KeyRing } from '../keys/key-ring.ts';
import { openStore } from '../store/open-store.ts';
import { SCOPES, type KeyRow, type Scope } from '../store/store.ts';
import { databaseOf } from './database-of.ts';
import { readNumber } from './read-number.ts';
import { USAGE } from './usage.ts';

const DAY_MS = 24 * 3600 * 1000;
const MAX_DAYS = 36_500;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs `keys create`, `keys list` or `keys revoke`, and returns the text to print. The HTTP API requires a key, so the
 * first key of a project comes from here.
 */
export async function runKeysCommand(args: readonly string[]): Promise<string> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      project: text,
      name: text,
      scopes: text,
      days: text,
      database: text,
      data: text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return USAGE;
  const [what = '', id, ...rest] = positionals;
  const { project } = values;
  if (project === undefined) throw wrong('pass the project as --project <name>.');
  if (!/^[\w.-]{1,100}$/.test(project))
    throw wrong(
      `--project accepts up to 100 letters, digits, dots, dashes and underscores. Received ${JSON.stringify(project)}.`,
    );
  if (rest.length > 0 || (what !== 'revoke' && id !== undefined))
    throw wrong(`unknown arguments: ${positionals.join(' ')}.`);
  const request = what === 'create' ? requestOf(project, values) : undefined;
  const store = await openStore(databaseOf(values), SILENT);
  try {
    const keys = new KeyRing(store);
    if (request) return `${(await keys.create(request)).text}\nSave this key now: the platform stores only its hash.\n`;
    if (what === 'list') return (await keys.list(project)).map(lineOf).join('');
    if (what !== 'revoke' || id === undefined) throw wrong('the command must be create, list or revoke <id>.');
    await keys.revoke(project, id);
    return `Revoked ${id}.\n`;
  } finally {
    await store.close();
  }
}

function requestOf(
  project: string,
  { name = 'created by command', scopes, days }: { name?: string; scopes?: string; days?: string },
): Parameters<KeyRing['create']>[0] {
  const given = scopes?.split(',');
  const unknown = given?.filter((scope) => !isScope(scope));
  if (unknown && unknown.length > 0)
    throw wrong(`--scopes accepts ${SCOPES.join(', ')}. Received ${unknown.join(', ')}.`);
  const count = readNumber('days', days);
  if (count !== undefined && (count < 1 || count > MAX_DAYS))
    throw wrong(`--days must be from 1 to ${MAX_DAYS}. Received ${count}.`);
  return {
    project,
    name,
    scopes: given?.filter(isScope) ?? SCOPES,
    expiresAt: count === undefined ? undefined : Date.now() + count * DAY_MS,
  };
}

function lineOf({ id, name, scopes, expiresAt, revokedAt }: KeyRow): string {
  const end = revokedAt !== undefined ? 'revoked' : endOf(expiresAt);
  return `${id}  ${scopes.join(',')}  ${end}  ${name}\n`;
}

function endOf(expiresAt: number | undefined): string {
  return expiresAt === undefined ? 'does not expire' : `expires ${new Date(expiresAt).toISOString()}`;
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

function wrong(reason: string): PlatformError {
  return new PlatformError('invalid_request', `pagechauffeur-platform keys: ${reason}`);
}
