import { DriverDomainPolicyError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';

export interface HostRule {
  readonly entry: string;
  /** Normalized host name, IP address or address pattern such as `127.*`. `''` for `*`, which matches every host. */
  readonly host: string;
  /** True for `*.example.com`, which matches subdomains but not `example.com`. */
  readonly isWildcard: boolean;
  /** `undefined` matches every port. */
  readonly port: number | undefined;
}

const ENTRY = /^(?<star>\*\.)?(?<host>\[[^\]]*\]|[^\s:/?#@[\]\\*%]+|\*)(?::(?<port>\d{1,5}))?$/;
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'ws:': 80,
  'https:': 443,
  'wss:': 443,
  'ftp:': 21,
};

/**
 * Parses `example.com`, `*.example.com`, `localhost`, `10.0.0.1`, `[::1]` or `*`, each with an optional `:port`.
 * @throws DriverDomainPolicyError if the entry is invalid. `argument` is its name in the message.
 */
export function parseHostRule(argument: string, entry: unknown): HostRule {
  if (typeof entry !== 'string') throw badEntry(argument, entry);
  const { star, host = '', port } = ENTRY.exec(entry.trim())?.groups ?? {};
  const isAny = host === '*';
  const name = isAny ? '' : canonicalHost(host);
  const isAddress = name !== undefined && /^\[|^[\d.]+$/.test(name);
  if (name === undefined || Number(port) > 65_535 || (star !== undefined && (isAny || isAddress)))
    throw badEntry(argument, entry);
  return { entry, host: name, isWildcard: star !== undefined, port: port === undefined ? undefined : Number(port) };
}

export function fitsRule({ host, isWildcard, port }: HostRule, url: URL): boolean {
  if (port !== undefined && port !== (url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port))) return false;
  if (host === '') return true;
  const name = withoutFinalDot(url.hostname.toLowerCase());
  return isWildcard ? name.endsWith(`.${host}`) : fitsHost(host, name);
}

/**
 * Prefixes of IPv6 addresses that contain an IPv4 address: IPv4-mapped, IPv4-translated, NAT64 (RFC 6052, RFC 8215),
 * IPv4-compatible.
 */
const EMBEDDING_PREFIXES = ['::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '::'];
/** In a 6to4 address, this prefix is followed by an IPv4 address, and then by the network behind it. */
const SIX_TO_FOUR = '2002:';
const EMBEDDED_IPV4 = new RegExp(
  String.raw`^\[(?:(?:${EMBEDDING_PREFIXES.join('|')})([\da-f]{1,4}):([\da-f]{1,4})|${SIX_TO_FOUR}([\da-f]{1,4}):([\da-f]{1,4}):[\da-f:]+)\]$`,
);

/** All names and addresses that browsers always connect to this machine. */
const LOOPBACK: readonly Pick<HostRule, 'host' | 'isWildcard'>[] = [
  ...['127.*', '0.0.0.0', '[::1]', '[::]', '[::ffff:0:0]', 'localhost'].map((host) => ({ host, isWildcard: false })),
  ...[...EMBEDDING_PREFIXES, SIX_TO_FOUR].map((prefix) => ({ host: `[${prefix}7f*]`, isWildcard: false })),
  { host: 'localhost', isWildcard: true },
];

/**
 * Returns the rule in every notation of its host. IPv4 addresses can be embedded in IPv6 addresses, and the local
 * machine has many names. Other names have one notation.
 */
export function spellingsOf(rule: HostRule): readonly HostRule[] {
  const { host } = rule;
  const isThisMachine = LOOPBACK.some((one) => !one.isWildcard && host !== 'localhost' && fitsHost(one.host, host));
  const spellings = [
    ...otherNotationsOf(host).map((notation) => ({ host: notation, isWildcard: false })),
    ...(isThisMachine ? LOOPBACK : []),
  ];
  return [rule, ...spellings.map((spelling) => ({ ...rule, ...spelling }))];
}

const IPV4 = /^\d+(\.\d+){3}$/;
/** A pattern for all addresses with one prefix, such as `127.*`. */
const PREFIX = /^(?<start>\[?[\da-f.:]+)\*\]?$/;

/** False for host names. */
export function isAddressRule({ host }: HostRule): boolean {
  return host.startsWith('[') || IPV4.test(host) || PREFIX.test(host);
}

/** True if the host equals the pattern, or starts with it if the pattern ends in `*`. */
function fitsHost(pattern: string, host: string): boolean {
  const { start } = PREFIX.exec(pattern)?.groups ?? {};
  if (start === undefined) return pattern === host;
  return (host.startsWith('[') || IPV4.test(host)) && host.startsWith(start);
}

function otherNotationsOf(host: string): string[] {
  const ipv4 = IPV4.test(host) ? host : embeddedIPv4(host);
  if (ipv4 === undefined) return [];
  const embedded = EMBEDDING_PREFIXES.map((prefix) => new URL(`http://[${prefix}${ipv4}]/`).hostname);
  const [, high = '', low = ''] = EMBEDDED_IPV4.exec(embedded[0] ?? '') ?? [];
  const forms = [ipv4, ...embedded, `[${SIX_TO_FOUR}${high}:${low}:*]`];
  return forms.filter((form) => form !== host);
}

function embeddedIPv4(host: string): string | undefined {
  const halves = EMBEDDED_IPV4.exec(host)?.slice(1).filter(Boolean);
  return halves
    ?.map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}

/** Returns the rule for the hosts that both match. `undefined` if there are none. */
export function commonRule(a: HostRule, b: HostRule): HostRule | undefined {
  if (a.port !== undefined && b.port !== undefined && a.port !== b.port) return undefined;
  const narrower = isWithin(a, b) ? a : isWithin(b, a) ? b : undefined;
  return narrower && { ...narrower, port: a.port ?? b.port };
}

function isWithin(inner: HostRule, outer: HostRule): boolean {
  if (outer.host === '') return true;
  if (!outer.isWildcard) return !inner.isWildcard && fitsHost(outer.host, inner.host);
  return inner.host.endsWith(`.${outer.host}`) || (inner.isWildcard && inner.host === outer.host);
}

/** Returns URL patterns for `Network.emulateNetworkConditionsByRule`. */
export function urlPatternsOf({ host, isWildcard, port }: HostRule): string[] {
  const hosts = host === '' ? ['*'] : hostPatterns(isWildcard ? `*.${host}` : host);
  if (port === undefined) return hosts.map((pattern) => `*://${pattern}:*/*`);
  const schemes = Object.keys(DEFAULT_PORTS).filter((scheme) => DEFAULT_PORTS[scheme] === port);
  return hosts.flatMap((pattern) => [
    `*://${pattern}:${port}/*`,
    // In a URL, the default port is omitted.
    ...schemes.map((scheme) => `${scheme}//${pattern}/*`),
  ]);
}

export function resolverPatternsOf({ host, isWildcard, port }: HostRule): string[] {
  if (host === '') return [port === undefined ? '*' : `*:${port}`];
  // The resolver expects the brackets of an IPv6 address only before a port.
  if (host.startsWith('[')) return [port === undefined ? host.slice(1, -1) : `${host}:${port}`];
  const name = isWildcard ? `*.${host}` : host;
  const names = /^[\d.]+$/.test(host) ? [name] : [name, `${name}.`];
  return names.map((one) => (port === undefined ? one : `${one}:${port}`));
}

/** Empty for IPv6 addresses, which CSP cannot express. */
export function socketSourcesOf({ host, isWildcard, port }: HostRule): string[] {
  if (host.startsWith('[')) return [];
  const name = isWildcard ? `*.${host}` : host;
  return ['ws', 'wss'].map((scheme) => `${scheme}://${name}:${port ?? '*'}`);
}

/** A pattern for `Fetch.enable` that covers at least the rule's URLs. */
export function fetchPatternOf({ host }: HostRule): string {
  return host === '' ? '*' : `*${host}*`;
}

/** `example.com.` is the same host as `example.com`. An unescaped colon would start a group in the pattern. */
function hostPatterns(host: string): string[] {
  return host.startsWith('[') ? [host.replaceAll(':', String.raw`\:`)] : [host, `${host}.`];
}

function canonicalHost(host: string): string | undefined {
  const address = `http://${host}/`;
  if (host === '' || !URL.canParse(address)) return undefined;
  return withoutFinalDot(new URL(address).hostname) || undefined;
}

function withoutFinalDot(host: string): string {
  return host.replace(/\.+$/, '');
}

function badEntry(argument: string, entry: unknown): DriverDomainPolicyError {
  const guess = typeof entry === 'string' ? hostOfAddress(entry.trim()) : undefined;
  return new DriverDomainPolicyError(
    `${argument} must be a host such as "example.com", "*.example.com", "localhost:3000", "10.0.0.1", "[::1]" or "*". Received ${describeValue(entry)}.${guess === undefined ? '' : ` Did you mean "${guess}"?`}`,
  );
}

function hostOfAddress(entry: string): string | undefined {
  const address = /^[a-z]+:\/\//i.test(entry) ? entry : `http://${entry}`;
  return URL.canParse(address) && !/[*\s]/.test(entry) ? new URL(address).host || undefined : undefined;
}
