import { getDomain, parse } from 'tldts';
import { DriverInvalidArgumentError, DriverVariableOriginError } from '../errors.ts';
import type { DocumentOrigin } from '../injected/contract.ts';
import { checkStrings } from '../util/check-argument.ts';
import { placeholderOf } from '../util/placeholders.ts';
import { wordsIn } from './words.ts';

/** Restricts a variable's value to documents and URLs of certain origins. */
export interface VariableBinding {
  /** In the format of the option `origins`. A variable without a known site has `[]` until its value is first typed. */
  readonly origins: readonly string[];
  /** Throws a `DriverVariableOriginError` if the value must not be typed into this document. */
  checkDocument(document: DocumentOrigin): void;
  /** True if the value may be part of this URL. */
  allowsAddress(address: string): boolean;
}

/** For example `https://shop.example`, `https://*.shop.example`, `http://localhost:*`. */
const ORIGIN = /^(https?):\/\/(\*\.)?(\[[\da-f:.]+\]|[^\s/?#@:*\\]+)(?::(\d+|\*))?\/?$/i;
const WEB = /^https?:$/;

/** Validates and normalizes origins. */
export function readOrigins(argument: string, origins: unknown): readonly string[] {
  checkStrings(argument, origins);
  if (origins.length === 0) throw notAnOrigin(argument, 'The list is empty.');
  return origins.map((origin) => readOrigin(argument, origin));
}

function readOrigin(argument: string, origin: string): string {
  const [, scheme = '', wildcard = '', host = '', port = ''] = ORIGIN.exec(origin) ?? [];
  const address = `${scheme}://${host}${port === '' || port === '*' ? '' : `:${port}`}`;
  if (!URL.canParse(address)) throw notAnOrigin(argument, `Received ${JSON.stringify(origin)}.`);
  const url = new URL(address);
  if (wildcard !== '' && isPublicSuffix(url.hostname))
    throw notAnOrigin(argument, `The sites of ${JSON.stringify(origin)} belong to different owners.`);
  return `${url.protocol}//${wildcard}${url.host}${port === '*' ? ':*' : ''}`;
}

function notAnOrigin(argument: string, received: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `\`${argument}\` must be a list of origins such as 'https://shop.example' or 'https://*.shop.example': http or https, a host, and no path. ${received}`,
    { argument },
  );
}

/** Counts hosting domains such as `github.io` as public suffixes, too. */
const SUFFIXES = { allowPrivateDomains: true } as const;

/** Returns the registrable domain of a host, or the host itself for an IP address and `localhost`. */
function siteHostOf(hostname: string): string {
  return getDomain(hostname, SUFFIXES) ?? hostname;
}

/** True for public suffixes such as `co.uk`, under which anyone can register a site. */
function isPublicSuffix(hostname: string): boolean {
  const { domain, isIcann, isPrivate } = parse(hostname, SUFFIXES);
  return domain === null && (isIcann === true || isPrivate === true);
}

/**
 * Returns scheme and registrable domain of an http(s) URL: `https://shop.example`. Returns `undefined` for other URLs,
 * which match nothing.
 */
export function siteOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  return WEB.test(protocol) && hostname !== '' ? `${protocol}//${siteHostOf(hostname)}` : undefined;
}

/** Words before the name of a site: "on Wikipedia". */
const AT = '(?:on|at|to|from|open|visit|search|browse|auf|bei|von|offne|sur|ouvre|en|abre|su|apri)';

/**
 * True if a sentence contains the host of a URL or the name of its site: "search Wikipedia" names
 * `https://en.wikipedia.org`.
 */
export function namesSite(sentence: string, address: string): boolean {
  const site = siteOf(address);
  if (site === undefined) return false;
  const { hostname } = new URL(site);
  const isAddress = addressesIn(sentence).some((named) => {
    const other = siteOf(named);
    return other !== undefined && new URL(other).hostname === hostname;
  });
  const name = wordsIn(parse(hostname, SUFFIXES).domainWithoutSuffix ?? '').join(' ');
  return isAddress || (name !== '' && new RegExp(`(?:^| )${AT} ${name}(?: |$)`).test(wordsIn(sentence).join(' ')));
}

