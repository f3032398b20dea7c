import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { FILE_PART_BYTES } from '../../src/store/session-records.ts';
import type { KeyRow, SessionRow, Store } from '../../src/store/store.ts';
import type { LocalService } from '../support/local-service.ts';
import { hasPostgres, startPostgres } from '../support/postgres-server.ts';
import { silentLog } from '../support/silent-log.ts';

let postgres: LocalService | undefined;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
}, 60_000);

afterAll(() => postgres?.[Symbol.asyncDispose]());

function sessionRow(change: Partial<SessionRow> = {}): SessionRow {
  return {
    id: randomUUID(),
    project: 'default',
    keyId: 'key',
    status: 'PENDING',
    keepAlive: false,
    region: 'local',
    metadata: { text: 'ä"\u0000', count: 1 },
    createdAt: 1000,
    expiresAt: 2_000_000_000_000,
    endedAt: undefined,
    endReason: undefined,
    owner: 'nobody',
    browser: undefined,
    seat: undefined,
    node: undefined,
    idleTimeout: undefined,
    idempotencyKey: undefined,
    requestDigest: 'digest',
    ...change,
  };
}

const kinds = [
  { kind: 'SQLite', isHere: true, open: () => openStore(':memory:', silentLog) },
  { kind: 'PostgreSQL', isHere: hasPostgres, open: () => openStore(postgres?.url ?? '', silentLog) },
].filter(({ isHere }) => isHere);

