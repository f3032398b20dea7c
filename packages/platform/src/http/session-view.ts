import { z } from 'zod';
import type { ConnectTokens } from '../gateway/connect-token.ts';
import type { KeyRow, SessionRow } from '../store/store.ts';
import type { ViewTokens } from '../view/view-tokens.ts';

/** A session as clients see it. */
export const sessionView = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'TIMED_OUT', 'ERROR']),
  project: z.string(),
  /** The number of the server that has its browser, or had it last. */
  server: z.string(),
  /** The node of a Grid that runs its browser, or ran it. Not given for browsers on the server's own machine. */
  node: z.string().optional(),
  keepAlive: z.boolean(),
  region: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  expiresAt: z.string(),
  endedAt: z.string().optional(),
  endReason: z.string().optional(),
  /** DevTools socket of the browser, with a token; only while the session runs. */
  connectUrl: z.string().optional(),
  /** Page of the session on the dashboard, with a token that lets whoever has the link look on. */
  sessionUrl: z.string(),
  /** The same with DevTools, with a token to take over; only while the session runs. */
  debugUrl: z.string().optional(),
});

/** Shows sessions to clients. */
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

  /** A session, with a new way to connect for who may write. */
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

  /** The token stands where browsers keep it to themselves: no server and no log sees it, nor does any other site. */
  #pageUrl({ id }: SessionRow, key: KeyRow, { mayControl }: { mayControl: boolean }): string {
    // A link lives no longer than what it was made with.
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

/** A time as clients read it. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
