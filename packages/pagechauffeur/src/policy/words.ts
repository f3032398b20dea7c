/** Normalizes a text for comparison: lower case, no accents, one form per letter. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Letters and digits of a text without separators. */
export function squashed(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Words and numbers of a text. In scripts without spaces, digits split the text. */
export function wordsIn(text: string): readonly string[] {
  return folded(text).match(WORD) ?? [];
}

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
const WORD = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, 'gu');

/** True if two words are forms of one: equal, or one is the other plus an ending. */
export function isSameWord(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  return (
    short === long ||
    (short.length >= SHORTEST_STEM && long.length - short.length <= MAX_ENDING_LENGTH && long.startsWith(short))
  );
}

const SHORTEST_STEM = 3;
const MAX_ENDING_LENGTH = 3;
