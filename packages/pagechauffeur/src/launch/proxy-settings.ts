import { DriverInvalidArgumentError } from '../errors.ts';
import { describeValue } from '../util/check-argument.ts';

/** Proxy server of a local browser. Credentials work with `http` and `https` proxies only. */
export interface ProxyOptions {
  /** `host:port` or a URL: `http://…`, `https://…`, `socks4://…`, `socks5://…`. */
  readonly server: string;
  /** Comma-separated hosts to connect to directly: `example.com, *.internal, 10.0.0.0/8`. */
  readonly bypass?: string;
  readonly username?: string;
  readonly password?: string;
}

/** A proxy in the syntax of Chromium's arguments. */
export interface ProxySettings {
  readonly server: string;
  readonly bypass?: string;
  /** Sent when the proxy requests authentication, because Chromium has no argument for credentials. */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const SERVER = /^(?:(?<scheme>[a-z][a-z\d]*):\/\/)?(?:(?<user>[^@/]*)@)?(?<host>[^@/\s]+)\/?$/i;
const SCHEMES: readonly string[] = ['http', 'https', 'socks', 'socks4', 'socks5'];

/**
 * Converts proxy options to Chromium's syntax.
 * @throws DriverInvalidArgumentError if `server` is not a supported URL, or the credentials cannot be used with it.
 */
export function proxySettings({ server, bypass, username, password }: ProxyOptions): ProxySettings {
  const { scheme = 'http', user, host } = SERVER.exec(server.trim())?.groups ?? {};
  if (host === undefined || !SCHEMES.includes(scheme.toLowerCase()))
    throw wrong(
      'server',
      `must be a URL such as "http://proxy:3128" or "socks5://proxy:1080". Received ${describeValue(server)}`,
    );
  const credentials = username === undefined ? credentialsIn(user) : { username, password: password ?? '' };
  if (password !== undefined && credentials === undefined)
    throw wrong('username', 'must be set together with the password');
  if (credentials && scheme.toLowerCase().startsWith('socks'))
    throw wrong(
      'username',
      'cannot be used with a SOCKS proxy: Chromium does not send credentials there. Use the proxy over HTTP, or allow this machine by its address',
    );
  return {
    server: `${scheme.toLowerCase()}://${host}`,
    ...(bypass === undefined ? {} : { bypass }),
    ...(credentials ? { credentials } : {}),
  };
}

function credentialsIn(user: string | undefined): ProxySettings['credentials'] {
  if (user === undefined || user === '') return undefined;
  const [username = '', ...rest] = user.split(':');
  return { username: decoded(username), password: decoded(rest.join(':')) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign without hex digits is a plain character.
    return text;
  }
}

function wrong(option: string, sentence: string): DriverInvalidArgumentError {
  const argument = `localBrowserLaunchOptions.proxy.${option}`;
  return new DriverInvalidArgumentError(`${argument} ${sentence}.`, { argument });
}
