import type { PartState } from '../reachability.ts';
import type { SessionRecords } from './session-records.ts';

/** `COMPLETED`, `TIMED_OUT` and `ERROR` are final. */
export type SessionStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'TIMED_OUT' | 'ERROR';

/** A stored session. Times are in milliseconds since 1970. */
export interface SessionRow {
  /** Not a secret: requests also need a key or token. */
  readonly id: string;
  readonly project: string;
  /** Key that created the session. */
  readonly keyId: string;
  readonly status: SessionStatus;
  readonly keepAlive: boolean;
  readonly region: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | undefined;
  readonly endReason: string | undefined;
  /** Lease id of the server that owns the session. */
  readonly owner: string;
  /** Secret handle with which another server can adopt the browser. Undefined if the browser ends with its server. */
  readonly browser: string | undefined;
  /** Secret seat of the operator in control. Stored only if another server can adopt the browser. */
  readonly seat: string | undefined;
  /** Grid node that runs the browser, as `host:port`. */
  readonly node: string | undefined;
  /** In milliseconds. Undefined if the request set none. */
  readonly idleTimeout: number | undefined;
  /**
   * `Idempotency-Key` header of the request. The digest of the body detects a key that is used for a different request.
   */
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: string;
}

export type SessionChange = Partial<
  Pick<
    SessionRow,
    'status' | 'keepAlive' | 'metadata' | 'expiresAt' | 'endedAt' | 'endReason' | 'browser' | 'seat' | 'node'
  >
>;

/** Permissions of API keys. */
export const SCOPES = ['sessions:read', 'sessions:write', 'cache', 'keys'] as const;

export type Scope = (typeof SCOPES)[number];

/** A stored API key, without its secret. */
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

export interface CacheRow {
  readonly project: string;
  readonly key: string;
  readonly value: string;
  readonly expiresAt: number;
}

/** Filter for the sessions of a project. Results are sorted newest first. */
export interface SessionQuery {
  readonly project: string;
  readonly status: SessionStatus | undefined;
  readonly limit: number;
  /** Position after which the page starts: the last session of the previous page. */
  readonly before: { readonly createdAt: number; readonly id: string } | undefined;
}

/**
 * Leases of servers, timed by the store's clock. A lease id marks the sessions that a server owns. When the lease
 * expires, other servers may take over these sessions. Ids are never reused, so late writes of the old owner have no
 * effect.
 */
export interface LeaseStore {
  /** True if several servers can use the store. */
  readonly isShared: boolean;
  /** Creates a lease for `ms` milliseconds and resolves with its id. `address` is the server's URL. */
  addLease(address: string, ms: number): Promise<string>;
  /** Resolves with false if the lease has ended. */
  renewLease(owner: string, ms: number): Promise<boolean>;
  endLease(owner: string): Promise<void>;
  /** Resolves with the URL of the server, or with `undefined` if its lease has ended or expired. */
  leaseAddress(owner: string): Promise<string | undefined>;
  /** Resolves with the URLs of all other servers that hold a lease. */
  leaseAddresses(owner: string): Promise<readonly string[]>;
  /**
   * Ends expired leases and assigns their sessions to this server. Only a server that has held its own lease for
   * `heldFor` milliseconds may end others, so that all servers can return after an outage of the store. A server that
   * cannot adopt browsers gets only expired sessions and those without a handle.
   */
  takeOver(owner: string, how: TakeOver): Promise<readonly SessionRow[]>;
}

export interface TakeOver {
  readonly heldFor: number;
  readonly canAdopt: boolean;
}

/** Persistent storage of the platform: an SQLite file for one server, or a database for several. */
export interface Store extends LeaseStore {
  /** Reachability of the database. Undefined for an embedded one. */
  readonly state: PartState | undefined;
  readonly records: SessionRecords;
  /** Adds a session, or returns the one with the same project and idempotency key. */
  addSession(row: SessionRow): Promise<{ readonly row: SessionRow; readonly isNew: boolean }>;
  session(id: string): Promise<SessionRow | undefined>;
  /** Returns the session that a project created with this idempotency key. */
  sessionOfRequest(project: string, idempotencyKey: string): Promise<SessionRow | undefined>;
  /** Updates a running or pending session. Resolves with `undefined` if it has ended or has another owner. */
  changeSession(session: Pick<SessionRow, 'id' | 'owner'>, change: SessionChange): Promise<SessionRow | undefined>;
  /** Deletes a session that has not started, as if it had never been requested. */
  removePending(session: Pick<SessionRow, 'id' | 'owner'>): Promise<void>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** Returns those `ids` whose sessions have not ended. */
  liveAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  liveSessions(owner: string): Promise<readonly SessionRow[]>;
  /** Adds a key. Resolves with false if another key has the same id. */
  addKey(row: KeyRow): Promise<boolean>;
  key(id: string): Promise<KeyRow | undefined>;
  keys(project: string): Promise<readonly KeyRow[]>;
  /** Resolves with true if the key existed and was not revoked yet. */
  revokeKey(project: string, id: string, at: number): Promise<boolean>;
  /** Lets a key expire at a time, unless it expires earlier. */
  expireKey(project: string, id: string, at: number): Promise<void>;
  hasKeys(): Promise<boolean>;
  /** Returns the secret with this name. Creates it with `make` if no server has done so. */
  secret(name: string, make: () => string): Promise<string>;
  cacheEntry(project: string, key: string, now: number): Promise<CacheRow | undefined>;
  /** Adds or replaces an entry. Deletes the project's oldest entries beyond `most`. */
  putCacheEntry(row: CacheRow, most: number): Promise<void>;
  removeCacheEntry(project: string, key: string): Promise<void>;
  /** Deletes expired cache entries, outdated records, and sessions that ended before `endedBefore`. */
  prune(now: number, endedBefore: number): Promise<void>;
  close(): Promise<void>;
}
