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

  /** Makes a key; its text is told here and never again. */
  async create({ project, name, scopes, expiresAt }: KeyRequest): Promise<{ row: KeyRow; text: string }> {
    const { id, secretHash, text } = makeApiKey();
    const row = { id, project, name, secretHash, scopes, createdAt: Date.now(), expiresAt, revokedAt: undefined };
    await this.#store.addKey(row);
    return { row, text };
  }

  /** The first key of a platform that has none yet; undefined when it has. */
  async createFirst(): Promise<string | undefined> {
    if (await this.#store.hasKeys()) return undefined;
    const { text } = await this.create({ project: 'default', name: 'first', scopes: SCOPES, expiresAt: undefined });
    return text;
  }

  /** The keys of a project. */
  list(project: string): Promise<readonly KeyRow[]> {
    return this.#store.keys(project);
  }

  /** Ends a key for good. */
  async revoke(project: string, id: string): Promise<void> {
    if (!(await this.#store.revokeKey(project, id, Date.now())))
      throw new PlatformError('key_not_found', `No key ${id} is in force.`);
  }
}

function isInForce({ expiresAt, revokedAt }: KeyRow): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > Date.now());
}
