import { mayBringDocument, parsedAddress } from '../cdp/address-schemes.ts';
import { DriverNavigationError } from '../errors.ts';
import { quote, shorten } from '../util/truncate.ts';

/** A host with a port, such as `localhost:3000/cart`. The URL standard parses `localhost:` as a scheme. */
const HOST_AND_PORT = /^[\w.-]+:\d+(\/|$)/;

/** Returns the normalized URL. Throws if it has no scheme or is invalid, or the scheme is `javascript:`. */
export function validAddress(url: string): string {
  if (!SCHEME.test(url) || HOST_AND_PORT.test(url)) {
    const guess = /^[\w.-]+(:\d+)?(\/|$)/.test(url) ? ` Did you mean ${shorten(`${guessScheme(url)}://${url}`)}?` : '';
    throw new DriverNavigationError(
      `${quote(url)} is not a complete URL; it needs a scheme such as https://.${guess}`,
      { url },
    );
  }
  if (!URL.canParse(url))
    throw new DriverNavigationError(`${quote(withoutPassword(url))} is not a valid URL: ${faultOf(url)}.`, { url });
  if (parsedAddress(url)?.protocol === 'javascript:')
    throw new DriverNavigationError('Cannot open a javascript: URL. Use page.evaluate() to run the script.', {
      url,
    });
  return new URL(url).href;
}

/** Completes "… is not a valid URL: …". */
function faultOf(url: string): string {
  const [, authority = ''] = AUTHORITY.exec(url) ?? [];
  const host = authority.replace(/^.*@/s, '');
  if (host === '') return 'it has no host name';
  if (host.startsWith('[') && !/^\[[\da-f:.]*\]/i.test(host))
    return 'its IPv6 address is invalid or lacks the closing bracket';
  const [, port] = /:([^:\]]*)$/.exec(host) ?? [];
  if (port !== undefined && !(Number(port) <= MAX_PORT))
    return `its port must be a number from 0 to ${MAX_PORT}, not ${quote(port)}`;
  return `${quote(host)} is not a valid host name`;
}

/** Browsers ignore white space and control characters before a URL, and line breaks and tabs in it. */
const SCHEME = /^[\0-\x20]*[a-z][a-z\d+.\-\t\n\r]*:/i;
const AUTHORITY = /^[^:]*:[\\/]*([^\\/?#]*)/;
const MAX_PORT = 65_535;

function guessScheme(url: string): string {
  return /^(localhost|127\.|\[)/.test(url) ? 'http' : 'https';
}

const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  ['ERR_NAME_NOT_RESOLVED', 'The host name cannot be resolved.'],
  ['ERR_CONNECTION_REFUSED', 'Nothing listens at that address. Check that the server is running.'],
  ['ERR_EMPTY_RESPONSE', 'The server closed the connection without a response.'],
  ['ERR_CONTENT_LENGTH_MISMATCH', 'The server ended its response too early.'],
  ['ERR_INCOMPLETE_CHUNKED_ENCODING', 'The server ended its response too early.'],
  ['ERR_CONNECTION_RESET', 'The server reset the connection.'],
  ['ERR_SSL_PROTOCOL_ERROR', 'The response is not valid TLS. If the server has no TLS on this port, use http://.'],
  [
    'ERR_CERT',
    'The browser does not trust the certificate of the server. To accept it, set `ignoreHTTPSErrors` in `localBrowserLaunchOptions`.',
  ],
  ['ERR_TOO_MANY_REDIRECTS', 'The server redirects in a loop. A cookie that the site expects may be missing.'],
  ['ERR_FILE_NOT_FOUND', "The file does not exist on the browser's machine."],
  ['ERR_UNSAFE_PORT', 'Chromium blocks this port. Use another one.'],
  ['ERR_BLOCKED_BY_CLIENT', 'A route or the domain policy blocks this URL.'],
  ['ERR_TUNNEL_CONNECTION_FAILED', 'The proxy cannot connect to this host, or refuses to.'],
  ['ERR_SOCKS', 'The proxy of `localBrowserLaunchOptions` cannot connect to the server.'],
  [
    'ERR_PROXY',
    'The browser cannot use the proxy of `localBrowserLaunchOptions`. Check its server, username and password.',
  ],
  ['ERR_INTERNET_DISCONNECTED', 'The machine of the browser has no network.'],
  [
    'ERR_ABORTED',
    'The navigation was cancelled, for example by a download, a response without content (204) or a newer navigation.',
  ],
];

/** Reason and advice for a rented browser that cannot reach a host. */
const PLATFORM_NETWORK_POLICY =
  "the platform's network policy refuses this host. Browsers of the platform cannot reach addresses inside the platform's network, including loopback. Your own platform can allow some with `--allow-network`, for example `npx pagechauffeur-platform --allow-network 127.0.0.1/32`.";

/** Response header of the platform's proxy for a host that its network policy refuses. */
const REFUSED_HEADER = 'x-chauffeur-refused';
/** Response header of the platform's proxy if a name cannot be resolved. */
const UNRESOLVED_HEADER = 'x-chauffeur-unresolved';
/** Reasons by the value of that header, with the codes of a browser that resolves names itself. */
const UNRESOLVED_REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['host', 'net::ERR_NAME_NOT_RESOLVED. The host name cannot be resolved.'],
  ['proxy', "net::ERR_PROXY_CONNECTION_FAILED. The host name of the session's proxy cannot be resolved."],
]);

/** Returns why the platform's proxy responded instead of a web server, or `undefined` if a web server did. */
export function platformFailure(headers: Readonly<Record<string, string>>): string | undefined {
  if (headers[REFUSED_HEADER] !== undefined) return PLATFORM_NETWORK_POLICY;
  return UNRESOLVED_REASONS.get(headers[UNRESOLVED_HEADER]);
}

/** Advice for `ERR_INVALID_AUTH_CREDENTIALS`, by response status. */
const CREDENTIAL_ADVICE: Readonly<Record<number, string>> = {
  401: 'The server did not accept the username and password, or none were given. Put them into the URL: https://user:password@host.',
  407: 'The proxy did not accept the username and password, or none were given. Set both in `localBrowserLaunchOptions.proxy`.',
};

interface NavigationFailure {
  /** The browser's code, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly errorText: string;
  readonly url: string;
  /** HTTP status of the last response, if there was one. */
  readonly status: number | undefined;
  /** True if a platform provides the browser. */
  readonly isRented: boolean;
}

export function adviceFor({ errorText, url, status = 0, isRented }: NavigationFailure): string {
  const [scheme = ''] = SCHEME.exec(url) ?? [];
  if (errorText.includes('ERR_ABORTED') && !mayBringDocument(url.trim()))
    return `The browser cannot open ${scheme.trim()} URLs as a page. Use an http(s), file or data URL.`;
  if (errorText.includes('ERR_INVALID_AUTH_CREDENTIALS'))
    return CREDENTIAL_ADVICE[status] ?? 'The server did not accept the username and password, or none were given.';
  if (isRented && errorText.includes('ERR_TUNNEL_CONNECTION_FAILED'))
    return `The host name cannot be resolved, no server responded, or ${PLATFORM_NETWORK_POLICY}`;
  return (
    ADVICE.find(([code]) => errorText.includes(code))?.[1] ??
    'Check the URL, and whether the browser can reach the server.'
  );
}

/** Formats a URL for messages and logs: without its password, and shortened. */
export function printedUrl(url: string): string {
  return shorten(withoutPassword(url));
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#@:]*):[^/?#@]*@/i, '$1:***@');
}
