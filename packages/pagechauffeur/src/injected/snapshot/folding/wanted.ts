const MAX_WANTED = 12;
/** Minimum score, as a fraction of the best score. */
const MIN_SHARE = 0.4;
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
    const text = plainText(instruction);
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

  #scores(count: number, textOf: (index: number) => string): Float64Array {
    const items = new JoinedItems(
      Array.from({ length: count }, (_, index) => textOf(index).replaceAll(SEPARATOR, ' ')),
    );
    const scores = new Float64Array(count);
    for (const quoted of this.#quoted)
      for (const index of items.withWhole(quoted)) scores[index] = (scores[index] ?? 0) + QUOTED_WEIGHT;
    for (const word of this.#words) addWeighted(scores, items.fitOf(word));
    return scores;
  }
}

const SEPARATOR = '\0';

/** Plain text of all items in one string, because one search through it is much faster than one per item. */
class JoinedItems {
  readonly #text: string;
  /** Where each item ends. */
  readonly #ends: Int32Array;

  constructor(texts: readonly string[]) {
    const joined = texts.join(SEPARATOR);
    this.#text = plainText(joined);
    this.#ends = endsIn(this.#text, texts.length);
  }

  /** Returns the indexes of items that contain the text as whole words. */
  withWhole(quoted: string): ReadonlySet<number> {
    const found = new Set<number>();
    this.#search(quoted, (index, at) => {
      const end = at + quoted.length;
      if (isWordAt(this.#text, at - 1) || isWordAt(this.#text, end)) return false;
      found.add(index);
      return true;
    });
    return found;
  }

  /** Returns how well each item matches the word. */
  fitOf(word: string): Float64Array {
    const fits = new Float64Array(this.#ends.length);
    this.#search(word, (index, at) => {
      const fit = fitAt(this.#text, at, word);
      fits[index] = Math.max(fits[index] ?? 0, fit);
      return fit === 1;
    });
    return fits;
  }

  /** Calls `visit` at each occurrence. If it returns true, continues with the next item. */
  #search(part: string, visit: (index: number, at: number) => boolean): void {
    let index = 0;
    for (let at = this.#text.indexOf(part); at >= 0;) {
      while (at >= (this.#ends[index] ?? Infinity)) index += 1;
      const from = visit(index, at) ? (this.#ends[index] ?? at) : at;
      at = this.#text.indexOf(part, from + 1);
    }
  }
}

function endsIn(text: string, count: number): Int32Array {
  const ends = new Int32Array(count);
  let end = -1;
  for (let index = 0; index < count; index += 1) {
    end = text.indexOf(SEPARATOR, end + 1);
    ends[index] = end < 0 ? text.length : end;
    if (end < 0) break;
  }
  return ends;
}

/** Rare words add more to the score. A word in too many items adds nothing. */
function addWeighted(scores: Float64Array, fit: Float64Array): void {
  let matchCount = 0;
  for (const value of fit) if (value > 0) matchCount += 1;
  if (matchCount === 0 || matchCount > fit.length * COMMON_SHARE) return;
  const weight = Math.log(1 + fit.length / matchCount);
  for (let index = 0; index < fit.length; index += 1) scores[index] = (scores[index] ?? 0) + weight * (fit[index] ?? 0);
}

/**
 * Returns the indexes with at least `MIN_SHARE` of the best score, highest first. If there are too many, returns the
 * first of these and the last item with the best score.
 */
function bestOf(scores: Float64Array): readonly number[] {
  let best = 0;
  for (const score of scores) if (score > best) best = score;
  if (best === 0) return [];
  const indexes: number[] = [];
  for (const [index, score] of scores.entries()) if (score >= best * MIN_SHARE) indexes.push(index);
  const ranked = indexes.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  if (indexes.length <= MAX_WANTED) return ranked;
  const last = indexes.findLast((index) => scores[index] === best);
  return [...ranked.slice(0, MAX_WANTED), ...(last === undefined ? [] : [last])];
}

const WORDS = /[\p{L}\p{N}]+/gu;
const QUOTED = /"([^"]+)"|“([^”]+)”|‘([^’]+)’|«([^»]+)»|„([^“”]+)[“”]|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;
const IDEOGRAPHS = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const LAST = /(?<![\p{L}\p{N}])(last|bottom|final|letzte\p{L}*|dernier\p{L}*|[uú]ltim\p{L}*)(?![\p{L}\p{N}])/u;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const MARKS = /\p{M}+/gu;
/** Thousands separators, so that `1,204` matches 1204. */
const THOUSANDS = /(\d)[,.'\u2019\u00a0\u202f](?=\d{3}(?!\d))/g;

/** Converts to lower case and removes accents and thousands separators. */
function plainText(text: string): string {
  const lower = text.toLowerCase();
  const bare = BEYOND_ASCII.test(lower) ? lower.normalize('NFKD').replace(MARKS, '') : lower;
  return bare.replace(THOUSANDS, '$1');
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
 * Returns how well an occurrence of a word matches: 1 for the word itself, less for a longer word with the same beginning,
 * 0 inside a word. Numbers must match exactly.
 */
function fitAt(text: string, at: number, word: string): number {
  if (IDEOGRAPHS.test(word)) return 1;
  if (isWordAt(text, at - 1)) return 0;
  const rest = lengthOfRest(text, at + word.length);
  if (rest === 0) return 1;
  const isBeginning = word.length > STEM_LENGTH || (word.length === STEM_LENGTH && rest <= ENDING_LENGTH);
  if (!isBeginning || isDigitAt(text, at)) return 0;
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
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return WORD_CHARACTER.test(text[index] ?? '');
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

function isDigitAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

const ORDINAL =
  /(\d+)(?:st|nd|rd|th)\b|(?:\b(?:row|item|entry|line|result|product|number|no|position|option|card)\.?\s*|#)(\d+)\b/g;
const ORDINAL_WORDS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** Positions start at 0. */
function positionsIn(text: string): readonly number[] {
  const numbers = [...text.matchAll(ORDINAL)].map(([, ordinal, number]) => Number(ordinal ?? number) - 1);
  const words = ORDINAL_WORDS.flatMap((word, index) => (text.includes(word) ? [index] : []));
  return [...numbers, ...words].filter((index) => index >= 0);
}
