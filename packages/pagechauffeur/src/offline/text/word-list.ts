/** Splits a text at whitespace. */
export function wordList(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}
