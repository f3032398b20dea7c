import type { Protocol } from 'devtools-protocol';
import { DriverDomainPolicyError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { BROWSER_PAGE_SCHEMES, INNER_SCHEMES, parsedAddress } from '../address-schemes.ts';
import {
  commonRule,
  fetchPatternOf,
  fitsRule,
  isAddressRule,
  type HostRule,
  parseHostRule,
  socketSourcesOf,
  spellingsOf,
  urlPatternsOf,
} from './host-rule.ts';
import { resolverRules } from './resolver-rules.ts';

/** The hosts to which pages may send requests. */
export interface DomainRules {
  /** Allowed hosts. An empty list blocks all hosts. Default: all hosts that are not blocked. */
  readonly allowedDomains?: readonly string[];
  /** Blocked hosts. They take precedence over `allowedDomains`. */
  readonly blockedDomains?: readonly string[];
}

/** Decides which URLs pages may request. Blocks in case of doubt. */
export class DomainPolicy {
  readonly rules: DomainRules;
  readonly #allowed: readonly HostRule[] | undefined;
  readonly #blocked: readonly HostRule[];

  /**
   * With `bounds`, the policy allows only what both allow.
   * @throws DriverDomainPolicyError if a rule is invalid, or an allowed host is outside the bounds.
   */
  constructor(rules: DomainRules, bounds?: DomainPolicy) {
    if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
      throw new DriverDomainPolicyError(
        `A domain policy must be an object with allowedDomains or blockedDomains, or null. Received ${describeValue(rules)}.`,
      );
    }
    const allowed = readRules('allowedDomains', rules.allowedDomains);
    const blocked = readRules('blockedDomains', rules.blockedDomains);
    this.rules = {
      ...(allowed ? { allowedDomains: entriesOf(allowed) } : {}),
      ...(blocked ? { blockedDomains: entriesOf(blocked) } : {}),
    };
    this.#allowed = allowedByBoth(allowed, bounds && bounds.#allowed);
    this.#blocked = [...(blocked ?? []).flatMap(spellingsOf), ...(bounds ? bounds.#blocked : [])];
  }

  /** Also true for URLs that cannot be parsed. */
  refuses(address: string): boolean {
    const url = parsedAddress(address);
    if (!url) return true;
    if (INNER_SCHEMES.has(url.protocol)) return false;
    if (this.#blocked.some((rule) => fitsRule(rule, url))) return true;
    return this.#allowed !== undefined && !this.#allowed.some((rule) => fitsRule(rule, url));
  }

  /**
   * True if a page must not navigate to this URL. With an allow-list, this includes the browser's own pages, whose
   * subresources the policy does not check.
   */
  refusesPage(address: string): boolean {
    const scheme = parsedAddress(address)?.protocol ?? '';
    return this.refuses(address) || (this.isClosed && BROWSER_PAGE_SCHEMES.has(scheme));
  }

  /** Blocked IP addresses in every notation. Host names may resolve to them. */
  get blockedAddresses(): readonly HostRule[] {
    return this.#blocked.filter(isAddressRule);
  }

  /** True if the policy blocks host names that resolve to this address. */
  blocksAddress(address: string, port: number): boolean {
    const url = new URL(`http://${address.includes(':') ? `[${address.replace(/%.*/, '')}]` : address}:${port}/`);
    return this.blockedAddresses.some((rule) => fitsRule(rule, url));
  }

  /** Patterns for `Fetch.enable` that cover every URL that may be blocked. */
  get fetchPatterns(): readonly string[] {
    return this.#allowed ? ['*'] : this.#blocked.map(fetchPatternOf);
  }

  /** True if only listed hosts are allowed. */
  get isClosed(): boolean {
    return this.#allowed !== undefined && !this.#allowed.some(({ host }) => host === '');
  }

  /**
   * The allowed WebSocket hosts as CSP sources. CSP has no exceptions, so an allowed host is left out if part of it is
   * blocked. `undefined` unless {@link isClosed}.
   */
  get socketSources(): string | undefined {
    if (!this.isClosed) return undefined;
    const isWhole = (rule: HostRule): boolean => this.#blocked.every((blocked) => !commonRule(rule, blocked));
    return (this.#allowed ?? []).filter(isWhole).flatMap(socketSourcesOf).join(' ');
  }

  /**
   * Rules in the syntax of `--host-resolver-rules`. The proxy's host always resolves. `undefined` if every host may be
   * resolved.
   */
  resolverRules(proxy?: HostRule): string | undefined {
    const allowed = this.isClosed ? this.#allowed : undefined;
    return resolverRules({ allowed, blocked: this.#blocked, proxy });
  }

  /** Rules for the browser's network service, which also checks WebSockets. The first match wins. */
  get conditions(): readonly Protocol.Network.NetworkConditions[] {
    return [
      ...this.#blocked.flatMap((rule) => conditionsOf(urlPatternsOf(rule), true)),
      ...(this.#allowed ?? []).flatMap((rule) => conditionsOf(urlPatternsOf(rule), false)),
      ...(this.#allowed ? conditionsOf(['*://*:*/*'], true) : []),
    ];
  }
}

function conditionsOf(patterns: readonly string[], offline: boolean): Protocol.Network.NetworkConditions[] {
  return patterns.map((urlPattern) => ({
    urlPattern,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
    offline,
  }));
}

function readRules(argument: string, entries: unknown): readonly HostRule[] | undefined {
  if (entries === undefined) return undefined;
  if (Array.isArray(entries))
    return Array.from<unknown, HostRule>(entries, (entry, index) => parseHostRule(`${argument}[${index}]`, entry));
  throw new DriverDomainPolicyError(`${argument} must be an array of hosts. Received ${describeValue(entries)}.`);
}

function allowedByBoth(
  own: readonly HostRule[] | undefined,
  bounds: readonly HostRule[] | undefined,
): readonly HostRule[] | undefined {
  if (!own || !bounds) return own ?? bounds;
  return own.flatMap((rule) => {
    const common = bounds.map((bound) => commonRule(rule, bound)).filter((one) => one !== undefined);
    if (common.length === 0) throw outOfBounds(rule, bounds);
    return common;
  });
}

function outOfBounds({ entry }: HostRule, bounds: readonly HostRule[]): DriverDomainPolicyError {
  return new DriverDomainPolicyError(
    `allowedDomains has ${JSON.stringify(entry)}, but the driver allows only ${entriesOf(bounds).join(', ') || 'no host at all'} until it is closed. Add it to the driver's allowedDomains, or create the driver without allowedDomains.`,
  );
}

function entriesOf(rules: readonly HostRule[]): readonly string[] {
  return Object.freeze(rules.map(({ entry }) => entry));
}
