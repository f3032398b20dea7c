const VOWEL = /[aeiouy]/;
const ENDINGS: readonly (readonly [ending: RegExp, replacement: string])[] = [
  [/(ss|x|ch|sh|zz)es$/, '$1'],
  [/ies$/, 'y'],
  [/([^su])s$/, '$1'],
  [/ically$/, 'ic'],
  [/ly$/, ''],
  [/ing$/, ''],
  [/ed$/, ''],
  [
    /(?<=pay|ship|agree|assign|adjust|develop|employ|enrol|equip|invest|require|deploy|place|manage|arrange)ments?$/,
    '',
  ],
];
const SHORTEST_STEM = 3;

/**
 * Removes English endings, so that "saving", "saves" and "save" have the same stem. An approximation by rules, without
 * a dictionary.
 */
export function stem(word: string): string {
  if (word.length <= SHORTEST_STEM || /[^a-z]/.test(word)) return word;
  let result = word;
  for (const [ending, replacement] of ENDINGS) {
    const shorter = result.replace(ending, replacement);
    if (shorter !== result && shorter.length >= SHORTEST_STEM && VOWEL.test(shorter)) result = shorter;
  }
  result = result.replace(/([bdgmnprt])\1$/, '$1');
  return result.length > SHORTEST_STEM ? result.replace(/e$/, '').replace(/y$/, 'i') : result;
}
