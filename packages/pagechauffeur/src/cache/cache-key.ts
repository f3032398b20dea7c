import { createHash } from 'node:crypto';
import { isRecord } from '../util/is-record.ts';

/** What identifies an entry. The model, the values of variables and the state of the page are no part of it. */
export interface CacheKey {
  readonly verb: 'act' | 'observe' | 'extract' | 'agent';
  /** The user's sentence, with `%name%` placeholders in place. */
  readonly instruction: string;
  /** Address of the page, as the page has it. */
  readonly url: string;
  /** Names of the call's variables. */
  readonly variables?: readonly string[];
  /** What else decides the outcome, such as a selector or a schema, as JSON data. */
  readonly scope?: unknown;
}

/** Which parameters of a page's address count in keys: all, none, or those that are named. */
export type CountedParameters = 'all' | 'none' | readonly string[];

/** Version of the entries' form. It is a part of their names: two versions that share a folder do not meet. */
export const ENTRY_VERSION = 1;

/** Hexadecimal digits: 80 bits, more than any folder of entries can confuse. */
const DIGITS = 20;

/** A key in the one form that equal keys have: sorted, and without what differs from run to run. */
export type NormalizedKey = Required<Omit<CacheKey, 'scope'>> & Pick<CacheKey, 'scope'>;

/** The one form of a key. */
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

/** The name under which the entry of a key is kept. */
export function entryName(key: NormalizedKey): string {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, DIGITS);
  return `${key.verb}-${digest}.v${ENTRY_VERSION}.json`;
}

function normalizedUrl(text: string, counted: CountedParameters): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const parameters = [...url.searchParams].filter(([name]) => counts(name, counted));
  url.search = new URLSearchParams(parameters.toSorted(byNameThenValue)).toString();
  // A fragment that looks like a path is the address of a page that a script shows; others are places within a page.
  if (!/^#[/!]/.test(url.hash)) url.hash = '';
  // Who serves pages on this machine does it on another port each time.
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
