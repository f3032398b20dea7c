import { numbersIn } from './numbers-in.ts';
import { partsOf, type PlacedLine } from './placed-lines.ts';

export type Scalar = string | number | boolean;

export class LineIndex {
  readonly lines: readonly PlacedLine[];
  readonly #placesByText = new Map<string, number[]>();
  readonly #placesByNumber = new Map<number, number[]>();

  constructor(lines: readonly PlacedLine[]) {
    this.lines = lines;
    for (const [place, { node }] of lines.entries()) {
      for (const { text } of partsOf(node)) this.#add(text, place);
    }
  }

  /**
   * Returns the indexes of lines whose whole name, value or URL is this text (ignoring case) or contains this number.
   * Sorted.
   */
  placesOf(value: Scalar): readonly number[] {
    if (typeof value === 'boolean') return [];
    return (typeof value === 'number' ? this.#placesByNumber.get(value) : this.#placesByText.get(folded(value))) ?? [];
  }

  /** Returns the first line in a range that contains the words as whole words. */
  placeWith(words: string, { start, end }: { readonly start: number; readonly end: number }): number | undefined {
    const sought = folded(words);
    if (sought === '') return undefined;
    for (let place = start; place < end; place += 1) {
      const line = this.lines[place];
      if (line && partsOf(line.node).some(({ text }) => hasWords(folded(text), sought))) return place;
    }
    return undefined;
  }

  #add(text: string, place: number): void {
    addPlace(this.#placesByText, folded(text), place);
    for (const { value } of numbersIn(text)) addPlace(this.#placesByNumber, value, place);
  }
}

function addPlace<K>(places: Map<K, number[]>, key: K, place: number): void {
  const known = places.get(key);
  if (!known) places.set(key, [place]);
  else if (known.at(-1) !== place) known.push(place);
}

/** True if the text contains the words and does not continue them with letters or digits. */
function hasWords(text: string, words: string): boolean {
  const start = text.indexOf(words);
  if (start < 0) return false;
  return !isOfWord(text[start - 1]) && !isOfWord(text[start + words.length]);
}

function isOfWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
