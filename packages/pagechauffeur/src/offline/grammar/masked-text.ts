import {
  isPlaceholder as isPlaceholderOf,
  LIKELY_NAMES,
  type Names,
  placeholderParts,
} from '../../util/placeholders.ts';
import { quotedTexts } from '../../util/quotes.ts';

/** Start of the private use area in Unicode. */
const FIRST_MARKER = 0xe000;
/** Number of mask characters. Further quotations and placeholders stay unmasked. */
const MAX_HIDDEN = 0x400;
const MARKERS = /[\uE000-\uE3FF]/g;

/**
 * A sentence in which each quotation and each `%name%` is replaced with one character, so that grammar rules do not
 * match inside them.
 */
export class MaskedText {
  readonly text: string;
  readonly #hidden: string[] = [];
  readonly #whole: string[] = [];

  /** By default, everything in the form `%name%` is masked. */
  constructor(sentence: string, variables: Names = LIKELY_NAMES) {
    let masked = '';
    let read = 0;
    for (const { start, end, inner } of quotedTexts(sentence)) {
      masked += this.#withoutPlaceholders(sentence.slice(read, start), variables);
      masked += this.#marker(inner, sentence.slice(start, end));
      read = end;
    }
    this.text = masked + this.#withoutPlaceholders(sentence.slice(read), variables);
  }

  #withoutPlaceholders(text: string, variables: Names): string {
    return placeholderParts(text, variables)
      .map((part) => (part.kind === 'placeholder' ? this.#marker(part.text, part.text) : part.text))
      .join('');
  }

  #marker(inner: string, whole: string): string {
    if (this.#hidden.length === MAX_HIDDEN) return whole;
    this.#hidden.push(inner);
    this.#whole.push(whole);
    return String.fromCharCode(FIRST_MARKER + this.#hidden.length - 1);
  }

  /** Restores the original text without quotation marks. */
  reveal(part: string): string {
    return part.replace(MARKERS, (marker) => this.#hidden[marker.charCodeAt(0) - FIRST_MARKER] ?? '');
  }

  /** Restores the original text with quotation marks. */
  restore(part: string): string {
    return part.replace(MARKERS, (marker) => this.#whole[marker.charCodeAt(0) - FIRST_MARKER] ?? '');
  }

  /** Returns the quoted strings in a part of the sentence. Excludes placeholders. */
  quotesIn(part: string): readonly string[] {
    return (part.match(MARKERS) ?? [])
      .map((marker) => this.reveal(marker))
      .filter((text) => text !== '' && !isPlaceholder(text));
  }
}

/** True for text in the form `%name%`. */
export function isPlaceholder(text: string): boolean {
  return isPlaceholderOf(text, LIKELY_NAMES);
}

/** Replaces masked parts with spaces. */
export function withoutHidden(part: string): string {
  return part.replace(MARKERS, ' ');
}