export function bindToOrigins(name: string, origins: readonly string[]): VariableBinding {
  return new Binding(name, originsRule(origins));
}

/** Returns a check that throws unless the document has one of these origins. */
export function documentCheck(origins: readonly string[]): (document: DocumentOrigin) => void {
  const known = readOrigins('origins', origins);
  const binding = new Binding(undefined, originsRule(known));
  return (document) => binding.checkDocument(document);
}

function originsRule(origins: readonly string[]): OriginRule {
  return { origins, isOf: (address) => origins.some((origin) => matches(address, origin)) };
}

function matches(address: string, origin: string): boolean {
  const [, scheme = '', wildcard = '', host = '', port = ''] = ORIGIN.exec(origin) ?? [];
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.protocol !== `${scheme}:`) return false;
  if (port !== '*' && url.port !== new URL(`${scheme}://${host}${port === '' ? '' : `:${port}`}`).port) return false;
  return wildcard === '' ? url.hostname === host : url.hostname.endsWith(`.${host}`);
}

/** Where the sites of an agent's sensitive variables come from if they have no `origins`. */
export interface AgentOrigins {
  /** The task, with values for all variables that are not sensitive. */
  readonly instruction: string;
  /** URL of the page that the agent starts on. */
  readonly startUrl: string;
}

/**
 * Binds a sensitive variable to the sites in the instruction, else to the site of the start page, else to the first
 * site where it is typed.
 */
export function bindToSites(name: string, { instruction, startUrl }: AgentOrigins): VariableBinding {
  const named = addressesIn(instruction).flatMap((address) => siteOf(address) ?? []);
  const start = siteOf(startUrl);
  return new Binding(name, sitesRule(named.length === 0 && start !== undefined ? [start] : named));
}

/** Also allows https for an http site, because http sites redirect to https. The reverse is not allowed. */
function sitesRule(sites: readonly string[]): OriginRule {
  const all = new Set(sites.flatMap((site) => [site, site.replace(/^http:/, 'https:')]));
  const isOf = (address: string): boolean => all.has(siteOf(address) ?? '');
  return { isOf, origins: [...all].flatMap(originsOfSite) };
}

/** Converts a site to the format of the option `origins`. */
function originsOfSite(site: string): readonly string[] {
  const { hostname } = new URL(site);
  const hasNoDomain = getDomain(hostname, SUFFIXES) === null;
  return hasNoDomain ? [`${site}:*`] : [site, site.replace('://', '://*.')];
}

const ADDRESS = /\bhttps?:\/\/[^\s"'<>(){}|\\^`«»„“”‘’]+/giu;
/** A host, as in `www.shop.example/login`, but not in an email address or a path. */
const HOST =
  /(?<![\p{L}\p{N}@./_%-])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}|localhost|(?:\d{1,3}\.){3}\d{1,3})(?::\d+)?(?![\p{L}\p{N}@_-])/giu;
/** File extensions that are also top-level domains. */
const FILE_ENDINGS = /\.(?:ai|app|cc|dev|md|mov|mp|pl|pm|ps|py|rs|sh|so|st|zip)$/i;

/** Top-level domains that are reserved for documentation and tests (RFC 2606). */
const RESERVED = /\.(?:example|test|localhost)$/i;

/** A bare host means https. For `localhost` and IP addresses, http is allowed, too. */
function addressesIn(sentence: string): readonly string[] {
  const whole = sentence.match(ADDRESS) ?? [];
  const bare = [...sentence.replaceAll(ADDRESS, ' ').matchAll(HOST)].flatMap(([, host = '']) => {
    if (/^localhost$|^[\d.]+$/i.test(host)) return [`http://${host}`];
    return isHostName(host) ? [`https://${host}`] : [];
  });
  return [...whole, ...bare];
}

