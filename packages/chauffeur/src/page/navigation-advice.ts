import { DriverNavigationError } from '../errors.ts';

/** Addresses that only look whole to the URL standard, which takes a host before a port for a scheme. */
const HOST_AND_PORT = /^[\w.-]+:\d+(\/|$)/;

/** The address as it is when a browser can open it; throws when it is not whole or not for opening. */
export function validAddress(url: string): string {
  const isWhole = URL.canParse(url) && !HOST_AND_PORT.test(url);
  if (!isWhole) {
    const guess = /^[\w.-]+(:\d+)?(\/|$)/.test(url) ? ` Did you mean ${guessScheme(url)}://${url}?` : '';
    throw new DriverNavigationError(
      `${JSON.stringify(url)} is not a whole address; it needs a scheme such as https://.${guess}`,
      { url },
    );
  }
  if (/^javascript:/i.test(url))
    throw new DriverNavigationError('A javascript: address is not opened but run: use page.evaluate() for that.', {
      url,
    });
  return url;
}

function guessScheme(url: string): string {
  return /^(localhost|127\.|\[)/.test(url) ? 'http' : 'https';
}

const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  ['ERR_NAME_NOT_RESOLVED', 'The host name is not known here.'],
  ['ERR_CONNECTION_REFUSED', 'Nothing listens at that address; is the server running?'],
  ['ERR_EMPTY_RESPONSE', 'The server closed the connection without an answer.'],
  ['ERR_CONTENT_LENGTH_MISMATCH', 'The server broke off in the middle of its answer.'],
  ['ERR_INCOMPLETE_CHUNKED_ENCODING', 'The server broke off in the middle of its answer.'],
  ['ERR_CONNECTION_RESET', 'The server broke off the connection.'],
  ['ERR_SSL_PROTOCOL_ERROR', 'The server does not speak TLS there; is the address to be http://?'],
  ['ERR_CERT', 'Its certificate is not trusted; `ignoreHTTPSErrors` in `localBrowserLaunchOptions` accepts it.'],
  ['ERR_TOO_MANY_REDIRECTS', 'It redirects in a circle; a cookie that the site expects may be missing.'],
  ['ERR_FILE_NOT_FOUND', 'There is no such file on the machine that the browser runs on.'],
  ['ERR_UNSAFE_PORT', 'Browsers refuse this port; use another.'],
  ['ERR_BLOCKED_BY_CLIENT', 'A route or the domain policy does not let it through.'],
  ['ERR_INVALID_AUTH_CREDENTIALS', 'The proxy does not take the username and password, or none were given.'],
  ['ERR_SOCKS', 'The proxy of `localBrowserLaunchOptions` does not lead there.'],
  ['ERR_PROXY', 'The proxy of `localBrowserLaunchOptions` cannot be used.'],
  ['ERR_INTERNET_DISCONNECTED', 'This machine has no network.'],
  [
    'ERR_ABORTED',
    'The navigation was cancelled, as by a download, an answer without content (204) or a newer navigation.',
  ],
];

/** What to do about one of the browser's reasons for not opening an address. */
export function adviceFor(errorText: string): string {
  return ADVICE.find(([code]) => errorText.includes(code))?.[1] ?? "The text after net:: is the browser's own reason.";
}
