import { numbersIn } from './numbers-in.ts';
import { partsOf, type LocatedLine } from './located-lines.ts';

export type Scalar = string | number | boolean;

export class LineIndex {
  readonly lines: readonly LocatedLine[];
  readonly #placesByText = new Map<string, number[]>();
  readonly #placesByNumber = new Map<number, number[]>();

  constructor(lines: readonly LocatedLine[]) {
    this.lines = lines;
    for (const [lineIndex, { node }] of lines.entries()) {
      for (const { text } of partsOf(node)) this.#add(text, lineIndex);
    }
  }

  /**
   * Returns the sorted indexes of lines with a property (see {@link partsOf}) that equals this text, ignoring case, or
   * contains this number.
   */
  indexesOf(value: Scalar): readonly number[] {
    if (typeof value === 'boolean') return [];
    return (typeof value === 'number' ? this.#placesByNumber.get(value) : this.#placesByText.get(folded(value))) ?? [];
  }

  /** Returns the index of the first line in a range that contains the words as whole words. */
  indexWith(words: string, { start, end }: { readonly start: number; readonly end: number }): number | undefined {
    const sought = folded(words);
    if (sought === '') return undefined;
    for (let lineIndex = start; lineIndex < end; lineIndex += 1) {
      const line = this.lines[lineIndex];
      if (line && partsOf(line.node).some(({ text }) => hasWords(folded(text), sought))) return lineIndex;
    }
    return undefined;
  }

  #add(text: string, lineIndex: number): void {
    addIndex(this.#placesByText, folded(text), lineIndex);
    for (const { value } of numbersIn(text)) addIndex(this.#placesByNumber, value, lineIndex);
  }
}

function addIndex<K>(lineIndexes: Map<K, number[]>, key: K, lineIndex: number): void {
  const known = lineIndexes.get(key);
  if (!known) lineIndexes.set(key, [lineIndex]);
  else if (known.at(-1) !== lineIndex) known.push(lineIndex);
}

/** True if the text contains the words without a letter or digit next to them. */
function hasWords(text: string, words: string): boolean {
  for (let start = text.indexOf(words); start >= 0; start = text.indexOf(words, start + 1))
    if (!isOfWord(text[start - 1]) && !isOfWord(text[start + words.length])) return true;
  return false;
}

function isOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
