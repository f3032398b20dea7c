import type { Protocol } from 'devtools-protocol';
import { DriverDomainPolicyError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { INNER_SCHEMES, parsedAddress } from '../address-schemes.ts';
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

/** Which hosts pages may send requests to. */
export interface DomainRules {
  /** Only these hosts; an empty list refuses all. Without it every host that is not blocked. */
  readonly allowedDomains?: readonly string[];
  /** Never these hosts, also when `allowedDomains` names them. */
  readonly blockedDomains?: readonly string[];
}

/** Judges addresses by the hosts that are allowed and blocked; what is in doubt is refused. */
export class DomainPolicy {
  readonly rules: DomainRules;
  readonly #allowed: readonly HostRule[] | undefined;
  readonly #blocked: readonly HostRule[];

  /**
   * Checks and reads the rules; a bad one is a `DriverDomainPolicyError`. Within bounds they allow what the bounds allow
   * too and nothing else; an allowed host that lies outside is an error.
   */
  constructor(rules: DomainRules, bounds?: DomainPolicy) {
    if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
      throw new DriverDomainPolicyError(
        `A domain policy must be an object with allowedDomains or blockedDomains, or null; it is ${describeValue(rules)}.`,
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

  /** Whether a request to this address must not leave. */
  refuses(address: string): boolean {
    const url = parsedAddress(address);
    if (!url) return true;
    if (INNER_SCHEMES.has(url.protocol)) return false;
    if (this.#blocked.some((rule) => fitsRule(rule, url))) return true;
    return this.#allowed !== undefined && !this.#allowed.some((rule) => fitsRule(rule, url));
  }

  /** The blocked IP addresses, in every form in which they can be written; names may lead to them. */
  get blockedAddresses(): readonly HostRule[] {
    return this.#blocked.filter(isAddressRule);
  }

  /** True if a name that resolves to this IP address is refused. */
  blocksAddress(address: string, port: number): boolean {
    const url = new URL(`http://${address.includes(':') ? `[${address.replace(/%.*/, '')}]` : address}:${port}/`);
    return this.blockedAddresses.some((rule) => fitsRule(rule, url));
  }

  /** Patterns that take in every address that may be refused, so that others need not be asked about. */
  get fetchPatterns(): readonly string[] {
    return this.#allowed ? ['*'] : this.#blocked.map(fetchPatternOf);
  }

  /** Whether all is refused but what is named. */
  get isClosed(): boolean {
    return this.#allowed !== undefined && !this.#allowed.some(({ host }) => host === '');
  }

  /**
   * What sockets may be opened, as sources of a content security policy, which knows no exceptions: where a part of what
   * is allowed is blocked, none of it. Undefined when all is allowed but what is named.
   */
  get socketSources(): string | undefined {
    if (!this.isClosed) return undefined;
    const isWhole = (rule: HostRule): boolean => this.#blocked.every((blocked) => !commonRule(rule, blocked));
    return (this.#allowed ?? []).filter(isWhole).flatMap(socketSourcesOf).join(' ');
  }

  /** The same rules for a browser's resolver, which has to find the proxy too; undefined when it may find every host. */
  resolverRules(proxy?: HostRule): string | undefined {
    const allowed = this.isClosed ? this.#allowed : undefined;
    return resolverRules({ allowed, blocked: this.#blocked, proxy });
  }

  /** The same rules for the browser's network service, which also judges WebSockets: the first that matches wins. */
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
  if (Array.isArray(entries)) return entries.map((entry, index) => parseHostRule(`${argument}[${index}]`, entry));
  throw new DriverDomainPolicyError(`${argument} must be an array of hosts; it is ${describeValue(entries)}.`);
}

/** What two lists allow together; one that is not there allows all. */
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
    `allowedDomains has ${JSON.stringify(entry)}, but the driver was made for ${entriesOf(bounds).join(', ') || 'no host at all'} only, and stays so until it is closed. Name it in the allowedDomains of the driver too, or give the driver none.`,
  );
}

function entriesOf(rules: readonly HostRule[]): readonly string[] {
  return Object.freeze(rules.map(({ entry }) => entry));
}
