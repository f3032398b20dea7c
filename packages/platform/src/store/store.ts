import type { PartState } from '../reachability.ts';
import type { SessionRecords } from './session-records.ts';

/** State of a session. The last three are final. */
export type SessionStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'TIMED_OUT' | 'ERROR';

/** A stored session. Times are in milliseconds since 1970. */
export interface SessionRow {
  /** Not secret: the id alone gives no access. */
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
  /** Why it ended. */
  readonly endReason: string | undefined;
  /** Lease id of the server that owns its browser. */
  readonly owner: string;
  /** Handle with which another server can adopt its browser, if possible. Secret. */
  readonly browser: string | undefined;
  /** Seat of the operator in control, if another server can adopt the browser. Secret. */
  readonly seat: string | undefined;
  /** The Grid node of its browser. */
  readonly node: string | undefined;
  /** Idle timeout of its clients in milliseconds, if its creator set one. */
  readonly idleTimeout: number | undefined;
  /** The `Idempotency-Key`, and a digest of the request body. */
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: string;
}

/** Fields of a stored session that may change. */
export type SessionChange = Partial<
  Pick<
    SessionRow,
    'status' | 'keepAlive' | 'metadata' | 'expiresAt' | 'endedAt' | 'endReason' | 'browser' | 'seat' | 'node'
  >
>;

/** Permissions of API keys. */
export const SCOPES = ['sessions:read', 'sessions:write', 'cache', 'keys'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** A stored key. Never contains the secret itself. */
export interface KeyRow {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  /** SHA-256 of the secret in hex. */
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
}

/** A cached result. */
export interface CacheRow {
  readonly project: string;
  readonly key: string;
  readonly value: string;
  readonly expiresAt: number;
}

/** Filter for listing sessions of a project, newest first. */
export interface SessionQuery {
  readonly project: string;
  readonly status: SessionStatus | undefined;
  readonly limit: number;
  /** Only sessions created before this time, or at it with a smaller id. */
  readonly before: { readonly createdAt: number; readonly id: string } | undefined;
}

/**
 * Leases of servers, by the store's clock. A server renews its lease; the lease id identifies it
 * in the sessions it owns. If a lease expires, another server may own the sessions. Ids are never
 * reused, so writes under the old id have no effect.
 */
export interface LeaseStore {
  /** True if several servers may use it. */
  readonly isShared: boolean;
  /** Creates a lease for a server with this URL. */
  addLease(address: string, ms: number): Promise<string>;
  /** Renews a lease. Resolves with false if it has ended. */
  renewLease(owner: string, ms: number): Promise<boolean>;
  endLease(owner: string): Promise<void>;
  /** Returns the URL of a lease's holder. Resolves with `undefined` if the lease has ended or expired. */
  leaseAddress(owner: string): Promise<string | undefined>;
  /** Returns the URLs of all other lease holders. */
  leaseAddresses(owner: string): Promise<readonly string[]>;
  /**
   * Ends expired leases and assigns their sessions to this server. Only a server that has held its own lease for
   * `heldFor` ms may
   * end others: after an outage of the store, all servers come back first. A server that cannot adopt browsers
   * gets only sessions that no server could adopt.
   */
  takeOver(owner: string, how: TakeOver): Promise<readonly SessionRow[]>;
}

/** How a server takes over sessions. */
export interface TakeOver {
  readonly heldFor: number;
  readonly canAdopt: boolean;
}

/** Persistent storage of the platform. One server uses a file; several share a database. */
export interface Store extends LeaseStore {
  /** Whether the store is reachable. Undefined if it is always available. */
  readonly state: PartState | undefined;
  /** Events, files and downloads of sessions. */
  readonly records: SessionRecords;
  /** Adds a session, or returns the existing one for its project's idempotency key. */
  addSession(row: SessionRow): Promise<{ readonly row: SessionRow; readonly isNew: boolean }>;
  session(id: string): Promise<SessionRow | undefined>;
  /** Returns the session that a project created with this idempotency key. */
  sessionOfRequest(project: string, idempotencyKey: string): Promise<SessionRow | undefined>;
  /** Updates a live session of this owner. Resolves with `undefined` if it has ended or has another owner. */
  changeSession(session: Pick<SessionRow, 'id' | 'owner'>, change: SessionChange): Promise<SessionRow | undefined>;
  /** Removes a session that has not started, as if it had never been requested. */
  removePending(session: Pick<SessionRow, 'id' | 'owner'>): Promise<void>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** Returns the ids of sessions that have not ended. */
  liveAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns an owner's sessions that have not ended. */
  liveSessions(owner: string): Promise<readonly SessionRow[]>;
  /** Adds a key. Resolves with false if another key has the id. */
  addKey(row: KeyRow): Promise<boolean>;
  key(id: string): Promise<KeyRow | undefined>;
  keys(project: string): Promise<readonly KeyRow[]>;
  /** Revokes a key. Resolves with true if it existed and was not revoked yet. */
  revokeKey(project: string, id: string, at: number): Promise<boolean>;
  /** Lets a key expire at a time, unless it expires before. */
  expireKey(project: string, id: string, at: number): Promise<void>;
  hasKeys(): Promise<boolean>;
  /** Returns a value that is created once and is the same for all servers. */
  secret(name: string, make: () => string): Promise<string>;
  cacheEntry(project: string, key: string, now: number): Promise<CacheRow | undefined>;
  /** Adds or replaces an entry. Removes the project's oldest entries beyond `most`. */
  putCacheEntry(row: CacheRow, most: number): Promise<void>;
  removeCacheEntry(project: string, key: string): Promise<void>;
  /** Removes expired cache entries, and sessions that ended before `endedBefore`. */
  prune(now: number, endedBefore: number): Promise<void>;
  close(): Promise<void>;
}
