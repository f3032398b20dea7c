import {
  isPlaceholder as isPlaceholderOf,
  LIKELY_NAMES,
  type Names,
  placeholderParts,
} from '../../util/placeholders.ts';
import { quotedTexts } from '../../util/quotes.ts';

/** Where the signs that stand for quoted text begin; Unicode keeps these for private use. */
const FIRST_SIGN = 0xe000;
/** So many signs there are; quoted texts beyond that stay as they are. */
const MOST_HIDDEN = 0x400;
const SIGNS = /[\uE000-\uE3FF]/g;

/** A sentence in which each quoted text and each `%name%` is one sign, so that the grammar does not look inside. */
export class MaskedText {
  readonly text: string;
  readonly #hidden: string[] = [];
  readonly #whole: string[] = [];

  /** Without `variables` what looks like a placeholder is one. */
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

  /** The original text of a part, without the quotation marks. */
  reveal(part: string): string {
    return part.replace(SIGNS, (sign) => this.#hidden[sign.charCodeAt(0) - FIRST_SIGN] ?? '');
  }

  /** The original text of a part as it was written. */
  restore(part: string): string {
    return part.replace(SIGNS, (sign) => this.#whole[sign.charCodeAt(0) - FIRST_SIGN] ?? '');
  }

  /** The quoted texts in a part, placeholders left out. */
  quotesIn(part: string): readonly string[] {
    return (part.match(SIGNS) ?? [])
      .map((sign) => this.reveal(sign))
      .filter((text) => text !== '' && !isPlaceholder(text));
  }
}

/** Whether a text is a `%name%` placeholder, as far as its form tells. */
export function isPlaceholder(text: string): boolean {
  return isPlaceholderOf(text, LIKELY_NAMES);
}

/** A part without signs for hidden texts. */
export function withoutHidden(part: string): string {
  return part.replace(SIGNS, ' ');
}
