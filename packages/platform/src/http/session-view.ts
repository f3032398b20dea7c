import { z } from 'zod';
import type { ConnectTokens } from '../gateway/connect-token.ts';
import type { KeyRow, SessionRow } from '../store/store.ts';

/** A session as clients see it. */
export const sessionView = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'TIMED_OUT', 'ERROR']),
  keepAlive: z.boolean(),
  region: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().optional(),
  endReason: z.string().optional(),
  /** DevTools socket of the browser, with a token; only while the session runs. */
  connectUrl: z.string().optional(),
  /** Page of the session on the dashboard. */
  sessionUrl: z.string(),
});

/** Shows sessions to clients. */
export class SessionViews {
  readonly #tokens: ConnectTokens;
  readonly #tokenTimeout: number;
  readonly #publicUrl: () => string;

  constructor({
    tokens,
    tokenTimeout,
    publicUrl,
  }: {
    readonly tokens: ConnectTokens;
    readonly tokenTimeout: number;
    readonly publicUrl: () => string;
  }) {
    this.#tokens = tokens;
    this.#tokenTimeout = tokenTimeout;
    this.#publicUrl = publicUrl;
  }

  /** A session, with a new way to connect for who may write. */
  show(row: SessionRow, key: KeyRow): z.output<typeof sessionView> {
    const { id, status, keepAlive, region, metadata, createdAt, expiresAt, endedAt, endReason } = row;
    const mayConnect = status === 'RUNNING' && key.scopes.includes('sessions:write');
    return {
      id,
      status,
      keepAlive,
      region,
      metadata,
      createdAt: timestamp(createdAt),
      expiresAt: timestamp(expiresAt),
      ...(endedAt === undefined ? {} : { endedAt: timestamp(endedAt) }),
      ...(endReason === undefined ? {} : { endReason }),
      ...(mayConnect ? { connectUrl: this.#connectUrl(row, key) } : {}),
      sessionUrl: `${this.#publicUrl()}/sessions/${id}`,
    };
  }

  #connectUrl({ id, expiresAt: end }: SessionRow, { id: keyId }: KeyRow): string {
    const expiresAt = Math.min(end, Date.now() + this.#tokenTimeout);
    const token = this.#tokens.sign({ sessionId: id, keyId, expiresAt });
    return `${this.#publicUrl().replace(/^http/, 'ws')}/v1/sessions/${id}/cdp?token=${token}`;
  }
}

/** A time as clients read it. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
