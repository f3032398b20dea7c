import { createHash } from 'node:crypto';
import { isRecord } from '../util/is-record.ts';

/** Identifies a cache entry. The model, the variable values and the state of the page are not part of it. */
export interface CacheKey {
  readonly verb: 'act' | 'observe' | 'extract' | 'agent';
  /** The user's instruction, with unexpanded `%name%` placeholders. */
  readonly instruction: string;
  /** The URL of the page. */
  readonly url: string;
  /** Names of the variables of the call. */
  readonly variables?: readonly string[];
  /** Other input that changes the result, such as a selector or a schema. JSON data. */
  readonly scope?: unknown;
}

/** Query parameters that are part of a key: all, none, or those with these names. */
export type CountedParameters = 'all' | 'none' | readonly string[];

/** Version of the entry format. It is part of the file name, so two versions can share a folder. */
export const ENTRY_VERSION = 1;

/** 20 hex digits are 80 bits, which is enough to avoid collisions in a folder. */
const DIGITS = 20;

/** A key in canonical form: sorted, and without values that differ from run to run. */
export type NormalizedKey = Required<Omit<CacheKey, 'scope'>> & Pick<CacheKey, 'scope'>;

/** Returns the canonical form of a key. */
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

/** Returns the file name of an entry. */
export function entryName(key: NormalizedKey): string {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, DIGITS);
  return `${key.verb}-${digest}.v${ENTRY_VERSION}.json`;
}

function normalizedUrl(text: string, counted: CountedParameters): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const parameters = [...url.searchParams].filter(([name]) => counts(name, counted));
  url.search = new URLSearchParams(parameters.toSorted(byNameThenValue)).toString();
  // A fragment such as `#/path` selects a page of a single-page application. Other fragments are positions within a
  // page.
  if (!/^#[/!]/.test(url.hash)) url.hash = '';
  // Local servers often use a different port in each run.
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