function isHostName(word: string): boolean {
  const { domain, isIcann } = parse(word);
  const isKnown = domain !== null && (isIcann === true || RESERVED.test(word));
  return isKnown && (/^www\./i.test(word) || !FILE_ENDINGS.test(word));
}

interface OriginRule {
  readonly origins: readonly string[];
  readonly isOf: (address: string) => boolean;
}

class Binding implements VariableBinding {
  /** Undefined for text that is not a variable. */
  readonly #name: string | undefined;
  #rule: OriginRule;

  constructor(name: string | undefined, rule: OriginRule) {
    this.#name = name;
    this.#rule = rule;
  }

  get origins(): readonly string[] {
    return this.#rule.origins;
  }

  checkDocument({ origin, top }: DocumentOrigin): void {
    const site = siteOf(origin);
    // Binds to the site of the page. A frame from another site could belong to anyone.
    if (this.origins.length === 0 && site !== undefined && siteOf(top) === site) this.#rule = sitesRule([site]);
    if (!this.#rule.isOf(origin)) throw this.#refusal(origin, site !== undefined);
  }

  allowsAddress(address: string): boolean {
    return siteOf(address) !== undefined && this.#rule.isOf(address);
  }

  #refusal(origin: string, isOfWeb: boolean): DriverVariableOriginError {
    const value = this.#name === undefined ? 'the text' : placeholderOf(this.#name);
    const bound = this.origins.length === 0 ? 'the site of the page' : this.origins.join(', ');
    const message = isOfWeb
      ? `Cannot type ${value}: the element is in a document of ${origin}, and ${value} is bound to ${bound}. If this document may receive the value, add its origin: ${this.#lineToAdd(origin)}`
      : `Cannot type ${value}: the element is in a document without its own origin (about:, data:, file: or a sandboxed frame), and ${value} is bound to ${bound}. Open the page by its http(s) address.`;
    return new DriverVariableOriginError(message, { variable: this.#name, origin, origins: this.origins });
  }

  #lineToAdd(origin: string): string {
    const list = `origins: [${[...this.origins, origin].map((each) => `'${each}'`).join(', ')}]`;
    if (this.#name === undefined) return list;
    const key = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(this.#name) ? this.#name : JSON.stringify(this.#name);
    return `variables: { ${key}: { value, ${list} } }`;
  }
}

/** Words that make a name sensitive: `cardNumber`, `user_password`. */
const SENSITIVE_WORDS: ReadonlySet<string> = new Set([
  ...['password', 'passwords', 'passwort', 'kennwort', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode'],
  ...['secret', 'secrets', 'token', 'tokens', 'credential', 'credentials', 'apikey', 'bearer'],
  ...['otp', 'totp', 'hotp', 'mfa', '2fa', 'tan', 'pin', 'puk'],
  ...['card', 'cards', 'creditcard', 'cvv', 'cvc', 'csc', 'iban', 'ssn'],
]);
/** The same for names without separators: `mypassword`. */
const SENSITIVE_PARTS = /password|passwort|passphrase|secret|creditcard|cardnumber|apikey/;
/** Words that are sensitive only together: "api key". */
const SENSITIVE_PAIRS =
  /\b(?:(?:api|private|access|secret|signing|encryption|recovery|backup) (?:key|code)s?|(?:security|verification|auth|login|sms|one time|onetime) codes?)\b/;

/** True if a variable with this name probably contains a secret. */
export function isSensitiveName(name: string): boolean {
  const words = name
    .normalize('NFKC')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const bare = words.replaceAll(' ', '');
  const isWord = words
    .split(' ')
    .some((word) => SENSITIVE_WORDS.has(word.replace(/\d+$/, '')) || SENSITIVE_WORDS.has(word));
  return isWord || SENSITIVE_PARTS.test(bare) || SENSITIVE_PAIRS.test(words);
}
