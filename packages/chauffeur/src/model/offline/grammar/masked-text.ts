/** Where the signs that stand for quoted text begin; Unicode keeps these for private use. */
const FIRST_SIGN = 0xe000;
/** So many signs there are; quoted texts beyond that stay as they are. */
const MOST_HIDDEN = 0x400;
const QUOTED =
  /"([^"]*)"|“([^”]*)”|«([^»]*)»|(?<=^|[\s(:])'([^']*)'(?=$|[\s).,:;!?])|(?<=^|[\s(:])‘([^’]*)’|`([^`]*)`|(%\w+%)/g;
const SIGNS = /[\uE000-\uE3FF]/g;

/** A sentence in which each quoted text and each `%name%` is one sign, so that the grammar does not look inside. */
export class MaskedText {
  readonly text: string;
  readonly #hidden: string[] = [];
  readonly #whole: string[] = [];

  constructor(sentence: string) {
    this.text = sentence.replace(QUOTED, (whole: string, ...groups: (string | undefined)[]) => {
      if (this.#hidden.length === MOST_HIDDEN) return whole;
      this.#hidden.push(groups.slice(0, 7).find((group) => typeof group === 'string') ?? '');
      this.#whole.push(whole);
      return String.fromCharCode(FIRST_SIGN + this.#hidden.length - 1);
    });
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

/** Whether a text is a `%name%` placeholder. */
export function isPlaceholder(text: string): boolean {
  return /^%\w+%$/.test(text);
}

/** A part without signs for hidden texts. */
export function withoutHidden(part: string): string {
  return part.replace(SIGNS, ' ');
}
