import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../util/is-record.ts';

/** Tells what a part shows only in the lines that stand further up on the page, so that it was read before. */
export interface Echo {
  /** Whether the value stands above, and nowhere in the part's own lines. */
  isAbove(value: unknown): boolean;
  /** Whether the value stands above, and no line of the part's own says just that. */
  isSaidAbove(value: unknown): boolean;
}

/** What a part shows in the lines above it and not in its own. */
export function echoOf(context: readonly string[], own: readonly string[]): Echo {
  if (context.length === 0) return { isAbove: () => false, isSaidAbove: () => false };
  const above = context.join('\n');
  const below = own.join('\n');
  const saidBelow = new Set(own.flatMap(sayings));
  return {
    isAbove: (value) => above.includes(written(value)) && !below.includes(written(value)),
    isSaidAbove: (value) => above.includes(written(value)) && !saidBelow.has(written(value)),
  };
}

/** A text as it stands within a line's quotes. */
function written(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : String(value);
}

/** What a line says: its names, its plain text, its cells. */
function sayings(line: string): string[] {
  const text = line.trim();
  const names = Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, name = '']) => name);
  return [...names, ...text.replace(/^- /, '').split(' | ')];
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
    values.every((value) => echo.isAbove(value)) &&
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
    own.some(([, value]) => echo.isSaidAbove(value))
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
