import { DriverInvalidArgumentError } from '../errors.ts';
import { describeValue } from '../util/check-argument.ts';

/** A proxy as users name it. */
export interface ProxyOptions {
  /** `host:port` or an address: `http://…`, `https://…`, `socks4://…`, `socks5://…`. */
  readonly server: string;
  /** Hosts that are reached directly, with commas between them: `example.com, *.internal, 10.0.0.0/8`. */
  readonly bypass?: string;
  readonly username?: string;
  readonly password?: string;
}

/** A proxy as a browser takes it. */
export interface ProxySettings {
  readonly server: string;
  readonly bypass?: string;
  /** What the proxy asks for; the browser has no argument for it. */
  readonly credentials?: { readonly username: string; readonly password: string };
}

const SERVER = /^(?:(?<scheme>[a-z][a-z\d]*):\/\/)?(?:(?<user>[^@/]*)@)?(?<host>[^@/\s]+)\/?$/i;
const SCHEMES: readonly string[] = ['http', 'https', 'socks', 'socks4', 'socks5'];

/** Takes a proxy's options apart; one that no browser could use is a `DriverInvalidArgumentError`. */
export function proxySettings({ server, bypass, username, password }: ProxyOptions): ProxySettings {
  const { scheme = 'http', user, host } = SERVER.exec(server.trim())?.groups ?? {};
  if (host === undefined || !SCHEMES.includes(scheme.toLowerCase()))
    throw wrong(
      'server',
      `must be an address such as "http://proxy:3128" or "socks5://proxy:1080"; it is ${describeValue(server)}`,
    );
  const credentials = username === undefined ? credentialsIn(user) : { username, password: password ?? '' };
  if (password !== undefined && credentials === undefined)
    throw wrong('username', 'must be given together with the password');
  if (credentials && scheme.toLowerCase().startsWith('socks'))
    throw wrong(
      'username',
      'cannot be used with a SOCKS proxy, whose users Chromium cannot name. Use the proxy over HTTP, or let this machine in by its address',
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
    // A per cent sign that begins no code stands for itself.
    return text;
  }
}

function wrong(option: string, sentence: string): DriverInvalidArgumentError {
  const argument = `localBrowserLaunchOptions.proxy.${option}`;
  return new DriverInvalidArgumentError(`${argument} ${sentence}.`, { argument });
}
