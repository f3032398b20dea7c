import { z } from 'zod';
import type { ConnectTokens } from '../gateway/connect-token.ts';
import type { KeyRow, SessionRow } from '../store/store.ts';
import type { ViewTokens } from '../view/view-tokens.ts';

/** A session in API responses. Times are ISO 8601. */
export const sessionView = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'TIMED_OUT', 'ERROR']),
  project: z.string(),
  /** Id of the server that runs the browser, or ran it last. */
  server: z.string(),
  /** Grid node that runs the browser. Missing for local browsers, and until the Grid reports the node. */
  node: z.string().optional(),
  keepAlive: z.boolean(),
  region: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().optional(),
  endReason: z.string().optional(),
  /** DevTools WebSocket URL with a token. Only while the session runs and for keys with `sessions:write`. */
  connectUrl: z.string().optional(),
  /** Dashboard page with a token for read-only access. */
  sessionUrl: z.string(),
  /**
   * Dashboard page with DevTools and a token for control. Only while the session runs and for keys with
   * `sessions:write`.
   */
  debugUrl: z.string().optional(),
});

/** Converts database rows to API responses with signed URLs. */
export class SessionViews {
  readonly #tokens: ConnectTokens;
  readonly #viewTokens: ViewTokens;
  readonly #tokenTimeout: number;
  readonly #publicUrl: () => string;

  constructor({
    tokens,
    viewTokens,
    tokenTimeout,
    publicUrl,
  }: {
    readonly tokens: ConnectTokens;
    readonly viewTokens: ViewTokens;
    readonly tokenTimeout: number;
    readonly publicUrl: () => string;
  }) {
    this.#tokens = tokens;
    this.#viewTokens = viewTokens;
    this.#tokenTimeout = tokenTimeout;
    this.#publicUrl = publicUrl;
  }

  /** Signs new URLs on each call. Only keys with `sessions:write` get `connectUrl` and `debugUrl`. */
  show(row: SessionRow, key: KeyRow): z.output<typeof sessionView> {
    const {
      id,
      status,
      project,
      owner: server,
      node,
      keepAlive,
      region,
      metadata,
      createdAt,
      expiresAt,
      endedAt,
      endReason,
    } = row;
    const mayConnect = status === 'RUNNING' && key.scopes.includes('sessions:write');
    return {
      id,
      status,
      project,
      server,
      ...(node === undefined ? {} : { node }),
      keepAlive,
      region,
      metadata,
      createdAt: timestamp(createdAt),
      expiresAt: timestamp(expiresAt),
      ...(endedAt === undefined ? {} : { endedAt: timestamp(endedAt) }),
      ...(endReason === undefined ? {} : { endReason }),
      ...(mayConnect ? { connectUrl: this.#connectUrl(row, key) } : {}),
      sessionUrl: this.#pageUrl(row, key, { mayControl: false }),
      ...(mayConnect ? { debugUrl: this.#pageUrl(row, key, { mayControl: true }) } : {}),
    };
  }

  /** Puts the token into the fragment, which browsers do not send to servers. */
  #pageUrl({ id }: SessionRow, key: KeyRow, { mayControl }: { mayControl: boolean }): string {
    // A link expires no later than its key.
    const expiresAt = Math.min(key.expiresAt ?? Number.POSITIVE_INFINITY, Date.now() + this.#tokenTimeout);
    const token = this.#viewTokens.signView({ sessionId: id, keyId: key.id, expiresAt, mayControl });
    return `${this.#publicUrl()}/sessions/${id}${mayControl ? '/debug' : ''}#view=${token}`;
  }

  #connectUrl({ id, expiresAt: end }: SessionRow, { id: keyId }: KeyRow): string {
    const expiresAt = Math.min(end, Date.now() + this.#tokenTimeout);
    const token = this.#tokens.sign({ sessionId: id, keyId, expiresAt });
    return `${this.#publicUrl().replace(/^http/, 'ws')}/v1/sessions/${id}/cdp?token=${token}`;
  }
}

/** Formats milliseconds since 1970 as ISO 8601. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