describe.each(kinds)('store in $kind', ({ open }) => {
  let store: Store;

  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store?.close());

  it('returns an added session, and lets only its owner update it while it is live', async () => {
    const row = sessionRow({ project: randomUUID(), idleTimeout: 5000, keepAlive: true });
    expect(await store.addSession(row)).toEqual({ row, isNew: true });
    expect(await store.session(row.id)).toEqual(row);
    expect(await store.session('\u0000 none')).toBeUndefined();
    const running = await store.changeSession(row, { status: 'RUNNING', browser: 'handle', expiresAt: 5 });
    expect(running).toEqual({ ...row, status: 'RUNNING', browser: 'handle', expiresAt: 5 });
    expect(await store.changeSession({ id: row.id, owner: 'other' }, { keepAlive: false })).toBeUndefined();
    const end = { status: 'COMPLETED', endedAt: 2000, endReason: 'over' } as const;
    expect(await store.changeSession(row, end)).toMatchObject(end);
    expect(await store.changeSession(row, { keepAlive: false })).toBeUndefined();
    expect(await store.session(row.id)).toMatchObject({ keepAlive: true, ...end });
  });

  it('adds one session per idempotency key and project for 8 concurrent requests', async () => {
    const [project, idempotencyKey] = [randomUUID(), 'again'];
    const rows = Array.from({ length: 8 }, () => sessionRow({ project, idempotencyKey }));
    const added = await Promise.all(rows.map((row) => store.addSession(row)));
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [id] = new Set(added.map(({ row }) => row.id));
    expect(new Set(added.map(({ row }) => row.id)).size).toBe(1);
    expect(await store.sessionOfRequest(project, idempotencyKey)).toMatchObject({ id });
    expect((await store.addSession(sessionRow({ project: randomUUID(), idempotencyKey }))).isNew).toBe(true);
    const first = added.find(({ isNew }) => isNew)?.row ?? sessionRow();
    // As after a lost answer.
    expect(await store.addSession(first)).toEqual({ row: first, isNew: true });
  });

  it('lists the sessions of a project from newest to oldest by page', async () => {
    const project = randomUUID();
    const rows = [1, 2, 2, 3].map((createdAt, index) => sessionRow({ project, createdAt, id: `${project}-${index}` }));
    for (const row of rows) await store.addSession(row);
    await store.changeSession(rows[0] ?? sessionRow(), { status: 'RUNNING' });
    const ids = async (query: Partial<Parameters<Store['sessions']>[0]>): Promise<string[]> =>
      (await store.sessions({ project, status: undefined, limit: 10, before: undefined, ...query })).map(({ id }) =>
        id.slice(-1),
      );
    expect(await ids({})).toEqual(['3', '2', '1', '0']);
    expect(await ids({ limit: 2 })).toEqual(['3', '2']);
    expect(await ids({ before: { createdAt: 2, id: `${project}-2` } })).toEqual(['1', '0']);
    expect(await ids({ status: 'RUNNING' })).toEqual(['0']);
    expect(await ids({ project: 'none' })).toEqual([]);
  });

  it('stores keys, and revokes each once for its project only', async () => {
    const project = randomUUID();
    const row: KeyRow = {
      id: randomUUID(),
      project,
      name: 'ä',
      secretHash: 'hash',
      scopes: ['cache', 'keys'],
      createdAt: 1,
      expiresAt: 2_000_000_000_000,
      revokedAt: undefined,
    };
    await store.addKey(row);
    expect(await store.key(row.id)).toEqual(row);
    expect(await store.keys(project)).toEqual([row]);
    expect(await store.hasKeys()).toBe(true);
    expect(await store.revokeKey('other', row.id, 7)).toBe(false);
    expect(await store.revokeKey(project, row.id, 7)).toBe(true);
    expect(await store.revokeKey(project, row.id, 8)).toBe(false);
    expect(await store.key(row.id)).toEqual({ ...row, revokedAt: 7 });
  });

  it('creates a secret once for concurrent calls', async () => {
    const name = randomUUID();
    const made = await Promise.all(['a', 'b', 'c'].map((value) => store.secret(name, () => value)));
    expect(new Set(made).size).toBe(1);
    expect(await store.secret(name, () => 'd')).toBe(made[0]);
  });

  it('stores cache entries until they expire, and only the newest ones of a project', async () => {
    const project = randomUUID();
    const put = (key: string, value: string, expiresAt = 100): Promise<void> =>
      store.putCacheEntry({ project, key, value, expiresAt }, 2);
    await put('a', 'one');
    await put('a', 'ä"\u0000\uD800');
    expect(await store.cacheEntry(project, 'a', 99)).toEqual({
      project,
      key: 'a',
      value: 'ä"\u0000\uD800',
      expiresAt: 100,
    });
    expect(await store.cacheEntry(project, 'a', 100)).toBeUndefined();
    expect(await store.cacheEntry('other', 'a', 0)).toBeUndefined();
    await put('b', 'two');
    await put('c', 'three', 300);
    expect(await store.cacheEntry(project, 'a', 0)).toBeUndefined();
    expect(await store.cacheEntry(project, 'b', 0)).toMatchObject({ value: 'two' });
    await store.prune(100, 0);
    expect(await store.cacheEntry(project, 'b', 0)).toBeUndefined();
    await store.removeCacheEntry(project, 'c');
    expect(await store.cacheEntry(project, 'c', 0)).toBeUndefined();
  });

  it('stores the last 1000 downloads of a session until it ends', async () => {
    const row = sessionRow();
    await store.addSession(row);
    const { records } = store;
    const begun = { fileName: 'bill ä.txt', size: 0, state: 'inProgress', startedAt: 5 } as const;
    const ended = { ...begun, name: 'b', size: 7, state: 'completed' } as const;
    await records.putDownload(row.id, ended);
    // Repeated or late updates.
    await records.putDownload(row.id, { ...begun, name: 'b' });
    await records.putDownload(row.id, { ...begun, name: 'a', startedAt: 6 });
    expect(await records.downloads(row.id)).toEqual([ended, { ...begun, name: 'a', startedAt: 6 }]);
    expect(await records.downloads('other')).toEqual([]);
    for (let startedAt = 10; startedAt < 1010; startedAt += 1)
      await records.putDownload(row.id, { ...begun, name: `${startedAt}`, startedAt });
    const kept = await records.downloads(row.id);
    expect([kept.length, kept[0]?.name, kept.at(-1)?.name]).toEqual([1000, '10', '1009']);
    await store.prune(0, 0);
    expect(await records.downloads(row.id)).toHaveLength(1000);
    await store.changeSession(row, { status: 'COMPLETED', endedAt: 10 });
    await store.prune(0, 0);
    expect(await records.downloads(row.id)).toEqual([]);
  });

  it('reads a file in parts, and rejects if another file replaces it', async () => {
    const { records } = store;
    const content = randomBytes(2 * FILE_PART_BYTES + 10);
    const file = { name: 'a', type: 'a/b', size: content.length, createdAt: 1 };
    await records.putFile('files', file, content);
    const read: Buffer[] = [];
    for await (const part of records.fileParts('files', file)) read.push(part);
    expect(Buffer.concat(read).equals(content)).toBe(true);
    const parts = records.fileParts('files', file);
    expect((await parts.next()).value).toHaveLength(FILE_PART_BYTES);
    await records.putFile('files', { ...file, createdAt: 2 }, content);
    await expect(parts.next()).rejects.toThrow('removed or replaced');
    expect(await records.removeFile('files', 'a')).toBe(true);
  });

  it('removes sessions that ended long ago, and keeps live ones', async () => {
    const [old, live] = [sessionRow(), sessionRow()];
    for (const row of [old, live]) await store.addSession(row);
    await store.changeSession(old, { status: 'ERROR', endedAt: 10 });
    await store.prune(0, 11);
    expect(await store.session(old.id)).toBeUndefined();
    expect(await store.liveAmong([old.id, live.id, 'none'])).toEqual(new Set([live.id]));
    expect(await store.liveAmong([])).toEqual(new Set());
    expect(await store.session(live.id)).toBeDefined();
  });

  it('issues increasing lease ids, and returns the holders’ URLs until they expire', async () => {
    const first = await store.addLease('http://one', 60_000);
    expect(await store.leaseAddress(first)).toBe('http://one');
    expect(await store.renewLease(first, -1)).toBe(true);
    expect(await store.leaseAddress(first)).toBeUndefined();
    expect(await store.renewLease(first, 60_000)).toBe(true);
    expect(await store.leaseAddress(first)).toBe('http://one');
    await store.endLease(first);
    expect(await store.renewLease(first, 60_000)).toBe(false);
    const second = await store.addLease('http://two', 60_000);
    expect(Number(second)).toBeGreaterThan(Number(first));
    await store.endLease(second);
  });

  it('assigns sessions of ended leases once, and ignores writes under the old id', async () => {
    const lost = await store.addLease('http://lost', 60_000);
    const rows = [sessionRow({ owner: lost }), sessionRow({ owner: lost, status: 'RUNNING' })];
    for (const row of rows) await store.addSession(row);
    expect((await store.liveSessions(lost)).map(({ id }) => id).toSorted()).toEqual(
      rows.map(({ id }) => id).toSorted(),
    );
    await store.endLease(lost);
    const takers = [await store.addLease('http://a', 60_000)];
    if (store.isShared) takers.push(await store.addLease('http://b', 60_000));
    const taken = (
      await Promise.all(takers.map((owner) => store.takeOver(owner, { heldFor: 0, canAdopt: true })))
    ).flat();
    const ids = rows.map(({ id }) => id);
    const ours = taken.filter(({ id }) => ids.includes(id));
    expect(ours.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const row of ours) expect(takers).toContain(row.owner);
    const [row = sessionRow()] = rows;
    expect(await store.changeSession(row, { status: 'RUNNING' })).toBeUndefined();
    expect(await store.takeOver(lost, { heldFor: 0, canAdopt: true })).toEqual([]);
    for (const owner of takers) await store.endLease(owner);
  });

  it('assigns a session with a live browser only to a server that can adopt it, until it expires', async () => {
    const rows = [sessionRow({ browser: 'handle' }), sessionRow({ browser: 'handle', expiresAt: 1 })];
    for (const row of rows) await store.addSession(row);
    const owner = await store.addLease('http://one', 60_000);
    const ids = rows.map(({ id }) => id);
    const taken = async (canAdopt: boolean): Promise<string[]> =>
      (await store.takeOver(owner, { heldFor: 0, canAdopt })).map(({ id }) => id).filter((id) => ids.includes(id));
    expect(await taken(false)).toEqual([rows[1]?.id]);
    expect(await taken(true)).toEqual([rows[0]?.id]);
    await store.endLease(owner);
  });
});

