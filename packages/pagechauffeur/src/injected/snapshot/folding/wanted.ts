const MAX_WANTED = 12;
/** Minimum score, as a fraction of the best score. */
const MIN_SHARE = 0.4;
/** In characters. Browsers reject a much longer expression, and no line has such a word or quote. */
const MAX_PATTERN = 4000;
/** Words in more than this fraction of the items are ignored. */
const COMMON_SHARE = 0.5;
/** Additional score of an item that contains quoted text from the instruction. */
const QUOTED_WEIGHT = 20;
/** Weights of inexact matches: an inflected form of the word, and a longer word with the same beginning. */
const ENDING_WEIGHT = 0.9;
const BEGINNING_WEIGHT = 0.7;
const STEM_LENGTH = 3;
const ENDING_LENGTH = 3;
/** Number of last items to keep if the instruction mentions the last ones. */
const LAST_ITEMS = 3;

/** Selects among similar items by words, quoted text and positions in the instruction. */
export class Wanted {
  readonly #words: readonly string[];
  readonly #quoted: readonly string[];
  readonly #positions: readonly number[];
  readonly #isAboutEnd: boolean;

  constructor(instruction: string) {
    const text = plainText(instruction).toLowerCase();
    this.#quoted = [...text.matchAll(QUOTED)].flatMap(([, ...groups]) => groups.find(Boolean)?.trim() || []);
    this.#words = [...new Set((text.match(WORDS) ?? []).flatMap(searchWords))];
    this.#positions = positionsIn(text);
    this.#isAboutEnd = LAST.test(text);
  }

