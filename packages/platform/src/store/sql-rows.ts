import type { SqlInput, SqlRow } from './sql-database.ts';
import type { KeyRow, Scope, SessionRow, SessionStatus } from './store.ts';

const columnByField = {
  id: 'id',
  project: 'project',
  keyId: 'key_id',
  status: 'status',
  keepAlive: 'keep_alive',
  region: 'region',
  metadata: 'metadata',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  endedAt: 'ended_at',
  endReason: 'end_reason',
  owner: 'owner',
  browser: 'browser',
  seat: 'seat',
  node: 'node',
  idleTimeout: 'idle_timeout',
  idempotencyKey: 'idempotency_key',
  requestDigest: 'request_digest',
} as const satisfies Record<keyof SessionRow, string>;

/** Accepts some of the fields, for updates. */
export function sessionValues(row: Partial<SessionRow>): Record<string, SqlInput> {
  const fields = Object.keys(columnByField) as (keyof SessionRow)[];
  return Object.fromEntries(
    fields.filter((field) => field in row).map((field) => [columnByField[field], inputValue(row[field])]),
  );
}

function inputValue(value: unknown): SqlInput {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

export function sessionOf(values: SqlRow): SessionRow {
  return {
    id: String(values['id']),
    project: String(values['project']),
    keyId: String(values['key_id']),
    status: String(values['status']) as SessionStatus,
    keepAlive: Number(values['keep_alive']) === 1,
    region: String(values['region']),
    metadata: JSON.parse(String(values['metadata'])) as Record<string, unknown>,
    createdAt: Number(values['created_at']),
    expiresAt: Number(values['expires_at']),
    endedAt: optionalNumber(values['ended_at']),
    endReason: optionalText(values['end_reason']),
    owner: String(values['owner']),
    browser: optionalText(values['browser']),
    seat: optionalText(values['seat']),
    node: optionalText(values['node']),
    idleTimeout: optionalNumber(values['idle_timeout']),
    idempotencyKey: optionalText(values['idempotency_key']),
    requestDigest: String(values['request_digest']),
  };
}

export function keyOf(values: SqlRow): KeyRow {
  return {
    id: String(values['id']),
    project: String(values['project']),
    name: String(values['name']),
    secretHash: String(values['secret_hash']),
    scopes: JSON.parse(String(values['scopes'])) as Scope[],
    createdAt: Number(values['created_at']),
    expiresAt: optionalNumber(values['expires_at']),
    revokedAt: optionalNumber(values['revoked_at']),
  };
}

function optionalNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
