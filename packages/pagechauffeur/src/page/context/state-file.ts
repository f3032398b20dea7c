import { readFile } from 'node:fs/promises';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { saveFile } from '../save-file.ts';
import { checkCookies } from './new-cookie.ts';
import { isSiteOrigin } from './site-origins.ts';
import type { StorageState } from './storage-state.ts';

/** Writes a state as formatted JSON. Creates missing folders. */
export async function writeStorageState(path: string, state: StorageState): Promise<void> {
  await saveFile(path, `${JSON.stringify(state, null, 2)}\n`);
}

/** Reads a state from a file or an object, and validates every entry. */
export async function checkedStorageState(given: unknown): Promise<StorageState> {
  const state: unknown = typeof given === 'string' ? await readState(given) : given;
  const { cookies = [], origins = [] } = isObject(state)
    ? state
    : wrong('state', 'an object with cookies and origins, or the path of a file with one', state);
  checkCookies(cookies as never);
  if (!Array.isArray(origins)) wrong('state.origins', 'an array', origins);
  for (const [index, entry] of (origins as readonly unknown[]).entries())
    checkOriginStorage(`state.origins[${index}]`, entry);
  return { cookies, origins } as StorageState;
}

async function readState(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    throw new DriverInvalidArgumentError(
      `There is no storage state to read at ${path}. Write one by context.storageState({ path }).`,
      {
        argument: 'state',
        cause: error,
      },
    );
  }
}

function checkOriginStorage(argument: string, entry: unknown): void {
  if (!isObject(entry)) wrong(argument, 'an object with origin and localStorage', entry);
  const { origin, localStorage = [] } = entry;
  if (typeof origin !== 'string' || !isSiteOrigin(origin))
    wrong(`${argument}.origin`, 'an origin such as "https://example.com"', origin);
  if (!Array.isArray(localStorage)) wrong(`${argument}.localStorage`, 'an array', localStorage);
  for (const item of localStorage as readonly unknown[]) {
    if (!isObject(item) || typeof item.name !== 'string' || typeof item.value !== 'string')
      wrong(`${argument}.localStorage`, 'an array of { name, value } with strings', item);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(argument: string, expected: string, value: unknown): never {
  throw new DriverInvalidArgumentError(`${argument} must be ${expected}. Received ${describeValue(value)}.`, {
    argument,
  });
}
