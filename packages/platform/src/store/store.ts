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
  /** The server that holds its browser. */
  readonly owner: string;
  /** What was sent as `Idempotency-Key`, and a digest of the body that came with it. */
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: string;
}

/** What may change in a stored session. */
export type SessionChange = Partial<
  Pick<SessionRow, 'status' | 'keepAlive' | 'metadata' | 'expiresAt' | 'endedAt' | 'endReason'>
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

/** Where the platform keeps what must outlive a request. One server has it in a file, many share a database. */
export interface Store {
  /** Adds a session; gives the one that is there when its project has used the idempotency key before. */
  addSession(row: SessionRow): Promise<{ readonly row: SessionRow; readonly isNew: boolean }>;
  session(id: string): Promise<SessionRow | undefined>;
  /** Changes a session that is still alive; undefined when it is not. */
  changeSession(id: string, change: SessionChange): Promise<SessionRow | undefined>;
  sessions(query: SessionQuery): Promise<readonly SessionRow[]>;
  /** The sessions that have not ended, of all projects. */
  liveSessions(): Promise<readonly SessionRow[]>;
  addKey(row: KeyRow): Promise<void>;
  key(id: string): Promise<KeyRow | undefined>;
  keys(project: string): Promise<readonly KeyRow[]>;
  /** Whether it was there and not yet revoked. */
  revokeKey(project: string, id: string, at: number): Promise<boolean>;
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
