import { type HostRule, resolverPatternsOf } from './host-rule.ts';

/** Target for hosts that must not resolve. */
const NOWHERE = '^NOTFOUND';

/** Hosts that the resolver may find. */
interface Findable {
  /** Only these, none of which matches any host. Undefined for all hosts. */
  readonly allowed: readonly HostRule[] | undefined;
  readonly blocked: readonly HostRule[];
  /** Always resolvable. */
  readonly proxy: HostRule | undefined;
}

/**
 * Returns rules in the syntax of `--host-resolver-rules` that make blocked hosts unresolvable. The first match decides,
 * but
 * exclusions come first. Undefined if every host may be resolved.
 *
 * A name that is mapped to itself resolves normally. This cannot be expressed for all subdomains of a domain; they are
 * excluded
 * on every port, including blocked ones.
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
