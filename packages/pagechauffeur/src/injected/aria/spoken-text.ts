import { PAGE_BOUNDS } from '../../page-bounds.ts';

/** How far a text was at some point. */
interface SpokenMark {
  readonly length: number;
  readonly isApart: boolean;
}

/** Text put together from pieces, with one space where two of them stand apart. */
export class SpokenText {
  text = '';
  #isApart = false;
  /** Whether the text stands apart from whatever comes before it. */
  #beginsApart = false;

  /** Adds a piece right after what is there. A glyph of an icon font is no piece: the element around it may have a title. */
  add(written: string): void {
    const piece = withoutWordless(written);
    if (piece === '') return;
    if (this.text === '') this.#beginsApart = this.#isApart;
    else if (this.#isApart) this.text += ' ';
    this.#isApart = false;
    this.text += piece;
  }

  /** Adds all that another text says. */
  append(other: SpokenText): void {
    if (other.#beginsApart) this.separate();
    this.add(other.text);
    if (other.#isApart) this.separate();
  }

  /** Whatever comes next stands apart from what is there. */
  separate(): void {
    this.#isApart = true;
  }

  /** Remembers how far the text is. */
  mark(): SpokenMark {
    return { length: this.text.length, isApart: this.#isApart };
  }

  /** Whether nothing was added since the mark. */
  isEmptySince(mark: SpokenMark): boolean {
    return this.text.length === mark.length;
  }

  /** Takes back a gap that was left since the mark around nothing. */
  closeGap(mark: SpokenMark): void {
    if (this.isEmptySince(mark)) this.#isApart = mark.isApart;
  }
}

/** Marks where a word may be broken, and the private-use characters of Unicode, to which icon fonts give a shape. */
const wordless = /[\u00AD\u200B\u2060\uE000-\uF8FF]|[\uDB80-\uDBFF][\uDC00-\uDFFF]/g;
const mayBeWordless = /[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;
// Most text is as it should be; looking is cheaper than writing it anew.
const unfolded = /^\s|[^\S ]|\s\s|\s$|[\u00AD\u200B\u2060\uE000-\uF8FF\uDB80-\uDBFF]/;

function withoutWordless(text: string): string {
  return mayBeWordless.test(text) ? text.replace(wordless, '') : text;
}

/** White space folded to single spaces, none at the ends; characters that say nothing left out. */
export function foldSpace(text: string): string {
  // What is longer is cut off in any answer, and takes the page tens of seconds.
  const words = text.length > PAGE_BOUNDS.plainText ? text.slice(0, PAGE_BOUNDS.plainText) : text;
  if (!unfolded.test(words)) return words;
  return words.replace(wordless, '').replace(/\s+/g, ' ').trim();
}

/** Whether a text has words, or at least signs that a person can read. */
export function saysSomething(text: string): boolean {
  return foldSpace(text) !== '';
}
