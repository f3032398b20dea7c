/** A text as it is compared: lower case, no accents, one form of each letter. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The letters and digits of a text with nothing between them. */
export function squashed(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/** The words and numbers of a text; scripts that write no spaces end at a figure. */
export function wordsIn(text: string): readonly string[] {
  return folded(text).match(WORD) ?? [];
}

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
const WORD = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, 'gu');

/** Whether two words are forms of one: equal, or one goes on after the other for an ending. */
export function isSameWord(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  return (
    short === long ||
    (short.length >= SHORTEST_STEM && long.length - short.length <= LONGEST_ENDING && long.startsWith(short))
  );
}

const SHORTEST_STEM = 3;
const LONGEST_ENDING = 3;
