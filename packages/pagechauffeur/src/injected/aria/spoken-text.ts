import { PAGE_BOUNDS } from '../../page-bounds.ts';

/** A position in the text. */
interface SpokenMark {
  readonly length: number;
  readonly isApart: boolean;
}

/** Builds the text of a name from pieces. Puts one space between pieces that are separated. */
export class SpokenText {
  text = '';
  #isApart = false;
  /** True if the text is separated from the text before it. */
  #beginsApart = false;

  /** Appends a piece. Removes glyphs of icon fonts, so that the name of an icon can fall back to its title. */
  add(written: string): void {
    const piece = withoutWordless(written);
    if (piece === '') return;
    if (this.text === '') this.#beginsApart = this.#isApart;
    else if (this.#isApart) this.text += ' ';
    this.#isApart = false;
    this.text += piece;
  }

  /** Appends another text, including its separators. */
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

  /** Removes a separator that was added since the mark if no text was added. */
  closeGap(mark: SpokenMark): void {
    if (this.isEmptySince(mark)) this.#isApart = mark.isApart;
  }
}

/** Soft hyphens, zero-width characters, and private-use characters, which icon fonts use. */
const wordless = /[\u00AD\u200B\u2060\uE000-\uF8FF]|[\uDB80-\uDBFF][\uDC00-\uDFFF]/g;
const mayBeWordless = /[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;
// Most texts need no change, and this test is cheaper than replacing.
const unfolded = /^\s|[^\S ]|\s\s|\s$|[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;

function withoutWordless(text: string): string {
  return mayBeWordless.test(text) ? text.replace(wordless, '') : text;
}

/** Normalizes white space and removes invisible characters. */
export function foldSpace(text: string): string {
  // Results truncate longer texts anyway, and processing one would block the page for tens of seconds.
  const words = text.length > PAGE_BOUNDS.plainText ? text.slice(0, PAGE_BOUNDS.plainText) : text;
  if (!unfolded.test(words)) return words;
  return words.replace(wordless, '').replace(/\s+/g, ' ').trim();
}

/** True if the text has visible characters. */
export function saysSomething(text: string): boolean {
  return foldSpace(text) !== '';
}
