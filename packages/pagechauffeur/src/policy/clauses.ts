import { type Names, placeholderParts, replacePlaceholders } from '../util/placeholders.ts';
import { quotedTexts } from '../util/quotes.ts';
import { folded } from './words.ts';

/** One thing that an instruction says, as rules read it: by its own words, however it is punctuated. */
export interface Clause {
  /** As it was written, courtesies left out, with a sign in place of each quotation and placeholder. */
  readonly sealed: string;
  /** The same in lower case and without accents. */
  readonly text: string;
}

/** Characters that Unicode keeps for private use stand for what is not read as words. */
const FIRST_QUOTATION = 0xe000;
const LAST_QUOTATION = 0xefff;
const EMPTY_QUOTATION = '\uF000';
const PLACEHOLDER = '\uF001';
const QUOTATIONS = /[\uE000-\uEFFF]/;
const WHOLE_QUOTATION = /^\s*[\uE000-\uEFFF][\s.!?]*$/;

/** Whether words hold a quotation that is not empty. */
export function hasQuotation(words: string): boolean {
  return QUOTATIONS.test(words);
}

/** Whether words hold the placeholder of a variable. */
export function hasPlaceholder(words: string): boolean {
  return words.includes(PLACEHOLDER);
}

const CLAUSE_ENDS = {
  /** Between sentences and their parts, each with all that its verb is said with. */
  sentence: /[,;.!?\n]\s+|\s+(?:and then|then|and|or|und|dann|danach|et|puis|y|luego|e poi)\s+/,
  /** Wherever another verb may begin. */
  verb: /[,;.!?]\s*|\s*\n\s*|\s+(?:[–—→>›|-]|->|=>)\s+|\s+(?:and|then|or|before|after|by|to|und|dann|danach|et|puis|y|luego|poi)\s+/,
} as const;
/** What only sets a verb apart from what it is about: "click → Save". */
const AFTER_VERB_ALONE =
  /^(?<verb>\s*[\p{L}-]+(?:\s+(?:on|at|in|to|into|the|auf|sur|en|su|на))*)\s*(?:\n|\s(?:[–—→>›|-]|->|=>)\s)\s*/iu;

/** How somebody is asked politely, or told when. */
const COURTESY =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|next|first|finally|and|so|just|also|bitte|por favor|s['’]il (?:vous|te) pla[iî]t)\b[,:!\s]*|(?:hey|hi|hello)[,!]\s*|(?:can|could|would|will) you\s+|(?:i|we)(?:['’]d| would)? (?:want|need|like)(?: you)? to\s+|(?:i|we|you) (?:have|need|ought) to\s+|let(?:['’]s| us) |go ahead and |try to |(?:make|be) sure to\s+|remember to\s+|you (?:should|must)\s+)+/i;
/** Bullets, arrows and numbers of a list. */
const LIST_MARK = /^(?:[^\p{L}\p{N}\p{Co}]+|\(?(?:\d{1,3}|[a-z])[.)]\s+)+/iu;
/** What stands before a colon and says only what kind of thing follows, or where: "Task: click Save", "In the dialog: click Save". */
const LABEL =
  /^(?:(?:task|to-?do|step|instruction|action|goal|command|request|aufgabe|schritt|anweisung|t[aâ]che|[ée]tape|tarea|paso|compito|passo)(?:\s+\d+)?|(?:in|on|at|under|within|inside)\s[^,;.!?:\n]{1,60})\s*[:–—-]\s+/i;

/** An instruction, read once for all rules. */
export class InstructionText {
  /** As models read it. */
  readonly text: string;
  readonly #variables: Names;
  readonly #sealed: string;
  readonly #quotations: string[] = [];

  constructor(text: string, variables: Names) {
    this.text = text;
    this.#variables = variables;
    this.#sealed = this.#seal(text, variables);
  }

  /** What it says inside, if all of it stands in quotation marks; otherwise itself. */
  get unquoted(): InstructionText {
    const inner = WHOLE_QUOTATION.test(this.#sealed) ? this.quotationAt(plain(this.#sealed)) : undefined;
    return inner === undefined ? this : new InstructionText(inner, this.#variables);
  }

  /** The user's own words: placeholders of variables are none. */
  get ownWords(): string {
    return replacePlaceholders(this.text, this.#variables, () => ' ');
  }

  /** Whether it has quotation marks with nothing between them. */
  get hasEmptyQuotation(): boolean {
    return this.#sealed.includes(EMPTY_QUOTATION);
  }

  /** What it says, clause by clause; none of them is empty. */
  clauses(end: keyof typeof CLAUSE_ENDS): readonly Clause[] {
    return plain(this.#sealed)
      .replace(AFTER_VERB_ALONE, '$<verb>: ')
      .split(CLAUSE_ENDS[end])
      .map(plain)
      .filter((sealed) => sealed !== '')
      .map((sealed) => ({ sealed, text: folded(sealed) }));
  }

  /** The quotation that words begin with; undefined if they begin otherwise. */
  quotationAt(words: string): string | undefined {
    return this.#quotations[words.charCodeAt(0) - FIRST_QUOTATION];
  }

  #seal(text: string, variables: Names): string {
    let sealed = '';
    let read = 0;
    for (const { start, end, inner } of quotedTexts(text)) {
      if (FIRST_QUOTATION + this.#quotations.length > LAST_QUOTATION) break;
      sealed += sealPlaceholders(text.slice(read, start), variables);
      // A placeholder is one with quotation marks around it, too.
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

/** Words without what comes before the verb: list marks, courtesies, labels. */
function plain(words: string): string {
  let rest = words.trim();
  for (let before = ''; before !== rest;) {
    before = rest;
    for (const part of [LIST_MARK, COURTESY, LABEL]) rest = rest.replace(part, '');
  }
  return rest.trim();
}
