import {
  isPlaceholder as isPlaceholderOf,
  LIKELY_NAMES,
  type Names,
  placeholderParts,
} from '../../util/placeholders.ts';
import { quotedTexts } from '../../util/quotes.ts';

/** The first mask character, from a private use area of Unicode. */
const FIRST_SIGN = 0xe000;
/** Number of mask characters. If there are more quoted texts, the rest is not masked. */
const MOST_HIDDEN = 0x400;
const SIGNS = /[\uE000-\uE3FF]/g;

/**
 * A sentence in which each quoted text and each `%name%` is replaced with one character, so that grammar rules do not
 * match inside.
 */
export class MaskedText {
  readonly text: string;
  readonly #hidden: string[] = [];
  readonly #whole: string[] = [];

  /** Without `variables`, every text in the form of a placeholder counts as one. */
  constructor(sentence: string, variables: Names = LIKELY_NAMES) {
    let masked = '';
    let read = 0;
    for (const { start, end, inner } of quotedTexts(sentence)) {
      masked += this.#withoutPlaceholders(sentence.slice(read, start), variables);
      masked += this.#sign(inner, sentence.slice(start, end));
      read = end;
    }
    this.text = masked + this.#withoutPlaceholders(sentence.slice(read), variables);
  }

  #withoutPlaceholders(text: string, variables: Names): string {
    return placeholderParts(text, variables)
      .map((part) => (part.kind === 'placeholder' ? this.#sign(part.text, part.text) : part.text))
      .join('');
  }

  #sign(inner: string, whole: string): string {
    if (this.#hidden.length === MOST_HIDDEN) return whole;
    this.#hidden.push(inner);
    this.#whole.push(whole);
    return String.fromCharCode(FIRST_SIGN + this.#hidden.length - 1);
  }

  /** Restores the original text of a part, without quotation marks. */
  reveal(part: string): string {
    return part.replace(SIGNS, (sign) => this.#hidden[sign.charCodeAt(0) - FIRST_SIGN] ?? '');
  }

  /** Restores the original text of a part, with quotation marks. */
  restore(part: string): string {
    return part.replace(SIGNS, (sign) => this.#whole[sign.charCodeAt(0) - FIRST_SIGN] ?? '');
  }

  /** Returns the quoted texts in a part, without placeholders. */
  quotesIn(part: string): readonly string[] {
    return (part.match(SIGNS) ?? [])
      .map((sign) => this.reveal(sign))
      .filter((text) => text !== '' && !isPlaceholder(text));
  }
}

/** True if a text has the form of a `%name%` placeholder. */
export function isPlaceholder(text: string): boolean {
  return isPlaceholderOf(text, LIKELY_NAMES);
}

/** Returns a part without masked texts. */
export function withoutHidden(part: string): string {
  return part.replace(SIGNS, ' ');
}
