import { PAGE_BOUNDS } from '../page-bounds.ts';

/** Identifies an answer among those of one document. */
export type AnswerId = number;

/** The long strings of the last answer, by key. */
interface Answer {
  readonly id: AnswerId;
  readonly texts: ReadonlyMap<string, string>;
}

let last: Answer | undefined;

/**
 * CDP transfers strings much faster than objects, and ASCII strings twice as fast as others. Long strings of an object
 * follow its JSON line, each after a line with its key and length: the quotes and line feeds in JSON would be escaped
 * again in the message. `decodeWireText` in `cdp/wire-text.ts` decodes this.
 */
export function toWireText(value: unknown): string | undefined {
  return withTexts(value, longTextsOf(value), ([key, text]) => {
    const sent = text.replace(unsafeInText, escaped);
    return `${key} ${sent.length}\n${sent}`;
  });
}

/**
 * Encodes an answer that is mostly equal to the one before. If the driver holds that one, sends of each long string only
 * the part that differs, after a line with its key, its length and the lengths of the equal parts before and after it. A
 * second snapshot of 48,000 elements then transfers some hundred bytes instead of 1.1 MB, in 3 ms instead of 38.
 *
 * @param id The id under which the driver will hold this answer.
 * @param held The id of the answer that the driver holds.
 */
export function toWireTextSince(value: unknown, id: AnswerId, held: AnswerId | undefined): string | undefined {
  const long = longTextsOf(value);
  const before = last?.id === held ? last?.texts : undefined;
  last = { id, texts: new Map(long) };
  return withTexts(value, long, ([key, text]) => {
    const { start, end } = equalParts(before?.get(key) ?? '', text);
    const sent = text.slice(start, text.length - end).replace(unsafeInText, escaped);
    return `${key} ${sent.length} ${start} ${end}\n${sent}`;
  });
}

/** Truncates every string, because the page controls the length of names and messages. */
export function toBoundedWireText(value: unknown): string | undefined {
  return toJson(value, boundedEntry);
}

type LongText = readonly [key: string, text: string];

/** Shorter strings are not worth a line of their own. */
const LONG_TEXT = 500;

function longTextsOf(value: unknown): readonly LongText[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).filter(isLongText)
    : [];
}

function isLongText(entry: readonly [key: string, value: unknown]): entry is LongText {
  return typeof entry[1] === 'string' && entry[1].length > LONG_TEXT;
}

function withTexts(value: unknown, long: readonly LongText[], encode: (text: LongText) => string): string | undefined {
  if (long.length === 0) return toJson(value);
  const rest = { ...(value as object), ...Object.fromEntries(long.map(([key]) => [key, ''])) };
  return `${toJson(rest)}\n${long.map(encode).join('')}`;
}

/** Compared at once by the engine, which is much faster than character by character. */
const COMPARED_CHARACTERS = 2048;

/** Returns the number of characters at the start and at the end that both texts share. The two parts do not overlap. */
function equalParts(before: string, after: string): { readonly start: number; readonly end: number } {
  const most = Math.min(before.length, after.length);
  const start = equalCharacters(most, (from, to) => before.slice(from, to) === after.slice(from, to));
  const end = equalCharacters(
    most - start,
    (from, to) =>
      before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from),
  );
  return { start, end };
}

function equalCharacters(most: number, isEqual: (from: number, to: number) => boolean): number {
  let at = 0;
  for (let step = COMPARED_CHARACTERS; step >= 1; step >>= 1) {
    while (at + step <= most && isEqual(at, at + step)) at += step;
  }
  return at;
}

const beyondAscii = /[\u0080-\uffff]/g;
const unsafeInText = /[\\\u0080-\uffff]/g;

function toJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  return JSON.stringify(value, replacer)?.replace(beyondAscii, escaped);
}

function boundedEntry(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > PAGE_BOUNDS.answerText
    ? `${value.slice(0, PAGE_BOUNDS.answerText)}…`
    : value;
}

const escapeByCharacter = new Map<string, string>();

// Cached, because a page repeats few non-ASCII characters, such as a currency sign, many times.
function escaped(character: string): string {
  const known = escapeByCharacter.get(character);
  if (known !== undefined) return known;
  const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  escapeByCharacter.set(character, escape);
  return escape;
}
