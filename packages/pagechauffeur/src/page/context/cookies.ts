import type { Protocol } from 'devtools-protocol';
import type { Session } from '../../cdp/session.ts';
import { DriverCookieError, DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { checkCookies, type NewCookie } from './new-cookie.ts';

/** A cookie, as returned by `context.cookies()`. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Host name. With a leading dot, the cookie is also sent to subdomains. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since 1970; -1 for a session cookie. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}

/** Filter for `clearCookies()`. A cookie must match every property that is set. */
export interface CookieFilter {
  name?: string | RegExp;
  domain?: string | RegExp;
  path?: string | RegExp;
}

const FILTER_PARTS = ['name', 'domain', 'path'] as const;

/** Returns all cookies, or only those that a request to one of the URLs would send. */
export async function readCookies(browser: Session, urls: readonly URL[]): Promise<Cookie[]> {
  const { cookies } = await browser.send('Storage.getCookies');
  const readable = cookies.map(readableCookie);
  return urls.length === 0 ? readable : readable.filter((cookie) => urls.some((url) => isSentTo(cookie, url)));
}

/** Sets all cookies or, if one is invalid, none. */
export async function setCookies(browser: Session, cookies: readonly NewCookie[]): Promise<void> {
  const checked = checkCookies(cookies);
  if (checked.length === 0) return;
  try {
    await browser.send('Storage.setCookies', { cookies: checked });
  } catch (error) {
    if (browser.isClosed) throw error;
    throw new DriverCookieError(
      `The browser rejected these cookies and set none of them: ${checked.map(({ name }) => JSON.stringify(name)).join(', ')}. Check their names, values and domains for characters that cookies cannot have.`,
      { issues: [], cause: error },
    );
  }
}

/** Removes the cookies that match a filter, or all with an empty filter. */
export async function removeCookies(browser: Session, filter: CookieFilter): Promise<void> {
  const parts = FILTER_PARTS.filter((part) => filter[part] !== undefined);
  if (parts.length === 0) return browser.send('Storage.clearCookies');
  const { cookies } = await browser.send('Storage.getCookies');
  const removed = cookies.filter((cookie) => parts.every((part) => fits(cookie[part], filter[part])));
  // Sets an expiry in the past, because `Network.deleteCookies` could also delete other cookies with the same name.
  if (removed.length > 0) await browser.send('Storage.setCookies', { cookies: removed.map(endedCookie) });
}

export function checkCookieFilter(filter: unknown): asserts filter is CookieFilter {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw new DriverInvalidArgumentError(
      `filter must be an object with name, domain or path. Received ${describeValue(filter)}.`,
      { argument: 'filter' },
    );
  for (const [part, wanted] of Object.entries(filter)) checkPart(part, wanted);
}

function checkPart(part: string, wanted: unknown): void {
  const isKnown = (FILTER_PARTS as readonly string[]).includes(part);
  if (isKnown && (wanted === undefined || typeof wanted === 'string' || wanted instanceof RegExp)) return;
  const problem = isKnown
    ? `must be a string or a RegExp. Received ${describeValue(wanted)}`
    : 'is not part of a cookie filter; use name, domain or path';
  throw new DriverInvalidArgumentError(`${part} ${problem}.`, { argument: part });
}

/** Parses one URL or a list. Throws if one is not absolute. */
export function checkUrls(urls: unknown): URL[] {
  const list: readonly unknown[] = Array.isArray(urls) ? urls : urls === undefined ? [] : [urls];
  return Array.from(list, (url) => {
    if (typeof url === 'string' && URL.canParse(url)) return new URL(url);
    throw new DriverInvalidArgumentError(
      `urls must be a URL such as "https://example.com/" or an array of URLs. Received ${describeValue(url)}.`,
      { argument: 'urls' },
    );
  });
}

function readableCookie(cookie: Protocol.Network.Cookie): Cookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite = 'Lax' } = cookie;
  return { name, value, domain, path, expires, httpOnly, secure, sameSite };
}

function isSentTo(cookie: Cookie, { protocol, hostname, pathname }: URL): boolean {
  if (cookie.secure && protocol !== 'https:' && protocol !== 'wss:' && !isThisMachine(hostname)) return false;
  return isDomainOf(cookie.domain, hostname) && isPathOf(cookie.path, pathname);
}

/** Browsers send `secure` cookies to local hosts without TLS too. */
function isThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function isDomainOf(domain: string, hostname: string): boolean {
  return domain.startsWith('.') ? `.${hostname}`.endsWith(domain) : domain === hostname;
}

function isPathOf(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

// `search` ignores the `lastIndex` of a global RegExp.
function fits(text: string, wanted: string | RegExp | undefined): boolean {
  return wanted instanceof RegExp ? text.search(wanted) !== -1 : text === wanted;
}

function endedCookie({
  size: _size,
  session: _session,
  partitionKeyOpaque: _opaque,
  ...cookie
}: Protocol.Network.Cookie): Protocol.Network.CookieParam {
  return { ...cookie, expires: 1 };
}
