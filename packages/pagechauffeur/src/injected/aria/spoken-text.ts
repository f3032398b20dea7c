import { PAGE_BOUNDS } from '../../page-bounds.ts';

/** A position in the text. */
interface SpokenMark {
  readonly length: number;
  readonly isApart: boolean;
}

/** Builds a text from pieces, with one space between separated pieces. */
export class SpokenText {
  text = '';
  #isApart = false;
  /** True if the text is separated from whatever precedes it. */
  #beginsApart = false;

  /** Appends a piece. Icon font glyphs are dropped, so that an icon without text can still fall back to its title. */
  add(written: string): void {
    const piece = withoutWordless(written);
    if (piece === '') return;
    if (this.text === '') this.#beginsApart = this.#isApart;
    else if (this.#isApart) this.text += ' ';
    this.#isApart = false;
    this.text += piece;
  }

  /** Appends another text. */
  append(other: SpokenText): void {
    if (other.#beginsApart) this.separate();
    this.add(other.text);
    if (other.#isApart) this.separate();
  }

  /** Separates the next piece by a space. */
  separate(): void {
    this.#isApart = true;
  }

  /** Returns the current position. */
  mark(): SpokenMark {
    return { length: this.text.length, isApart: this.#isApart };
  }

  /** True if nothing was added since the mark. */
  isEmptySince(mark: SpokenMark): boolean {
    return this.text.length === mark.length;
  }

  /** Removes a separator that was added since the mark if no text followed. */
  closeGap(mark: SpokenMark): void {
    if (this.isEmptySince(mark)) this.#isApart = mark.isApart;
  }
}

/** Soft hyphens and zero-width characters, and the private-use characters that icon fonts use. */
const wordless = /[\u00AD\u200B\u2060\uE000-\uF8FF]|[\uDB80-\uDBFF][\uDC00-\uDFFF]/g;
const mayBeWordless = /[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;
// Most text needs no change, and testing is cheaper than replacing.
const unfolded = /^\s|[^\S ]|\s\s|\s$|[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;

function withoutWordless(text: string): string {
  return mayBeWordless.test(text) ? text.replace(wordless, '') : text;
}

/** Normalizes white space and removes invisible characters. */
export function foldSpace(text: string): string {
  // All answers truncate longer text anyway, and processing it would block the page for tens of seconds.
  const words = text.length > PAGE_BOUNDS.plainText ? text.slice(0, PAGE_BOUNDS.plainText) : text;
  if (!unfolded.test(words)) return words;
  return words.replace(wordless, '').replace(/\s+/g, ' ').trim();
}

/** True if the text has visible characters. */
export function saysSomething(text: string): boolean {
  return foldSpace(text) !== '';
}
