import { createHash } from 'node:crypto';
import { isRecord } from '../util/is-record.ts';

/**
 * Identifies a cache entry. Excludes the model, variable values and page content, so an entry survives changes to them.
 */
export interface CacheKey {
  readonly verb: 'act' | 'observe' | 'extract' | 'agent';
  /** The user's instruction, with unexpanded `%name%` placeholders. */
  readonly instruction: string;
  readonly url: string;
  /** Names only. An entry is shared by calls with different values. */
  readonly variables?: readonly string[];
  /** Other JSON input that changes the result, such as a selector or a schema. */
  readonly scope?: unknown;
}

/** Which query parameters of the page URL are part of the key: `all`, `none` or a list of names. */
export type CountedParameters = 'all' | 'none' | readonly string[];

/** Part of the file name, so that two versions of the library can share a folder. */
export const ENTRY_VERSION = 1;

/** Hex digits of the SHA-256 hash. 20 digits are 80 bits, enough to rule out collisions within a folder. */
const DIGITS = 20;

/** A {@link CacheKey} with sorted fields and a normalized URL. Equal keys serialize to the same JSON. */
export type NormalizedKey = Required<Omit<CacheKey, 'scope'>> & Pick<CacheKey, 'scope'>;

/**
 * Trims the instruction, normalizes the URL, and sorts variables and scope fields, so that equal calls get equal keys.
 */
export function normalizedKey(
  { verb, instruction, url, variables = [], scope }: CacheKey,
  counted: CountedParameters,
): NormalizedKey {
  return {
    verb,
    instruction: instruction.trim(),
    url: normalizedUrl(url, counted),
    variables: [...new Set(variables)].toSorted(),
    ...(scope === undefined ? {} : { scope: sorted(scope) }),
  };
}

/** Returns the file name, for example `act-0f3a….v1.json`. */
export function entryName(key: NormalizedKey): string {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, DIGITS);
  return `${key.verb}-${digest}.v${ENTRY_VERSION}.json`;
}

function normalizedUrl(text: string, counted: CountedParameters): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const parameters = [...url.searchParams].filter(([name]) => counts(name, counted));
  url.search = new URLSearchParams(parameters.toSorted(byNameThenValue)).toString();
  // Single-page applications use `#/path` and `#!path` as routes. Other fragments only scroll the page.
  if (!/^#[/!]/.test(url.hash)) url.hash = '';
  // Local servers often use another port in each run.
  if (/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) url.port = '';
  url.username = '';
  url.password = '';
  return url.href;
}

function counts(name: string, counted: CountedParameters): boolean {
  return counted === 'all' || (counted !== 'none' && counted.includes(name));
}

function byNameThenValue(one: readonly [string, string], other: readonly [string, string]): number {
  const [a, b] = [one.join('\n'), other.join('\n')];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
