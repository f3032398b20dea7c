import { DriverDomainPolicyError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';

/** A parsed entry of a domain policy. */
export interface HostRule {
  /** The entry as the user wrote it. */
  readonly entry: string;
  /** Normalized host name or IP address. `''` matches any host. */
  readonly host: string;
  /** True if the rule matches subdomains of `host` and not `host` itself. */
  readonly isWildcard: boolean;
  /** Undefined for every port. */
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
 * Parses an entry: `example.com`, `*.example.com`, `localhost`, `10.0.0.1`, `[::1]` or `*`, each with an optional
 * `:port`.
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

/** True if the rule matches the URL's host and port. */
export function fitsRule({ host, isWildcard, port }: HostRule, url: URL): boolean {
  if (port !== undefined && port !== (url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port))) return false;
  if (host === '') return true;
  const name = withoutFinalDot(url.hostname.toLowerCase());
  return isWildcard ? name.endsWith(`.${host}`) : fitsHost(host, name);
}

/** Prefixes of IPv6 addresses that end in an IPv4 address: IPv4-mapped, IPv4-translated, NAT64 (RFC 6052, RFC 8215), IPv4-compatible. */
const CARRIERS = ['::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '::'];
/** 6to4 addresses have an IPv4 address after this prefix, and the network behind it after that. */
const SIX_TO_FOUR = '2002:';
const CARRIED = new RegExp(
  String.raw`^\[(?:(?:${CARRIERS.join('|')})([\da-f]{1,4}):([\da-f]{1,4})|${SIX_TO_FOUR}([\da-f]{1,4}):([\da-f]{1,4}):[\da-f:]+)\]$`,
);

/** All names and addresses of this machine that browsers never look up elsewhere. */
const LOOPBACK: readonly Pick<HostRule, 'host' | 'isWildcard'>[] = [
  ...['127.*', '0.0.0.0', '[::1]', '[::]', '[::ffff:0:0]', 'localhost'].map((host) => ({ host, isWildcard: false })),
  ...[...CARRIERS, SIX_TO_FOUR].map((carrier) => ({ host: `[${carrier}7f*]`, isWildcard: false })),
  { host: 'localhost', isWildcard: true },
];

/**
 * Returns a rule for every notation of the address: IPv4 addresses can be embedded in IPv6 addresses, and this machine
 * has many names. Other names have one notation.
 */
export function spellingsOf(rule: HostRule): readonly HostRule[] {
  const { host } = rule;
  const isThisMachine = LOOPBACK.some((one) => !one.isWildcard && host !== 'localhost' && fitsHost(one.host, host));
  const spellings = [
    ...twinsOf(host).map((twin) => ({ host: twin, isWildcard: false })),
    ...(isThisMachine ? LOOPBACK : []),
  ];
  return [rule, ...spellings.map((spelling) => ({ ...rule, ...spelling }))];
}

const IPV4 = /^\d+(\.\d+){3}$/;
/** A pattern for all addresses with a common prefix. */
const PREFIX = /^(?<start>\[?[\da-f.:]+)\*\]?$/;

/** True for an IP address or a prefix of addresses, false for a name. */
export function isAddressRule({ host }: HostRule): boolean {
  return host.startsWith('[') || IPV4.test(host) || PREFIX.test(host);
}

/** True if a host equals the pattern, or starts with it if the pattern ends in `*`. */
function fitsHost(pattern: string, host: string): boolean {
  const { start } = PREFIX.exec(pattern)?.groups ?? {};
  if (start === undefined) return pattern === host;
  return (host.startsWith('[') || IPV4.test(host)) && host.startsWith(start);
}

/** Other notations of an address. */
function twinsOf(host: string): string[] {
  const four = IPV4.test(host) ? host : carriedIn(host);
  if (four === undefined) return [];
  const carried = CARRIERS.map((carrier) => new URL(`http://[${carrier}${four}]/`).hostname);
  const [, high = '', low = ''] = CARRIED.exec(carried[0] ?? '') ?? [];
  const forms = [four, ...carried, `[${SIX_TO_FOUR}${high}:${low}:*]`];
  return forms.filter((form) => form !== host);
}

/** Returns the IPv4 address inside an IPv6 address, or `undefined`. */
function carriedIn(host: string): string | undefined {
  const halves = CARRIED.exec(host)?.slice(1).filter(Boolean);
  return halves
    ?.map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}

/** Intersection of two rules. `undefined` if they have no host in common. */
export function commonRule(a: HostRule, b: HostRule): HostRule | undefined {
  if (a.port !== undefined && b.port !== undefined && a.port !== b.port) return undefined;
  const narrower = isWithin(a, b) ? a : isWithin(b, a) ? b : undefined;
  return narrower && { ...narrower, port: a.port ?? b.port };
}

/** True if `outer` matches every host that `inner` matches. */
function isWithin(inner: HostRule, outer: HostRule): boolean {
  if (outer.host === '') return true;
  if (!outer.isWildcard) return !inner.isWildcard && fitsHost(outer.host, inner.host);
  return inner.host.endsWith(`.${outer.host}`) || (inner.isWildcard && inner.host === outer.host);
}

/** The rule as URL patterns, which the browser's network service matches. */
export function urlPatternsOf({ host, isWildcard, port }: HostRule): string[] {
  const hosts = host === '' ? ['*'] : hostPatterns(isWildcard ? `*.${host}` : host);
  if (port === undefined) return hosts.map((pattern) => `*://${pattern}:*/*`);
  const schemes = Object.keys(DEFAULT_PORTS).filter((scheme) => DEFAULT_PORTS[scheme] === port);
  return hosts.flatMap((pattern) => [
    `*://${pattern}:${port}/*`,
    // URLs omit the default port of a scheme, so the pattern must too.
    ...schemes.map((scheme) => `${scheme}//${pattern}/*`),
  ]);
}

/** The rule in the syntax of `--host-resolver-rules`. */
export function resolverPatternsOf({ host, isWildcard, port }: HostRule): string[] {
  if (host === '') return [port === undefined ? '*' : `*:${port}`];
  // The resolver expects brackets around an IPv6 address only if a port follows.
  if (host.startsWith('[')) return [port === undefined ? host.slice(1, -1) : `${host}:${port}`];
  const name = isWildcard ? `*.${host}` : host;
  const names = /^[\d.]+$/.test(host) ? [name] : [name, `${name}.`];
  return names.map((one) => (port === undefined ? one : `${one}:${port}`));
}

/** The rule as CSP sources. CSP cannot express IPv6 addresses. */
export function socketSourcesOf({ host, isWildcard, port }: HostRule): string[] {
  if (host.startsWith('[')) return [];
  const name = isWildcard ? `*.${host}` : host;
  return ['ws', 'wss'].map((scheme) => `${scheme}://${name}:${port ?? '*'}`);
}

/** A Fetch pattern that covers at least the rule's URLs. */
export function fetchPatternOf({ host }: HostRule): string {
  return host === '' ? '*' : `*${host}*`;
}

/** A trailing dot means the same host. An unescaped colon would start a group. */
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
