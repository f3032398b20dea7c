/** Normalizes text for comparison: lower case, without accents, in one Unicode form. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Like {@link folded}, but keeps only letters and digits. */
export function squashed(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the words and numbers of a text. In scripts without spaces, each run of characters is one word. */
export function wordsIn(text: string): readonly string[] {
  return folded(text).match(WORD) ?? [];
}

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
const WORD = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, 'gu');

/** True for equal words, and for a word with an ending of up to 3 letters: `mug` and `mugs`. */
export function isSameWord(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  return (
    short === long ||
    (short.length >= SHORTEST_STEM && long.length - short.length <= MAX_ENDING_LENGTH && long.startsWith(short))
  );
}

const SHORTEST_STEM = 3;
const MAX_ENDING_LENGTH = 3;
