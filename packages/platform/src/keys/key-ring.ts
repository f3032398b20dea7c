import { PlatformError } from '../errors.ts';
import { type KeyRow, type Scope, SCOPES, type Store } from '../store/store.ts';
import { isSecret, makeApiKey, readApiKey } from './api-key.ts';

/** What a new key is to be. */
export interface KeyRequest {
  readonly project: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | undefined;
}

/** A key that was made, with its text, which nobody can find out again. */
interface NewKey {
  readonly row: KeyRow;
  readonly text: string;
}

/** Which key is replaced, and what the new one is to be. */
interface Rotation {
  readonly project: string;
  readonly id: string;
  /** Milliseconds for which the old one is good. */
  readonly overlap: number;
  readonly expiresAt: number | undefined;
  readonly isAllowed: (old: KeyRow) => void;
}

/** Keys of a project that are in force at once. */
const MAX_KEYS = 100;

/** The keys of all projects. */
export class KeyRing {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The key that a request brought; `unauthorized` when it is missing, unknown, expired or revoked. */
  async authenticate(text: string | undefined): Promise<KeyRow> {
    const given = text === undefined ? undefined : readApiKey(text);
    const row = given && (await this.#store.key(given.id));
    if (!given || !row || !isSecret(given.secret, row.secretHash) || !isInForce(row))
      throw new PlatformError(
        'unauthorized',
        'A valid API key is required: send it as `Authorization: Bearer <key>` or as `X-API-Key`.',
      );
    return row;
  }

  /** Whether a key may still be used. */
  async isInForce(id: string): Promise<boolean> {
    return (await this.inForce(id)) !== undefined;
  }

  /** A key that may still be used; undefined when it may not, or never was. */
  async inForce(id: string): Promise<KeyRow | undefined> {
    const row = await this.#store.key(id);
    return row && isInForce(row) ? row : undefined;
  }

  /** Makes a key; its text is told here and never again. `quota_exceeded` when its project has too many. */
  async create(request: KeyRequest): Promise<NewKey> {
    return this.#add(request, undefined);
  }

  /** `replaced` is a key that does not count, because the new one takes its place. */
  async #add(request: KeyRequest, replaced: string | undefined): Promise<NewKey> {
    const others = (await this.#store.keys(request.project)).filter((row) => isInForce(row) && row.id !== replaced);
    if (others.length >= MAX_KEYS)
      throw new PlatformError(
        'quota_exceeded',
        `A project may have ${MAX_KEYS} keys in force. Revoke one that is not used any more.`,
      );
    const made = newKey(request);
    await this.#store.addKey(made.row);
    return made;
  }

  /**
   * Makes a key that takes the place of another, which is good for so many milliseconds more. `isAllowed` is asked
   * about the one that is replaced; `key_not_found` when there is none in force.
   */
  async rotate({ project, id, overlap, expiresAt, isAllowed }: Rotation): Promise<NewKey> {
    const old = await this.inForce(id);
    if (old?.project !== project) throw noKey(id);
    isAllowed(old);
    const made = await this.#add({ project, name: old.name, scopes: old.scopes, expiresAt }, id);
    await this.#store.expireKey(project, id, Date.now() + overlap);
    return made;
  }

  /** The first key of a platform that has none yet; undefined when it has, or when another server was faster. */
  async createFirst(): Promise<string | undefined> {
    if (await this.#store.hasKeys()) return undefined;
    const first = { project: 'default', name: 'first', scopes: SCOPES, expiresAt: undefined };
    const { row, text } = newKey(first, FIRST_ID);
    return (await this.#store.addKey(row)) ? text : undefined;
  }

  /** The keys of a project. */
  list(project: string): Promise<readonly KeyRow[]> {
    return this.#store.keys(project);
  }

  /** Ends a key for good. */
  async revoke(project: string, id: string): Promise<void> {
    if (!(await this.#store.revokeKey(project, id, Date.now()))) throw noKey(id);
  }
}

/** Always the same, so that of servers which start at once only one can add it. */
const FIRST_ID = `${'0'.repeat(15)}1`;

function newKey({ project, name, scopes, expiresAt }: KeyRequest, given?: string): NewKey {
  const { id, secretHash, text } = makeApiKey(given);
  const row = { id, project, name, secretHash, scopes, createdAt: Date.now(), expiresAt, revokedAt: undefined };
  return { row, text };
}

function noKey(id: string): PlatformError {
  return new PlatformError('key_not_found', `No key ${id} is in force.`);
}

function isInForce({ expiresAt, revokedAt }: KeyRow): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now());
}
