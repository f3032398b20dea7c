import { type Names, placeholderParts, replacePlaceholders } from '../util/placeholders.ts';
import { quotedTexts } from '../util/quotes.ts';
import { folded } from './words.ts';

/** A clause of an instruction, without list marks, polite phrases and labels. */
export interface Clause {
  /** The clause with each quotation and placeholder replaced by one private-use character. */
  readonly sealed: string;
  /** `sealed` in lower case and without accents. */
  readonly text: string;
}

/** Private-use characters replace quotations and placeholders, so that no rule reads these as words. */
const FIRST_QUOTATION = 0xe000;
const LAST_QUOTATION = 0xefff;
const EMPTY_QUOTATION = '\uF000';
const PLACEHOLDER = '\uF001';
const QUOTATIONS = /[\uE000-\uEFFF]/;
const WHOLE_QUOTATION = /^\s*[\uE000-\uEFFF][\s.!?]*$/;

/** True if sealed text (see {@link Clause}) contains a quotation that is not empty. */
export function hasQuotation(words: string): boolean {
  return QUOTATIONS.test(words);
}

/** True if sealed text (see {@link Clause}) contains a placeholder. */
export function hasPlaceholder(words: string): boolean {
  return words.includes(PLACEHOLDER);
}

const CLAUSE_ENDS = {
  /** Splits sentences and their parts, but not at "to" or "by", which can precede a value. */
  sentence: /[,;.!?\n]\s+|\s+(?:and then|then|and|or|und|dann|danach|et|puis|y|luego|e poi)\s+/,
  /** Splits wherever another verb can start. */
  verb: /[,;.!?]\s*|\s*\n\s*|\s+(?:[–—→>›|-]|->|=>)\s+|\s+(?:and|then|or|before|after|by|to|und|dann|danach|et|puis|y|luego|poi)\s+/,
} as const;
/** A verb that a separator divides from its object: "click → Save". */
const AFTER_VERB_ALONE =
  /^(?<verb>\s*[\p{L}-]+(?:\s+(?:on|at|in|to|into|the|auf|sur|en|su|на))*)\s*(?:\n|\s(?:[–—→>›|-]|->|=>)\s)\s*/iu;

/** Polite phrases and time words before the verb. */
const COURTESY =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|next|first|finally|and|so|just|also|bitte|por favor|s['’]il (?:vous|te) pla[iî]t)\b[,:!\s]*|(?:hey|hi|hello)[,!]\s*|(?:can|could|would|will) you\s+|(?:i|we)(?:['’]d| would)? (?:want|need|like)(?: you)? to\s+|(?:i|we|you) (?:have|need|ought) to\s+|let(?:['’]s| us) |go ahead and |try to |(?:make|be) sure to\s+|remember to\s+|you (?:should|must)\s+)+/i;
/** Bullets, arrows and numbers of list items. */
const LIST_MARK = /^(?:[^\p{L}\p{N}\p{Co}]+|\(?(?:\d{1,3}|[a-z])[.)]\s+)+/iu;
/** Labels before the verb: "Task: click Save", "In the dialog: click Save". */
const LABEL =
  /^(?:(?:task|to-?do|step|instruction|action|goal|command|request|aufgabe|schritt|anweisung|t[aâ]che|[ée]tape|tarea|paso|compito|passo)(?:\s+\d+)?|(?:in|on|at|under|within|inside)\s[^,;.!?:\n]{1,60})\s*[:–—-]\s+/i;

/** An instruction with its quotations and placeholders sealed. */
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

  /** The quoted text if quotation marks enclose the whole instruction, else the instruction itself. */
  get unquoted(): InstructionText {
    const inner = WHOLE_QUOTATION.test(this.#sealed) ? this.quotationAt(fromVerb(this.#sealed)) : undefined;
    return inner === undefined ? this : new InstructionText(inner, this.#variables);
  }

  /** The instruction without its placeholders. */
  get ownWords(): string {
    return replacePlaceholders(this.text, this.#variables, () => ' ');
  }

  /** True for instructions such as `type "" into Name`. */
  get hasEmptyQuotation(): boolean {
    return this.#sealed.includes(EMPTY_QUOTATION);
  }

  clauses(end: keyof typeof CLAUSE_ENDS): readonly Clause[] {
    return fromVerb(this.#sealed)
      .replace(AFTER_VERB_ALONE, '$<verb>: ')
      .split(CLAUSE_ENDS[end])
      .map(fromVerb)
      .filter((sealed) => sealed !== '')
      .map((sealed) => ({ sealed, text: folded(sealed) }));
  }

  /** Returns the original quotation if sealed text starts with one. */
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
      sealed += isPlaceholder ? PLACEHOLDER : this.#sealQuotation(inner);
      read = end;
    }
    return sealed + sealPlaceholders(text.slice(read), variables);
  }

  #sealQuotation(inner: string): string {
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
