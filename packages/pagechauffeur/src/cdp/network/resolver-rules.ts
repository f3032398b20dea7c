import { type HostRule, resolverPatternsOf } from './host-rule.ts';

/** What a host is mapped to that must not be found. */
const NOWHERE = '^NOTFOUND';

/** Which hosts a resolver may find. */
interface Findable {
  /** Only these, none of which means any host; undefined for all. */
  readonly allowed: readonly HostRule[] | undefined;
  readonly blocked: readonly HostRule[];
  /** To be found whatever else is said. */
  readonly proxy: HostRule | undefined;
}

/**
 * Rules by which a browser's resolver finds no host that is refused, whatever asks for it, as `--host-resolver-rules` takes
 * them: the first that fits decides, but an exclusion goes before all. Undefined when every host may be found.
 *
 * A name that is mapped to itself is found as ever. Of all names below a domain that cannot be said; they are excluded,
 * whatever their port, and with them those that are blocked.
 */
export function resolverRules({ allowed, blocked, proxy }: Findable): string | undefined {
  const refusals = blocked.flatMap(resolverPatternsOf).map((pattern) => `MAP ${pattern} ${NOWHERE}`);
  const permissions = allowed && [...allowed.flatMap(permissionsOf), `MAP * ${NOWHERE}`];
  const rules = [...refusals, ...(permissions ?? [])];
  if (rules.length === 0) return undefined;
  return [...(proxy ? permissionsOf({ ...proxy, port: undefined }) : []), ...rules].join(', ');
}

function permissionsOf(rule: HostRule): string[] {
  if (rule.isWildcard) return resolverPatternsOf({ ...rule, port: undefined }).map((pattern) => `EXCLUDE ${pattern}`);
  return resolverPatternsOf(rule).map((pattern) => `MAP ${pattern} ${hostIn(pattern, rule)}`);
}

function hostIn(pattern: string, { host }: HostRule): string {
  return host.startsWith('[') ? host : pattern.replace(/:\d+$/, '');
}
