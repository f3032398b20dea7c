import { PlatformError } from '../errors.ts';
import { type KeyRow, type Scope, SCOPES, type Store } from '../store/store.ts';
import { isSecret, makeApiKey, readApiKey } from './api-key.ts';

export interface KeyRequest {
  readonly project: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | undefined;
}

interface NewKey {
  readonly row: KeyRow;
  readonly text: string;
}

interface Rotation {
  readonly project: string;
  readonly id: string;
  /** How long the old key stays valid, in milliseconds. */
  readonly overlap: number;
  readonly expiresAt: number | undefined;
  readonly isAllowed: (old: KeyRow) => void;
}

/** Maximum number of valid keys per project. */
const MAX_KEYS = 100;

/** Creates, checks and revokes the API keys of all projects. */
export class KeyRing {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the key with this text. Rejects with `unauthorized` if it is missing, malformed, unknown, expired or
   * revoked.
   */
  async authenticate(text: string | undefined): Promise<KeyRow> {
    const given = text === undefined ? undefined : readApiKey(text);
    const row = given && (await this.#store.key(given.id));
    if (!given || !row || !isSecret(given.secret, row.secretHash) || !isInForce(row))
      throw new PlatformError(
        'unauthorized',
        'A valid API key is required. Send it as `Authorization: Bearer <key>` or as `X-API-Key`.',
      );
    return row;
  }

  async isInForce(id: string): Promise<boolean> {
    return (await this.inForce(id)) !== undefined;
  }

  /** Returns the key unless it is unknown, expired or revoked. */
  async inForce(id: string): Promise<KeyRow | undefined> {
    const row = await this.#store.key(id);
    return row && isInForce(row) ? row : undefined;
  }

  /**
   * Creates a key and returns it with its text, which is not stored. Rejects with `quota_exceeded` if the project has
   * 100 valid keys.
   */
  async create(request: KeyRequest): Promise<NewKey> {
    return this.#add(request, undefined);
  }

  /** `replaced`: id of a key that does not count towards the limit. */
  async #add(request: KeyRequest, replaced: string | undefined): Promise<NewKey> {
    const others = (await this.#store.keys(request.project)).filter((row) => isInForce(row) && row.id !== replaced);
    if (others.length >= MAX_KEYS)
      throw new PlatformError(
        'quota_exceeded',
        `A project can have at most ${MAX_KEYS} valid keys. Revoke one that is no longer used.`,
      );
    const made = newKey(request);
    await this.#store.addKey(made.row);
    return made;
  }

  /**
   * Creates a key with the same name and scopes. The old key stays valid for `overlap` milliseconds. `isAllowed` throws
   * if the caller may not replace the key. Rejects with `key_not_found` if the old key is not valid.
   */
  async rotate({ project, id, overlap, expiresAt, isAllowed }: Rotation): Promise<NewKey> {
    const old = await this.inForce(id);
    if (old?.project !== project) throw noKey(id);
    isAllowed(old);
    const made = await this.#add({ project, name: old.name, scopes: old.scopes, expiresAt }, id);
    await this.#store.expireKey(project, id, Date.now() + overlap);
    return made;
  }

  /**
   * Creates the first key of a new platform and returns its text. Resolves with `undefined` if the store has keys or
   * another server was faster.
   */
  async createFirst(): Promise<string | undefined> {
    if (await this.#store.hasKeys()) return undefined;
    const first = { project: 'default', name: 'first', scopes: SCOPES, expiresAt: undefined };
    const { row, text } = newKey(first, FIRST_ID);
    return (await this.#store.addKey(row)) ? text : undefined;
  }

  list(project: string): Promise<readonly KeyRow[]> {
    return this.#store.keys(project);
  }

  /** Rejects with `key_not_found` if the project has no such key or the key is already revoked. */
  async revoke(project: string, id: string): Promise<void> {
    if (!(await this.#store.revokeKey(project, id, Date.now()))) throw noKey(id);
  }
}

/** A fixed id lets only one of several starting servers insert the key. */
const FIRST_ID = `${'0'.repeat(15)}1`;

function newKey({ project, name, scopes, expiresAt }: KeyRequest, given?: string): NewKey {
  const { id, secretHash, text } = makeApiKey(given);
  const row = { id, project, name, secretHash, scopes, createdAt: Date.now(), expiresAt, revokedAt: undefined };
  return { row, text };
}

function noKey(id: string): PlatformError {
  return new PlatformError('key_not_found', `There is no valid key ${id}.`);
}

function isInForce({ expiresAt, revokedAt }: KeyRow): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now());
}
