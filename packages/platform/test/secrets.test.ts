import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startPlatform } from '../src/platform.ts';
import { openServerStore } from '../src/store/open-store.ts';
import { SecretBox } from '../src/store/secret-box.ts';
import type { SessionRow, Store } from '../src/store/store.ts';
import { silentLog } from './support/silent-log.ts';
import { FOR_TESTS } from './support/use-platform.ts';

const KEY = 'k'.repeat(43);
const ROW: SessionRow = {
  id: '11111111-1111-4111-8111-111111111111',
  project: 'default',
  keyId: 'key',
  status: 'RUNNING',
  keepAlive: false,
  region: 'local',
  metadata: {},
  createdAt: 1,
  expiresAt: 2,
  endedAt: undefined,
  endReason: undefined,
  owner: '1',
  browser: '{"proxy":"its-password"}',
  node: undefined,
  seat: 'its-seat',
  idleTimeout: undefined,
  idempotencyKey: undefined,
  requestDigest: '',
};

const newFile = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'secrets-')), 'platform.sqlite');

/** Returns all values of the secret tables, as somebody with the file would read them. */
function readFrom(path: string): string {
  const database = new DatabaseSync(path);
  try {
    return JSON.stringify(['secrets', 'sessions'].map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
  } finally {
    database.close();
  }
}

async function withStore<T>(path: string, key: string | undefined, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openServerStore(path, key, silentLog);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

describe('secrets of a store', () => {
  it('encrypts secrets with the key, and decrypts them with it', async () => {
    const path = await newFile();
    await withStore(path, KEY, async (store) => {
      await store.secret('peers', () => 'between-servers');
      await store.addSession(ROW);
      await store.changeSession(ROW, { seat: 'another-seat' });
    });
    for (const secret of ['between-servers', 'its-password', 'its-seat', 'another-seat'])
      expect(readFrom(path)).not.toContain(secret);
    await withStore(path, KEY, async (store) => {
      expect(await store.secret('peers', () => 'new')).toBe('between-servers');
      expect(await store.session(ROW.id)).toEqual({ ...ROW, seat: 'another-seat' });
      expect(await store.liveSessions('1')).toEqual([{ ...ROW, seat: 'another-seat' }]);
    });
  });

  it('encrypts plaintext secrets at the next start with a key, and still reads them', async () => {
    const path = await newFile();
    await withStore(path, undefined, async (store) => {
      await store.secret('peers', () => 'between-servers');
      await store.addSession(ROW);
    });
    expect(readFrom(path)).toContain('between-servers');
    await withStore(path, KEY, async (store) => {
      expect(readFrom(path)).not.toMatch(/between-servers|its-password|its-seat/);
      expect(await store.secret('peers', () => 'new')).toBe('between-servers');
      expect(await store.session(ROW.id)).toEqual(ROW);
    });
  });

  it.each<[string, string | undefined, RegExp]>([
    ['another key', 'x'.repeat(43), /CHAUFFEUR_SECRET_KEY is not the key .* Set the key that/],
    ['no key', undefined, /secrets of this store are encrypted\. Set CHAUFFEUR_SECRET_KEY/],
    [
      'a short key',
      'short',
      /CHAUFFEUR_SECRET_KEY must have at least 32 characters\. Create one with `openssl rand -base64 32`/,
    ],
  ])('rejects the start of a server with %s', async (_what, secretKey, message) => {
    const path = await newFile();
    await withStore(path, KEY, (store) => store.secret('peers', () => 'between-servers'));
    const options = { ...FOR_TESTS, database: path };
    const starting = startPlatform({ ...options, ...(secretKey === undefined ? {} : { secretKey }) });
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.not.toThrow('between-servers');
    // The store is unchanged and not locked.
    await using platform = await startPlatform({ ...options, secretKey: KEY });
    expect(await platform.store.secret('peers', () => 'new')).toBe('between-servers');
  });

  it('rejects an encrypted secret under another name or after a change', () => {
    const box = new SecretBox(KEY);
    const sealed = box.seal('secret peers', 'a');
    expect(box.open('secret peers', sealed)).toBe('a');
    expect(box.seal('secret peers', 'a')).not.toBe(sealed);
    expect(() => box.open('secret view-tokens', sealed)).toThrow('is not the key');
    expect(() => box.open('secret peers', `${sealed.slice(0, -2)}AA`)).toThrow('is not the key');
    expect(() => box.open('secret peers', 'aes-256-gcm:')).toThrow('is not the key');
  });
});
