import type { IncomingHttpHeaders } from 'node:http';
import { PlatformError } from '../errors.ts';
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

/** Who looks at the dashboard, and what for. */
export interface Viewer {
  /** The key that stands behind it, with no more scopes than the dashboard needs. */
  readonly key: KeyRow;
  readonly mayControl: boolean;
}

/** A request as far as it says who sends it, and from where. */
interface ViewRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const VIEW_COOKIE = 'chauffeur_view';
const SIGN_IN_COOKIE = 'chauffeur_sign_in';
/** Half a working day; who stays signs in again. */
const SIGN_IN_MS = 12 * 3600 * 1000;
/** Who causes a request that only reads: a page of this server, whoever typed the address, or a program that does not say. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);
/** What a person does on the dashboard needs no more. */
const SIGN_IN_SCOPES: readonly Scope[] = ['sessions:read', 'sessions:write'];

/** Lets people into the dashboard: by the token of a link, or by a key that they type once. Both become cookies that no script can read. */
export class ViewAccess {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** The cookie for a link to a session; `unauthorized` when its token is not valid for it. */
  async openLink(sessionId: string, token: string): Promise<string> {
    const grant = this.#parts.tokens.readView(token);
    const key = grant?.sessionId === sessionId ? await this.#parts.keys.inForce(grant.keyId) : undefined;
    if (!grant || !key) throw notSignedIn();
    this.#parts.rates.count(key.project);
    return this.#cookie(VIEW_COOKIE, token, { path: `/v1/sessions/${sessionId}`, expiresAt: grant.expiresAt });
  }

  /** The cookie for who has a key. */
  async signIn(keyText: string): Promise<string> {
    const { id, project, scopes } = await this.#parts.keys.authenticate(keyText);
    this.#parts.rates.count(project);
    if (!scopes.includes('sessions:read'))
      throw new PlatformError('forbidden', 'This key has not the scope sessions:read.');
    const expiresAt = Date.now() + SIGN_IN_MS;
    const token = this.#parts.tokens.signSignIn({ keyId: id, expiresAt });
    return this.#cookie(SIGN_IN_COOKIE, token, { path: '/v1', expiresAt });
  }

  /** The cookie that takes the place of the one that was given at the sign-in. */
  signOut(): string {
    return this.#cookie(SIGN_IN_COOKIE, '', { path: '/v1', expiresAt: 0 });
  }

  /** Who sends a request that brings cookies of the dashboard; undefined when nobody is known by them. */
  async viewerOf(request: ViewRequest, sessionId: string | undefined): Promise<Viewer | undefined> {
    const cookies = cookiesOf(request.headers.cookie ?? '');
    if (!cookies.has(SIGN_IN_COOKIE) && !cookies.has(VIEW_COOKIE)) return undefined;
    this.#checkOrigin(request);
    return (
      (await this.#signedIn(cookies.get(SIGN_IN_COOKIE) ?? '')) ??
      (await this.#withLink(cookies.get(VIEW_COOKIE) ?? '', sessionId))
    );
  }

  /** Whether a page of this server sends a request, and no other page in the same browser. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean {
    const { origin, host } = headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    return origin === new URL(this.#parts.publicUrl()).origin || new URL(origin).host === host;
  }

  /** Cookies come with every request of the browser, whoever caused it; only pages of this server may use them. */
  #checkOrigin({ method, headers }: ViewRequest): void {
    const site = headers['sec-fetch-site'];
    const isRead = method === 'GET' && headers.origin === undefined && headers.upgrade === undefined;
    const isOwn = isRead ? OWN_SITES.has(site) : this.isOwnOrigin(headers);
    if (!isOwn) throw new PlatformError('forbidden', 'Another site cannot use the dashboard.');
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
    // What it makes, such as another link, ends with it.
    return { key: { ...key, scopes: ['sessions:read'], expiresAt: grant.expiresAt }, mayControl: grant.mayControl };
  }

  #cookie(name: string, value: string, { path, expiresAt }: { path: string; expiresAt: number }): string {
    const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1000));
    const secure = this.#parts.publicUrl().startsWith('https:') ? '; Secure' : '';
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

function notSignedIn(): PlatformError {
  return new PlatformError('unauthorized', 'This link is not valid any more. Sign in with a key, or ask for another.');
}

function cookiesOf(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}
