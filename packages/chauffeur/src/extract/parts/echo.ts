import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../util/is-record.ts';

/** Tells which values a part shows only in the lines that stand further up on the page, so that they were read before. */
export interface Echo {
  isEcho(value: unknown): boolean;
}

/** What a part shows in the lines above it and not in its own. */
export function echoOf(context: readonly string[], own: readonly string[]): Echo {
  const above = plain(context.join('\n'));
  if (above === '') return { isEcho: () => false };
  const below = plain(own.join('\n'));
  return { isEcho: (value) => above.includes(plain(String(value))) && !below.includes(plain(String(value))) };
}

function plain(text: string): string {
  return text.replaceAll('\\"', '"').replace(/\s+/g, ' ').toLowerCase();
}

interface NewEntries {
  /** Those that are new. */
  readonly entries: readonly unknown[];
  /** The last entry before, with what the part adds to it. */
  readonly continued?: unknown;
}

/** Takes from the beginning of a part's list what was told with earlier parts. */
export function withoutEcho(before: readonly unknown[], next: readonly unknown[], echo: Echo): NewEntries {
  const last = before.at(-1);
  const told = next.findIndex((entry) => !isTold(entry, before, echo));
  const entries = told < 0 ? [] : next.slice(told);
  const [first, ...rest] = entries;
  return isContinued(last, first, echo) ? { entries: rest, continued: joined(last, first) } : { entries };
}

/** An entry that was read before, and of which this part shows nothing but where it stands. */
function isTold(entry: unknown, before: readonly unknown[], echo: Echo): boolean {
  const values = [...scalarsIn(entry)];
  return (
    values.length > 0 &&
    values.every((value) => echo.isEcho(value)) &&
    before.some((known) => isDeepStrictEqual(known, entry))
  );
}

/** An entry with lists of its own, of which a part shows some and the next part the others. */
function isContinued(last: unknown, first: unknown, echo: Echo): boolean {
  if (!isRecord(last) || !isRecord(first)) return false;
  const own = Object.entries(first).filter(([, value]) => !Array.isArray(value) && isTelling(value));
  const hasLists = Object.values(first).some(Array.isArray) && Object.values(last).some(Array.isArray);
  return (
    hasLists &&
    own.length > 0 &&
    own.every(([name, value]) => isDeepStrictEqual(last[name], value)) &&
    own.some(([, value]) => echo.isEcho(value))
  );
}

function joined(last: unknown, first: unknown): unknown {
  if (Array.isArray(last) && Array.isArray(first)) return [...last, ...first];
  if (!isRecord(last) || !isRecord(first)) return isTelling(last) ? last : first;
  const names = new Set([...Object.keys(last), ...Object.keys(first)]);
  return Object.fromEntries(Array.from(names, (name) => [name, joined(last[name], first[name])]));
}

function isTelling(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function* scalarsIn(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) for (const item of value) yield* scalarsIn(item);
  else if (isRecord(value)) for (const field of Object.values(value)) yield* scalarsIn(field);
  else if (isTelling(value)) yield value;
}
