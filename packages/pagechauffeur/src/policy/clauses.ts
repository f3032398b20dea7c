import { type Names, placeholderParts, replacePlaceholders } from '../util/placeholders.ts';
import { quotedTexts } from '../util/quotes.ts';
import { folded } from './words.ts';

/** One clause of an instruction, without list marks, polite phrases and punctuation. */
export interface Clause {
  /**
   * The original text without list marks, polite phrases and labels. Each quotation and placeholder is replaced by one
   * private-use character.
   */
  readonly sealed: string;
  /** `sealed` in lower case and without accents. */
  readonly text: string;
}

/** Private-use characters replace quotations and placeholders, so that the rules do not read these as words. */
const FIRST_QUOTATION = 0xe000;
const LAST_QUOTATION = 0xefff;
const EMPTY_QUOTATION = '\uF000';
const PLACEHOLDER = '\uF001';
const QUOTATIONS = /[\uE000-\uEFFF]/;
const WHOLE_QUOTATION = /^\s*[\uE000-\uEFFF][\s.!?]*$/;

/** True if the text contains a quotation that is not empty. */
export function hasQuotation(words: string): boolean {
  return QUOTATIONS.test(words);
}

/** True if the text contains the placeholder of a variable. */
export function hasPlaceholder(words: string): boolean {
  return words.includes(PLACEHOLDER);
}

const CLAUSE_ENDS = {
  /** Splits between sentences and their parts, but keeps the objects of a verb together. */
  sentence: /[,;.!?\n]\s+|\s+(?:and then|then|and|or|und|dann|danach|et|puis|y|luego|e poi)\s+/,
  /** Splits wherever another verb can start. */
  verb: /[,;.!?]\s*|\s*\n\s*|\s+(?:[–—→>›|-]|->|=>)\s+|\s+(?:and|then|or|before|after|by|to|und|dann|danach|et|puis|y|luego|poi)\s+/,
} as const;
/** A verb and the separator before its object: "click → Save". */
const AFTER_VERB_ALONE =
  /^(?<verb>\s*[\p{L}-]+(?:\s+(?:on|at|in|to|into|the|auf|sur|en|su|на))*)\s*(?:\n|\s(?:[–—→>›|-]|->|=>)\s)\s*/iu;

/** Polite phrases and time words at the start of an instruction. */
const COURTESY =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|next|first|finally|and|so|just|also|bitte|por favor|s['’]il (?:vous|te) pla[iî]t)\b[,:!\s]*|(?:hey|hi|hello)[,!]\s*|(?:can|could|would|will) you\s+|(?:i|we)(?:['’]d| would)? (?:want|need|like)(?: you)? to\s+|(?:i|we|you) (?:have|need|ought) to\s+|let(?:['’]s| us) |go ahead and |try to |(?:make|be) sure to\s+|remember to\s+|you (?:should|must)\s+)+/i;
/** Bullets, arrows and numbers of a list. */
const LIST_MARK = /^(?:[^\p{L}\p{N}\p{Co}]+|\(?(?:\d{1,3}|[a-z])[.)]\s+)+/iu;
/** Labels before a colon that say what follows or where to act: "Task: click Save", "In the dialog: click Save". */
const LABEL =
  /^(?:(?:task|to-?do|step|instruction|action|goal|command|request|aufgabe|schritt|anweisung|t[aâ]che|[ée]tape|tarea|paso|compito|passo)(?:\s+\d+)?|(?:in|on|at|under|within|inside)\s[^,;.!?:\n]{1,60})\s*[:–—-]\s+/i;

/** An instruction, parsed once for all rules. */
export class InstructionText {
  /** The instruction as sent to models. */
  readonly text: string;
  readonly #variables: Names;
  readonly #sealed: string;
  readonly #quotations: string[] = [];

  constructor(text: string, variables: Names) {
    this.text = text;
    this.#variables = variables;
    this.#sealed = this.#seal(text, variables);
  }

  /** The quoted text if the whole instruction is in quotation marks, else the instruction itself. */
  get unquoted(): InstructionText {
    const inner = WHOLE_QUOTATION.test(this.#sealed) ? this.quotationAt(fromVerb(this.#sealed)) : undefined;
    return inner === undefined ? this : new InstructionText(inner, this.#variables);
  }

  /** The user's own words, without placeholders. */
  get ownWords(): string {
    return replacePlaceholders(this.text, this.#variables, () => ' ');
  }

  /** True if the instruction contains empty quotation marks. */
  get hasEmptyQuotation(): boolean {
    return this.#sealed.includes(EMPTY_QUOTATION);
  }

  /** Returns the clauses of the instruction, without empty ones. */
  clauses(end: keyof typeof CLAUSE_ENDS): readonly Clause[] {
    return fromVerb(this.#sealed)
      .replace(AFTER_VERB_ALONE, '$<verb>: ')
      .split(CLAUSE_ENDS[end])
      .map(fromVerb)
      .filter((sealed) => sealed !== '')
      .map((sealed) => ({ sealed, text: folded(sealed) }));
  }

  /** Returns the quotation at the start of the text, or `undefined`. */
  quotationAt(words: string): string | undefined {
    return this.#quotations[words.charCodeAt(0) - FIRST_QUOTATION];
  }

  #seal(text: string, variables: Names): string {
    let sealed = '';
    let read = 0;
    for (const { start, end, inner } of quotedTexts(text)) {
      if (FIRST_QUOTATION + this.#quotations.length > LAST_QUOTATION) break;
      sealed += sealPlaceholders(text.slice(read, start), variables);
      // A placeholder in quotation marks is still a placeholder.
      const isPlaceholder = sealPlaceholders(inner, variables) === PLACEHOLDER;
      sealed += isPlaceholder ? PLACEHOLDER : this.#signOf(inner);
      read = end;
    }
    return sealed + sealPlaceholders(text.slice(read), variables);
  }

  #signOf(inner: string): string {
    if (inner.trim() === '') return EMPTY_QUOTATION;
    return String.fromCharCode(FIRST_QUOTATION + this.#quotations.push(inner) - 1);
  }
}

function sealPlaceholders(text: string, variables: Names): string {
  return placeholderParts(text.replace(/\p{Co}/gu, ' '), variables)
    .map((part) => (part.kind === 'placeholder' ? PLACEHOLDER : part.text))
    .join('');
}

/** Removes list marks, polite phrases and labels before the verb. */
export function fromVerb(words: string): string {
  let rest = words.trim();
  for (let before = ''; before !== rest;) {
    before = rest;
    for (const part of [LIST_MARK, COURTESY, LABEL]) rest = rest.replace(part, '');
  }
  return rest.trim();
}
