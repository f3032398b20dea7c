import type { PartState } from '../reachability.ts';
import type { SessionRecords } from './session-records.ts';

/** How far a remote session is. The last three are final. */
export type SessionStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'TIMED_OUT' | 'ERROR';

/** A remote session as it is stored. Times are milliseconds since 1970. */
export interface SessionRow {
  /** Public; knowing it gives no right. */
  readonly id: string;
  readonly project: string;
  /** The key that created it. */
  readonly keyId: string;
  readonly status: SessionStatus;
  readonly keepAlive: boolean;
  readonly region: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | undefined;
  /** Why it ended, in words. */
  readonly endReason: string | undefined;
  /** The server that holds its browser: the number of its lease. */
  readonly owner: string;
  /** What another server needs to go on with its browser, where that is possible. A secret. */
  readonly browser: string | undefined;
  /** The seat of the person who has taken over, where another server can go on with the browser. A secret. */
  readonly seat: string | undefined;
  /** The node of a Grid that runs its browser, or ran it. */
  readonly node: string | undefined;
  /** Milliseconds for which its clients may be silent, where its creator said so. */
  readonly idleTimeout: number | undefined;
  /** What was sent as `Idempotency-Key`, and a digest of the body that came with it. */
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: string;
}

/** What may change in a stored session. */
export type SessionChange = Partial<
  Pick<
    SessionRow,
    'status' | 'keepAlive' | 'metadata' | 'expiresAt' | 'endedAt' | 'endReason' | 'browser' | 'seat' | 'node'
  >
>;

/** What a key may be used for. */
export const SCOPES = ['sessions:read', 'sessions:write', 'cache', 'keys'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** A key as it is stored: never the secret itself. */
export interface KeyRow {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  /** SHA-256 of the secret, in hexadecimal digits. */
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
}

/** An answer that was found out earlier. */
export interface CacheRow {
  readonly project: string;
  readonly key: string;
  readonly value: string;
  readonly expiresAt: number;
}

/** Which sessions of a project are listed, newest first. */
export interface SessionQuery {
  readonly project: string;
  readonly status: SessionStatus | undefined;
  readonly limit: number;
  /** Only those that were created before this time, or at it with a smaller id. */
  readonly before: { readonly createdAt: number; readonly id: string } | undefined;
}

/**
 * The leases of servers, by the clock of the store. A server has a lease for a while and renews it; its number names it
 * in the sessions that it owns. Who lets it run out may find that another server owns them now: numbers are never used
 * again, so nothing that it still does under the old one counts.
 */
export interface LeaseStore {
  /** Whether several servers may use it at once. */
  readonly isShared: boolean;
  /** Gives a new lease to a server that others reach at this address. */
  addLease(address: string, ms: number): Promise<string>;
  /** Renews a lease; false when it has been ended. */
  renewLease(owner: string, ms: number): Promise<boolean>;
  endLease(owner: string): Promise<void>;
  /** Where the holder of a lease is reached; undefined when that has ended, or should have been renewed. */
  leaseAddress(owner: string): Promise<string | undefined>;
  /** Where all holders of leases are reached but this one. */
  leaseAddresses(owner: string): Promise<readonly string[]>;
  /**
   * Ends leases that have run out, and gives sessions that live without an owner to this one. A lease of others is only
   * ended by who has held his own for so many milliseconds: when the store was away, all come back first. Who cannot go
   * on with browsers of others is given only sessions with which nobody could.
   */
  takeOver(owner: string, how: TakeOver): Promise<readonly SessionRow[]>;
}

/** How a server takes sessions over. */
export interface TakeOver {
  readonly heldFor: number;
  readonly canAdopt: boolean;
}

/** Where the platform keeps what must outlive a request. One server has it in a file, many share a database. */
export interface Store extends LeaseStore {
  /** Whether it can be reached; undefined for one that is always there. */
  readonly state: PartState | undefined;
  /** What belongs to sessions beside their rows. */
  readonly records: SessionRecords;
  /** Adds a session; gives the one that is there when its project has used the idempotency key before. */
  addSession(row: SessionRow): Promise<{ readonly row: SessionRow; readonly isNew: boolean }>;
  session(id: string): Promise<SessionRow | undefined>;
  /** The session that a project created with this idempotency key. */
  sessionOfRequest(project: string, idempotencyKey: string): Promise<SessionRow | undefined>;
  /** Changes a session that is still alive and has this owner; undefined when it is not, or has not. */
  changeSession(session: Pick<SessionRow, 'id' | 'owner'>, change: SessionChange): Promise<SessionRow | undefined>;
  /** Removes a session that has not begun, as if it had never been asked for. */
  removePending(session: Pick<SessionRow, 'id' | 'owner'>): Promise<void>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** Those of these sessions that have not ended. */
  liveAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The sessions of an owner that have not ended. */
  liveSessions(owner: string): Promise<readonly SessionRow[]>;
  /** Adds a key; whether it is there now, and not another one of this id. */
  addKey(row: KeyRow): Promise<boolean>;
  key(id: string): Promise<KeyRow | undefined>;
  keys(project: string): Promise<readonly KeyRow[]>;
  /** Whether it was there and not yet revoked. */
  revokeKey(project: string, id: string, at: number): Promise<boolean>;
  /** Has a key end at a time, if it does not end before. */
  expireKey(project: string, id: string, at: number): Promise<void>;
  hasKeys(): Promise<boolean>;
  /** A value that is made once and is the same for all servers ever after. */
  secret(name: string, make: () => string): Promise<string>;
  cacheEntry(project: string, key: string, now: number): Promise<CacheRow | undefined>;
  /** Adds or replaces an entry; the oldest of a project go when it has more than `most`. */
  putCacheEntry(row: CacheRow, most: number): Promise<void>;
  removeCacheEntry(project: string, key: string): Promise<void>;
  /** Removes what has expired: cache entries, and sessions that ended before `endedBefore`. */
  prune(now: number, endedBefore: number): Promise<void>;
  close(): Promise<void>;
}
