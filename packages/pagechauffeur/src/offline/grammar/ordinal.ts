/** A position in a series of similar elements, counted from 1. Negative positions count from the end. */
export interface Ordinal {
  readonly position: number;
  /** In lower case; only the digits for "3rd". Removed from the phrase if it is not part of a name. */
  readonly word: string;
  /** True for "any", which accepts the first match. */
  readonly isAny: boolean;
}

const POSITIONS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  last: -1,
  final: -1,
  topmost: 1,
  bottommost: -1,
  any: 1,
};
const ORDINAL = new RegExp(`\\b(${Object.keys(POSITIONS).join('|')}|\\d+(?:st|nd|rd|th))\\b`, 'i');

/** Finds an ordinal in a phrase. Ignores capitalized words after the first, as in "the Last Exit". */
export function findOrdinal(phrase: string): Ordinal | null {
  const match = ORDINAL.exec(phrase);
  const word = match?.[1]?.toLowerCase();
  if (!match || word === undefined || (match.index > 0 && /^[A-Z]/.test(match[0]))) return null;
  const position = POSITIONS[word] ?? Number.parseInt(word, 10);
  return { position, word: /^\d/.test(word) ? String(position) : word, isAny: word === 'any' };
}

/** Replaces "24th" with "24", because it may be a day of the month. */
export function spellOrdinals(phrase: string): string {
  return phrase.replace(/\b(\d+)(?:st|nd|rd|th)\b/gi, '$1');
}

export function pickAt<T>(items: readonly T[], { position }: Ordinal): T | undefined {
  return items.at(position > 0 ? position - 1 : position);
}
