import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../util/is-record.ts';

/**
 * Recognizes data that the model read from the context lines of a part. The answer for an earlier part already has it.
 */
export interface Echo {
  /** True if only the context lines contain the value. */
  isAbove(value: unknown): boolean;
  /** True if the context lines contain the value, and no complete string in the part's own lines equals it. */
  isRepeated(value: unknown): boolean;
}

export function echoOf(context: readonly string[], own: readonly string[]): Echo {
  if (context.length === 0) return { isAbove: () => false, isRepeated: () => false };
  const above = context.join('\n');
  const below = own.join('\n');
  const nestedStrings = new Set(own.flatMap(stringsIn));
  return {
    isAbove: (value) => above.includes(written(value)) && !below.includes(written(value)),
    isRepeated: (value) => above.includes(written(value)) && !nestedStrings.has(written(value)),
  };
}

/** Writes a value as it appears between the quotes of a snapshot line. */
function written(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : String(value);
}

/** Returns the strings in a line: quoted names, plain text and cells. */
function stringsIn(line: string): string[] {
  const text = line.trim();
  const names = Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, name = '']) => name);
  return [...names, ...text.replace(/^- /, '').split(' | ')];
}

interface NewEntries {
  readonly entries: readonly unknown[];
  /** The last entry of the earlier parts, with the values that this part adds. */
  readonly continued?: unknown;
}

/** Removes entries from the start of a list if earlier parts already returned them. */
export function withoutEcho(before: readonly unknown[], next: readonly unknown[], echo: Echo): NewEntries {
  const last = before.at(-1);
  const firstNew = next.findIndex((entry) => !isRepeatedEntry(entry, before, echo));
  const entries = firstNew < 0 ? [] : next.slice(firstNew);
  const [first, ...rest] = entries;
  return isContinued(last, first, echo) ? { entries: rest, continued: joined(last, first) } : { entries };
}

/** True if earlier parts returned the same entry and its values are only in the context lines. */
function isRepeatedEntry(entry: unknown, before: readonly unknown[], echo: Echo): boolean {
  const values = [...scalarsIn(entry)];
  return (
    values.length > 0 &&
    values.every((value) => echo.isAbove(value)) &&
    before.some((known) => isDeepStrictEqual(known, entry))
  );
}

/** True if `first` continues the entry `last` of earlier parts: the same values, with more items in an inner list. */
function isContinued(last: unknown, first: unknown, echo: Echo): boolean {
  if (!isRecord(last) || !isRecord(first)) return false;
  const own = Object.entries(first).filter(([, value]) => !Array.isArray(value) && isTelling(value));
  const hasLists = Object.values(first).some(Array.isArray) && Object.values(last).some(Array.isArray);
  return (
    hasLists &&
    own.length > 0 &&
    own.every(([name, value]) => isDeepStrictEqual(last[name], value)) &&
    own.some(([, value]) => echo.isRepeated(value))
  );
}

function joined(last: unknown, first: unknown): unknown {
  if (Array.isArray(last) && Array.isArray(first)) return last.concat(first) as unknown[];
  if (!isRecord(last) || !isRecord(first)) return isTelling(last) ? last : first;
  const names = new Set([...Object.keys(last), ...Object.keys(first)]);
  return Object.fromEntries(Array.from(names, (name) => [name, joined(last[name], first[name])]));
}

function isTelling(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function* scalarsIn(value: unknown): Generator {
  if (Array.isArray(value)) for (const item of value) yield* scalarsIn(item);
  else if (isRecord(value)) for (const field of Object.values(value)) yield* scalarsIn(field);
  else if (isTelling(value)) yield value;
}
