/** The words of a text, at white space. */
export function wordList(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}
