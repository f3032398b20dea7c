export function wordList(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}
