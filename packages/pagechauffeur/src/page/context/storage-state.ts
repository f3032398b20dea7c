import { readFile } from 'node:fs/promises';
import type { Connection } from '../../cdp/connection.ts';
import type { FrameNode } from '../../cdp/frame-node.ts';
import { HiddenPage } from '../../cdp/hidden-page.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { ProtocolError } from '../../cdp/protocol-error.ts';
import type { Session } from '../../cdp/session.ts';
import type { Progress } from '../../util/progress.ts';
import { type Cookie, readCookies, setCookies } from './cookies.ts';
import { isSiteOrigin } from './site-origins.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { reasonOf } from '../../util/error-facts.ts';
import { saveFile } from '../save-file.ts';
import { checkCookies } from './new-cookie.ts';

/** Cookies and local storage, from `storageState()`. `setStorageState()` restores them, also in another browser. */
export interface StorageState {
  readonly cookies: readonly Cookie[];
  /** Origins whose local storage is not empty. */
  readonly origins: readonly OriginStorage[];
}

/** The local storage of one origin. */
export interface OriginStorage {
  readonly origin: string;
  readonly localStorage: readonly { readonly name: string; readonly value: string }[];
}

interface StorageParts {
  readonly connection: Connection;
  readonly pages: readonly PageTarget[];
  /** Origins that frames have loaded so far. */
  readonly origins: readonly string[];
}

/** Reads local storage through open documents, and through a hidden page for origins without an open document. */
export async function readStorageState(progress: Progress, parts: StorageParts): Promise<StorageState> {
  const { connection, pages, origins } = parts;
  const [cookies, storages] = await Promise.all([readCookies(connection.browser, []), openStorages(pages)]);
  const missing = origins.filter((origin) => !storages.has(origin));
  for (const storage of await readUnseen(progress, connection, missing)) storages.set(storage.origin, storage);
  return {
    cookies,
    origins: [...storages.values()].filter(({ localStorage }) => localStorage.length > 0),
  };
}

/** Clears all cookies and local storage, then writes the state. A hidden page gives access to the local storage. */
export async function replaceStorageState(
  progress: Progress,
  connection: Connection,
  { cookies, origins }: StorageState,
): Promise<void> {
  await using page = await HiddenPage.open(connection);
  await Promise.all([
    page.goOffline(),
    connection.browser.send('Storage.clearCookies'),
    page.session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'local_storage' }),
  ]);
  await setCookies(connection.browser, cookies);
  for (const { origin, localStorage } of origins) {
    progress.throwIfEnded();
    await page.visit(origin);
    await Promise.all(
      localStorage.map(({ name, value }) =>
        page.session.send('DOMStorage.setDOMStorageItem', { storageId: storageOf(origin), key: name, value }),
      ),
    );
  }
}

async function openStorages(pages: readonly PageTarget[]): Promise<Map<string, OriginStorage>> {
  const frames = pages.flatMap((page) => page.frames.frames);
  const storages = new Map<string, OriginStorage>();
  for (const storage of await Promise.all(frames.map(frameStorage))) if (storage) storages.set(storage.origin, storage);
  return storages;
}

/** Returns `undefined` for a frame without storage or with partitioned storage, whose key contains both sites. */
async function frameStorage({ id, session }: FrameNode): Promise<OriginStorage | undefined> {
  try {
    const { storageKey } = await session.send('Storage.getStorageKey', { frameId: id });
    const origin = storageKey.replace(/\/$/, '');
    return isSiteOrigin(origin) ? await readStorage(session, origin) : undefined;
  } catch (error) {
    if (error instanceof ProtocolError || session.isClosed) return undefined;
    throw error;
  }
}

async function readUnseen(
  progress: Progress,
  connection: Connection,
  origins: readonly string[],
): Promise<OriginStorage[]> {
  if (origins.length === 0) return [];
  await using page = await HiddenPage.open(connection);
  await page.goOffline();
  const storages: OriginStorage[] = [];
  for (const origin of origins) {
    progress.throwIfEnded();
    await page.visit(origin);
    storages.push(await readStorage(page.session, origin));
  }
  return storages;
}

async function readStorage(session: Session, origin: string): Promise<OriginStorage> {
  const { entries } = await session.send('DOMStorage.getDOMStorageItems', { storageId: storageOf(origin) });
  return { origin, localStorage: entries.map(([name = '', value = '']) => ({ name, value })) };
}

function storageOf(origin: string): { storageKey: string; isLocalStorage: boolean } {
  return { storageKey: `${origin}/`, isLocalStorage: true };
}

export async function writeStorageState(path: string, state: StorageState): Promise<void> {
  await saveFile(path, `${JSON.stringify(state, null, 2)}\n`);
}

/** Accepts an object or the path of a JSON file, and validates every entry. */
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
      `Cannot read the storage state ${path}: ${reasonOf(error)}. Write one with context.storageState({ path }).`,
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
      throw new DriverInvalidArgumentError(
        `Entries of ${argument}.localStorage must have the form { name: string, value: string }. Received ${describeValue(item)}.`,
        { argument: `${argument}.localStorage` },
      );
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
