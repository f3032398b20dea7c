import { PAGE_BOUNDS } from '../../page-bounds.ts';

interface TextMark {
  readonly length: number;
  readonly isApart: boolean;
}

/** Builds an accessible name from pieces, with one space where pieces are separated. */
export class TextBuilder {
  text = '';
  #isApart = false;
  /** True if `separate()` was called before the first piece. */
  #beginsApart = false;

  /** Drops icon-font glyphs, so that an icon without other text can be named by its title. */
  add(written: string): void {
    const piece = withoutNonText(written);
    if (piece === '') return;
    if (this.text === '') this.#beginsApart = this.#isApart;
    else if (this.#isApart) this.text += ' ';
    this.#isApart = false;
    this.text += piece;
  }

  append(other: TextBuilder): void {
    if (other.#beginsApart) this.separate();
    this.add(other.text);
    if (other.#isApart) this.separate();
  }

  /** Puts a space before the next piece. */
  separate(): void {
    this.#isApart = true;
  }

  mark(): TextMark {
    return { length: this.text.length, isApart: this.#isApart };
  }

  isEmptySince(mark: TextMark): boolean {
    return this.text.length === mark.length;
  }

  /** Undoes `separate()` calls since the mark if no text followed. */
  closeGap(mark: TextMark): void {
    if (this.isEmptySince(mark)) this.#isApart = mark.isApart;
  }
}

/** Soft hyphens, zero-width characters, and private-use characters (glyphs of icon fonts). */
const nonTextCharacters = /[\u00AD\u200B\u2060\uE000-\uF8FF]|[\uDB80-\uDBFF][\uDC00-\uDFFF]/g;
const anyNonText = /[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;
// Tested first, because most text needs no change and replacing costs more.
const unfolded = /^\s|[^\S ]|\s\s|\s$|[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;

function withoutNonText(text: string): string {
  return anyNonText.test(text) ? text.replace(nonTextCharacters, '') : text;
}

/** Collapses white space, removes invisible characters, and truncates very long text. */
export function foldSpace(text: string): string {
  // Results truncate longer text anyway, and normalizing it can block the page for tens of seconds.
  const bounded = text.length > PAGE_BOUNDS.plainText ? text.slice(0, PAGE_BOUNDS.plainText) : text;
  return unfolded.test(bounded) ? collapseSpace(withoutNonText(bounded)).trim() : bounded;
}

/** Matches white space that is not a single space, because matching every space takes ten times as long. */
const longSpace = / \s+|[^\S ]\s*/g;

/** Replaces each run of white space with one space. */
export function collapseSpace(text: string): string {
  return text.replace(longSpace, ' ');
}

/** True if the text has visible characters. */
export function hasVisibleText(text: string): boolean {
  return foldSpace(text) !== '';
}