  /** Returns the indexes of matching items. `textOf` returns all text of an item. */
  among(count: number, textOf: (index: number) => string): ReadonlySet<number> {
    const wanted = new Set(this.#positions.filter((index) => index < count));
    if (this.#isAboutEnd)
      for (let index = Math.max(0, count - LAST_ITEMS); index < count; index += 1) wanted.add(index);
    for (const index of this.ranked(count, textOf)) wanted.add(index);
    return wanted;
  }

  /** Returns the indexes of the items with matching words, best match first. */
  ranked(count: number, textOf: (index: number) => string): readonly number[] {
    return this.#words.length + this.#quoted.length === 0 ? [] : bestOf(this.#scores(count, textOf));
  }

  /** Leaves out items without a match: on a long page these are almost all. */
  #scores(count: number, textOf: (index: number) => string): ReadonlyMap<number, number> {
    const items = new JoinedItems(Array.from({ length: count }, (_, index) => textOf(index)));
    const scores = new Map<number, number>();
    const add = (index: number, score: number): void => void scores.set(index, (scores.get(index) ?? 0) + score);
    for (const quoted of this.#quoted) for (const index of items.withWhole(quoted)) add(index, QUOTED_WEIGHT);
    for (const word of this.#words) {
      const fits = items.fitsOf(word);
      // Rare words add more to the score.
      const weight = Math.log(1 + count / fits.size);
      for (const [index, fit] of fits) add(index, weight * fit);
    }
    return scores;
  }
}

const SEPARATOR = '\0';
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Plain text of all items in one string, because one search through it is much faster than one per item. */
class JoinedItems {
  readonly #text: string;
  /** Where each item ends. */
  readonly #ends: Int32Array;

  constructor(texts: readonly string[]) {
    let text = plainText(texts.join(SEPARATOR));
    let ends = endsIn(text, texts.length);
    if (!ends) {
      text = plainText(texts.map(withoutSeparator).join(SEPARATOR));
      ends = endsIn(text, texts.length) ?? new Int32Array();
    }
    this.#text = text;
    this.#ends = ends;
  }

  /** Returns the indexes of items that contain the text as whole words. */
  withWhole(quoted: string): ReadonlySet<number> {
    const found = new Set<number>();
    const length = quoted.length;
    this.#search(quoted.replace(SYNTAX, String.raw`\$&`), (index, after, end) => {
      if (isWordAt(this.#text, after - length - 1) || isWordAt(this.#text, after)) return after;
      found.add(index);
      return end;
    });
    return found;
  }

  /** Returns how well each item matches the word, above 0. Empty if the word is in too many items. */
  fitsOf(word: string): ReadonlyMap<number, number> {
    const fits = new Map<number, number>();
    const most = this.#ends.length * COMMON_SHARE;
    const isIdeographic = IDEOGRAPHS.test(word);
    this.#search(isIdeographic ? word : `(?<![\\p{L}\\p{N}])${word}`, (index, after, end) => {
      const fit = isIdeographic ? 1 : fitOf(word, lengthOfRest(this.#text, after));
      if (fit > (fits.get(index) ?? 0)) fits.set(index, fit);
      if (fits.size > most) return Infinity;
      return fit === 1 ? end : after;
    });
    return fits.size > most ? NO_FITS : fits;
  }

  /**
   * Calls `visit` for each match in any case, with the index after it and the end of the item. It returns where to
   * continue.
   */
  #search(pattern: string, visit: (index: number, after: number, end: number) => number): void {
    if (pattern.length > MAX_PATTERN) return;
    const expression = new RegExp(pattern, 'giu');
    let index = 0;
    while (expression.test(this.#text)) {
      const after = expression.lastIndex;
      index = this.#itemAt(after - 1, index);
      expression.lastIndex = visit(index, after, this.#ends[index] ?? Infinity);
    }
  }

  /** Searches from `first` on in growing steps, because the next match is often near. */
  #itemAt(at: number, first: number): number {
    let low = first;
    let step = 1;
    for (; at >= (this.#ends[low + step - 1] ?? Infinity); step *= 2) low += step;
    let high = low + step - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at < (this.#ends[middle] ?? Infinity)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const NO_FITS: ReadonlyMap<number, number> = new Map();

function withoutSeparator(text: string): string {
  return text.replaceAll(SEPARATOR, ' ');
}

/** Returns `null` if an item contains a separator. */
function endsIn(text: string, count: number): Int32Array | null {
  const ends = new Int32Array(count);
  let end = -1;
  for (let index = 0; index < count; index += 1) {
    end = text.indexOf(SEPARATOR, end + 1);
    ends[index] = end < 0 ? text.length : end;
  }
  return end < 0 ? ends : null;
}

/**
 * Returns the indexes with at least `MIN_SHARE` of the best score, highest first. If there are too many, returns the
 * first of these and the last item with the best score.
 */
function bestOf(scores: ReadonlyMap<number, number>): readonly number[] {
  const sorted = [...scores].toSorted(([a, one], [b, other]) => other - one || a - b);
  const best = sorted[0]?.[1] ?? 0;
  const ranked = sorted.filter(([, score]) => score >= best * MIN_SHARE).map(([index]) => index);
  if (ranked.length <= MAX_WANTED) return ranked;
  const last = ranked.findLast((index) => scores.get(index) === best);
  return [...ranked.slice(0, MAX_WANTED), ...(last === undefined ? [] : [last])];
}

const WORDS = /[\p{L}\p{N}]+/gu;
const QUOTED = /"([^"]+)"|“([^”]+)”|‘([^’]+)’|«([^»]+)»|„([^“”]+)[“”]|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;
const IDEOGRAPHS = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const LAST = /(?<![\p{L}\p{N}])(last|bottom|final|letzte\p{L}*|dernier\p{L}*|[uú]ltim\p{L}*)(?![\p{L}\p{N}])/u;
/** All but ASCII and common signs that have no accents, such as dashes, quotation marks and the sign of the euro. */
const MAY_HAVE_ACCENTS =
  /[^\0-\u007f\u00a3\u00a9\u00ab\u00ae\u00b0\u00b1\u00b7\u00bb\u00d7\u2010\u2012-\u2015\u2018-\u2023\u20ac\u2190-\u2193]/;
const MARKS = /\p{M}+/gu;
/** Thousands separators, so that `1,204` matches 1204. */
const THOUSANDS = /(\d)[,.'\u2019\u00a0\u202f](?=\d{3}(?!\d))/g;

/** Removes accents and thousands separators. */
function plainText(text: string): string {
  // NFKD would turn the spaces among the separators into ordinary ones.
  const joined = text.replace(THOUSANDS, '$1');
  return MAY_HAVE_ACCENTS.test(joined) ? joined.normalize('NFKD').replace(MARKS, '') : joined;
}

/** Returns the stem of a word, or pairs of characters in scripts such as Chinese. Skips `IDLE_WORDS`. */
function searchWords(word: string): readonly string[] {
  if (IDEOGRAPHS.test(word)) {
    if (word.length < 3) return [word];
    return Array.from({ length: word.length - 1 }, (_, start) => word.slice(start, start + 2));
  }
  return IDLE_WORDS.has(word) ? [] : [stemOf(word)];
}

/** Grammar words and verbs of instructions, which rarely describe an item. */
const IDLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be by click for from i in into is it its me my of on onto or please press s so than that the their then ' +
    'there this to tap which with you your'
  ).split(' '),
);

function stemOf(word: string): string {
  const stem = word.replace(/(?:'s|ies|ing|es|ed|s)$/, '');
  return stem.length >= STEM_LENGTH && !/\d/.test(word) ? stem : word;
}

/**
 * Returns how well an occurrence at the beginning of a word matches: 1 for the word itself, less if `rest` more characters
 * follow, 0 if these make another word of it. Numbers must match exactly.
 */
function fitOf(word: string, rest: number): number {
  if (rest === 0) return 1;
  const isBeginning = word.length > STEM_LENGTH || (word.length === STEM_LENGTH && rest <= ENDING_LENGTH);
  if (!isBeginning || /^\d/.test(word)) return 0;
  return rest <= ENDING_LENGTH ? ENDING_WEIGHT : BEGINNING_WEIGHT;
}

function lengthOfRest(text: string, from: number): number {
  let end = from;
  while (end < text.length && isWordAt(text, end)) end += 1;
  return end - from;
}

/** False outside the text. */
function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return WORD_CHARACTER.test(text[index] ?? '');
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

const ORDINAL =
  /(\d+)(?:st|nd|rd|th)\b|(?:\b(?:row|item|entry|line|result|product|number|no|position|option|card)\.?\s*|#)(\d+)\b/g;
const ORDINAL_WORD =
  /(?<![\p{L}\p{N}])(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)(?![\p{L}\p{N}])/gu;
const ORDINAL_WORDS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** Positions start at 0. */
function positionsIn(text: string): readonly number[] {
  const numbers = [...text.matchAll(ORDINAL)].map(([, ordinal, number]) => Number(ordinal ?? number) - 1);
  const words = [...text.matchAll(ORDINAL_WORD)].map(([word]) => ORDINAL_WORDS.indexOf(word));
  return [...numbers, ...words].filter((index) => index >= 0);
}
