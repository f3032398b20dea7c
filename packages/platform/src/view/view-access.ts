import type { IncomingHttpHeaders } from 'node:http';
import { PlatformError } from '../errors.ts';
import { isFixedHost } from '../http/fixed-host.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { KeyRow, Scope } from '../store/store.ts';
import type { ViewTokens } from './view-tokens.ts';

interface AccessParts {
  readonly tokens: ViewTokens;
  readonly keys: KeyRing;
  readonly rates: RequestRates;
  readonly publicUrl: () => string;
}

/** A signed-in user of the dashboard. */
export interface Viewer {
  /** The user's API key. With a cookie, reduced to the scopes that the dashboard needs. */
  readonly key: KeyRow;
  readonly mayControl: boolean;
}

interface ViewRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const VIEW_COOKIE = 'chauffeur_view';
const SIGN_IN_COOKIE = 'chauffeur_sign_in';
/** 12 hours. Then the user must sign in again. */
const SIGN_IN_MS = 12 * 3600 * 1000;
/** `Sec-Fetch-Site` values of allowed GET requests: a page of this server, a typed URL, or a program. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);
const SIGN_IN_SCOPES: readonly Scope[] = ['sessions:read', 'sessions:write'];

/**
 * Signs users in to the dashboard with the token of a link or with an API key. An HttpOnly cookie keeps them signed in.
 */
export class ViewAccess {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** Returns a cookie for the session in a link. Rejects with `unauthorized` if the token is invalid. */
  async openLink(sessionId: string, token: string): Promise<string> {
    const grant = this.#parts.tokens.readView(token);
    const key = grant?.sessionId === sessionId ? await this.#parts.keys.inForce(grant.keyId) : undefined;
    if (!grant || !key) throw notSignedIn();
    this.#parts.rates.count(key.project);
    return this.#cookie(VIEW_COOKIE, token, { path: `/v1/sessions/${sessionId}`, expiresAt: grant.expiresAt });
  }

  /** Returns a cookie that is valid for 12 hours. Rejects if the key is invalid or lacks `sessions:read`. */
  async signIn(keyText: string): Promise<string> {
    const { id, project, scopes } = await this.#parts.keys.authenticate(keyText);
    this.#parts.rates.count(project);
    if (!scopes.includes('sessions:read'))
      throw new PlatformError('forbidden', 'This key lacks the scope sessions:read.');
    const expiresAt = Date.now() + SIGN_IN_MS;
    const token = this.#parts.tokens.signSignIn({ keyId: id, expiresAt });
    return this.#cookie(SIGN_IN_COOKIE, token, { path: '/v1', expiresAt });
  }

  /** Returns a cookie that deletes the one from `signIn`. */
  signOut(): string {
    return this.#cookie(SIGN_IN_COOKIE, '', { path: '/v1', expiresAt: 0 });
  }

  /**
   * Returns the user whose cookies the request contains. Resolves with `undefined` if it has none or they are not
   * valid.
   */
  async viewerOf(request: ViewRequest, sessionId: string | undefined): Promise<Viewer | undefined> {
    const cookies = cookiesOf(request.headers.cookie ?? '');
    if (!cookies.has(SIGN_IN_COOKIE) && !cookies.has(VIEW_COOKIE)) return undefined;
    this.#checkOrigin(request);
    return (
      (await this.#signedIn(cookies.get(SIGN_IN_COOKIE) ?? '')) ??
      (await this.#withLink(cookies.get(VIEW_COOKIE) ?? '', sessionId))
    );
  }

  /** True if the `Origin` header names this server. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean {
    const { origin, host } = headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    if (origin === new URL(this.#parts.publicUrl()).origin) return true;
    const sender = new URL(origin);
    return sender.host === host && isFixedHost(sender.hostname);
  }

  /** Refuses requests that a page of another site may have sent with the user's cookies. */
  #checkOrigin({ method, headers }: ViewRequest): void {
    const site = headers['sec-fetch-site'];
    const isRead = method === 'GET' && headers.origin === undefined && headers.upgrade === undefined;
    const isOwn = isRead ? OWN_SITES.has(site) : this.isOwnOrigin(headers);
    if (!isOwn) throw new PlatformError('forbidden', 'The dashboard does not accept requests from other sites.');
  }

  async #signedIn(token: string): Promise<Viewer | undefined> {
    const grant = this.#parts.tokens.readSignIn(token);
    const key = grant && (await this.#parts.keys.inForce(grant.keyId));
    if (!key) return undefined;
    const scopes = SIGN_IN_SCOPES.filter((scope) => key.scopes.includes(scope));
    return { key: { ...key, scopes }, mayControl: scopes.includes('sessions:write') };
  }

  async #withLink(token: string, sessionId: string | undefined): Promise<Viewer | undefined> {
    const grant = this.#parts.tokens.readView(token);
    if (!grant || grant.sessionId !== sessionId) return undefined;
    const key = await this.#parts.keys.inForce(grant.keyId);
    if (!key) return undefined;
    // Links that this user creates expire with the user's own link.
    return { key: { ...key, scopes: ['sessions:read'], expiresAt: grant.expiresAt }, mayControl: grant.mayControl };
  }

  #cookie(name: string, value: string, { path, expiresAt }: { path: string; expiresAt: number }): string {
    const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1000));
    const secure = this.#parts.publicUrl().startsWith('https:') ? '; Secure' : '';
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

function notSignedIn(): PlatformError {
  return new PlatformError(
    'unauthorized',
    'This link is no longer valid. Sign in with a key, or request another link.',
  );
}

function cookiesOf(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}