describe.skipIf(!hasPostgres)('shared database', () => {
  const open = (): Promise<Store> => openStore(postgres?.url ?? '', silentLog);

  it('migrates once when three servers start, and rejects a newer version', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    expect(await Promise.all(stores.map((store) => store.hasKeys()))).toHaveLength(3);
    await Promise.all(stores.map((store) => store.close()));
    const client = new Client({ connectionString: postgres?.url ?? '' });
    await client.connect();
    const { rows } = await client.query<{ version: string }>('SELECT version FROM schema_version');
    expect(rows).toHaveLength(1);
    await client.query('UPDATE schema_version SET version = 99');
    await expect(open()).rejects.toThrow('The database has version 99');
    await client.query('UPDATE schema_version SET version = $1', [rows[0]?.version]);
    await client.end();
  });

  it('ends an expired lease only for a server that has held its own long enough', async () => {
    const store = await open();
    const lost = await store.addLease('http://lost', 1);
    const row = sessionRow({ owner: lost });
    await store.addSession(row);
    const taker = await store.addLease('http://taker', 60_000);
    await pause(5);
    const isTaken = (rows: readonly SessionRow[]): boolean => rows.some(({ id }) => id === row.id);
    expect(isTaken(await store.takeOver(taker, { heldFor: 60_000, canAdopt: true }))).toBe(false);
    // Renewed in time: nobody has taken over.
    expect(await store.renewLease(lost, 1)).toBe(true);
    await pause(5);
    expect(isTaken(await store.takeOver(taker, { heldFor: 1, canAdopt: true }))).toBe(true);
    expect(await store.renewLease(lost, 60_000)).toBe(false);
    await store.close();
  });

  it('completes waiting queries after a restart', async () => {
    const store = await open();
    await store.addLease('http://one', 60_000);
    await postgres?.stop('SIGINT');
    const asked = [store.hasKeys(), store.secret('meanwhile', () => 'made')];
    await postgres?.start();
    expect(await Promise.all(asked)).toEqual([expect.any(Boolean), 'made']);
    await store.close();
  });

  it('rejects `openStore()` with the reason if the database does not exist', async () => {
    const url = (postgres?.url ?? '').replace(/postgres$/, 'none');
    await expect(openStore(url, silentLog)).rejects.toThrow('database "none" does not exist');
  });
});
