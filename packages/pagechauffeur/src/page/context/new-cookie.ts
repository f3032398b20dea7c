import { quote } from '../../util/truncate.ts';
import { DriverCookieError, DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';

/** A cookie for `addCookies()`. Needs either `url`, or `domain` and `path`. */
export interface NewCookie {
  name: string;
  value: string;
  /** URL that sets the cookie's host and path, instead of `domain` and `path`. */
  url?: string;
  /** Host name. With a leading dot, the cookie is also sent to subdomains. */
  domain?: string;
  path?: string;
  /** Seconds since 1970; -1 (default) for a session cookie. */
  expires?: number;
  httpOnly?: boolean;
  /** Default: true for an `https` URL, otherwise false. */
  secure?: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

interface CheckedCookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  expires?: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

/** End of the year 9999, in seconds. A larger value is probably in milliseconds. */
const LATEST_EXPIRY = 253_402_300_799;
/** Maximum bytes of name and value together. Browsers reject larger cookies. */
const MAX_COOKIE_LENGTH = 4096;
const PARTS = new Set(['name', 'value', 'url', 'domain', 'path', 'expires', 'httpOnly', 'secure', 'sameSite']);
const SAME_SITE: readonly unknown[] = ['Strict', 'Lax', 'None'];

/** Throws one error that lists the problems of all cookies. */
export function checkCookies(cookies: readonly NewCookie[]): CheckedCookie[] {
  if (!Array.isArray(cookies))
    throw new DriverInvalidArgumentError(
      `cookies must be an array of objects such as { name, value, url }. Received ${describeValue(cookies)}.`,
      { argument: 'cookies' },
    );
  const issues = Array.from<unknown>(cookies).flatMap((cookie, index) =>
    problemsOf(cookie).map((message) => ({ index, name: nameOf(cookie), message })),
  );
  if (issues.length === 0) return cookies.map(checkedCookie);
  const sentences = issues.map(
    ({ index, name, message }) => `cookies[${index}]${name === undefined ? '' : ` (${quote(name)})`} ${message}.`,
  );
  throw new DriverCookieError(`No cookie was set. ${sentences.join(' ')}`, { issues });
}

function nameOf(cookie: unknown): string | undefined {
  const { name } = (cookie ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

function problemsOf(cookie: unknown): string[] {
  if (typeof cookie !== 'object' || cookie === null || Array.isArray(cookie))
    return [`must be an object such as { name, value, url }. Received ${describeValue(cookie)}`];
  const given = cookie as Readonly<Record<keyof NewCookie, unknown>>;
  const wrongTypes = typeProblems(given);
  // The remaining checks require correct types.
  if (wrongTypes.length > 0) return wrongTypes;
  const typed = cookie as NewCookie;
  return [...locationProblems(typed), ...textProblems(typed), ...expiryProblems(typed), ...securityProblems(typed)];
}

function typeProblems(given: Readonly<Record<keyof NewCookie, unknown>>): string[] {
  const unknown = Object.keys(given).filter((part) => !PARTS.has(part));
  const problems = unknown.map((part) => `has the unknown property ${JSON.stringify(part)}`);
  const check = (part: keyof NewCookie, type: 'string' | 'number' | 'boolean', isNeeded = false): void => {
    const value = given[part];
    if ((value === undefined && !isNeeded) || typeof value === type) return;
    problems.push(`needs ${part} to be a ${type}. Received ${describeValue(value)}`);
  };
  check('name', 'string', true);
  check('value', 'string', true);
  for (const part of ['url', 'domain', 'path'] as const) check(part, 'string');
  check('expires', 'number');
  for (const part of ['httpOnly', 'secure'] as const) check(part, 'boolean');
  if (given.sameSite !== undefined && !SAME_SITE.includes(given.sameSite))
    problems.push(`needs sameSite to be Strict, Lax or None. Received ${describeValue(given.sameSite)}`);
  return problems;
}

function locationProblems({ url, domain, path }: NewCookie): string[] {
  if (url === undefined) {
    if (domain === undefined || path === undefined) return ['needs a url, or a domain and a path'];
    const problems = isHost(domain.replace(/^\./, ''))
      ? []
      : [`has the domain ${JSON.stringify(domain)}, which is not a host`];
    return path.startsWith('/')
      ? problems
      : [...problems, `has the path ${JSON.stringify(path)}, which must begin with /`];
  }
  if (domain !== undefined) return ['has a url and a domain; pass only one of them'];
  if (path !== undefined) return ['has a url and a path; the url already has a path, so pass only one of them'];
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
    return [`has the url ${quote(url)}; only http and https URLs have cookies`];
  return [];
}

function isHost(host: string): boolean {
  // Rejects the characters that would make `URL` parse a path, a query, a username or a port.
  return !/[/?#@:\s\\]/.test(host.replace(/^\[[\da-f:]+\]$/i, 'ipv6')) && URL.canParse(`http://${host}/`);
}

// oxlint-disable-next-line no-control-regex -- characters that cookies must not contain
const NOT_IN_NAME = /[\u0000-\u0008\u000a-\u001f\u007f;=]|^\s|\s$/;
// oxlint-disable-next-line no-control-regex -- characters that cookies must not contain
const NOT_IN_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f;]|^\s|\s$/;

function textProblems({ name, value }: NewCookie): string[] {
  const problems: string[] = [];
  if (name === '' && value === '') problems.push('has neither a name nor a value');
  if (NOT_IN_NAME.test(name)) problems.push('has a name with ";", "=", a control character or a space at an end');
  if (NOT_IN_VALUE.test(value))
    problems.push('has a value with ";", a control character or a space at an end; encode it');
  if (Buffer.byteLength(name) + Buffer.byteLength(value) > MAX_COOKIE_LENGTH)
    problems.push(`has more than ${MAX_COOKIE_LENGTH} bytes in its name and value`);
  return problems;
}

function expiryProblems({ expires }: NewCookie): string[] {
  if (expires === undefined || expires === -1 || (expires > 0 && expires <= LATEST_EXPIRY)) return [];
  const hint = expires > LATEST_EXPIRY && Number.isFinite(expires) ? '; it looks like milliseconds' : '';
  return [`has expires ${expires}, which must be -1 or a positive Unix time in seconds${hint}`];
}

function securityProblems(cookie: NewCookie): string[] {
  const { name, domain, sameSite } = cookie;
  const { path, secure } = scopeOf(cookie);
  const problems: string[] = [];
  if (sameSite === 'None' && !secure) problems.push('has sameSite None, which browsers accept only with secure: true');
  if (/^__(Secure|Host)-/i.test(name) && !secure)
    problems.push('has a name that browsers accept only with secure: true');
  if (/^__Host-/i.test(name) && (domain?.startsWith('.') || path !== '/'))
    problems.push('has a name that browsers accept only for one host and the path /');
  return problems;
}

/** Also called for cookies that are not validated yet: an invalid `url` is ignored. */
function scopeOf({ url, domain = '', path = '/', secure }: NewCookie): {
  domain: string;
  path: string;
  secure: boolean;
} {
  if (url === undefined || !URL.canParse(url)) return { domain, path, secure: secure ?? false };
  const { hostname, pathname, protocol } = new URL(url);
  return {
    domain: hostname,
    path: pathname.slice(0, pathname.lastIndexOf('/') + 1),
    secure: secure ?? protocol === 'https:',
  };
}

function checkedCookie(cookie: NewCookie): CheckedCookie {
  const { name, value, expires, httpOnly = false, sameSite } = cookie;
  return {
    name,
    value,
    ...scopeOf(cookie),
    httpOnly,
    ...(expires === undefined || expires === -1 ? {} : { expires }),
    ...(sameSite === undefined ? {} : { sameSite }),
  };
}
