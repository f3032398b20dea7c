import { type HostRule, resolverPatternsOf } from './host-rule.ts';

/** Chromium's replacement for a host that must not resolve. */
const NOT_FOUND = '^NOTFOUND';

interface ResolvableHosts {
  /** If set, only these hosts resolve. None of them is `*`. */
  readonly allowed: readonly HostRule[] | undefined;
  readonly blocked: readonly HostRule[];
  readonly proxy: HostRule | undefined;
}

/**
 * Returns rules in the syntax of `--host-resolver-rules` that make blocked hosts unresolvable. `undefined` if every
 * host may be resolved.
 *
 * The first matching `MAP` decides, after all `EXCLUDE`s. An allowed host is mapped to itself. That is not possible for
 * all subdomains of a domain, so these are excluded on every port, blocked ports included.
 */
export function resolverRules({ allowed, blocked, proxy }: ResolvableHosts): string | undefined {
  const refusals = blocked.flatMap(resolverPatternsOf).map((pattern) => `MAP ${pattern} ${NOT_FOUND}`);
  const permissions = allowed && [...allowed.flatMap(permissionsOf), `MAP * ${NOT_FOUND}`];
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
