import { areFiguresIn, isNegative } from './figures.ts';
import { folded, isSameWord, squashed, wordsIn } from './words.ts';

/** Why a text may be typed for an instruction; null when nothing in the instruction bears it out. */
export type Origin = 'instruction' | 'left to the model' | 'left to the page';

/**
 * Where a text comes from that is to be typed: from the instruction, word by word or as another way to write its dates, times
 * and numbers; from the model or the page, where the instruction leaves the text to them.
 */
export function originOf(text: string, instruction: string, pageText: () => string): Origin | null {
  if (text.trim() === '') return EMPTYING.test(instruction) ? 'instruction' : null;
  if (isNegative(text) && !isNegative(instruction)) return null;
  if (BREAKS.test(text) && !ASKS_FOR_BREAKS.test(instruction)) return null;
  if (isIn(text, instruction) && areFiguresIn(text, instruction)) return 'instruction';
  if (isRewritten(text, instruction)) return 'instruction';
  if (LEAVES_TO_MODEL.test(instruction) && !QUOTES.test(instruction)) return 'left to the model';
  return LEAVES_TO_PAGE.test(instruction) && isIn(text, pageText()) ? 'left to the page' : null;
}

/** A line break may send a form. */
const BREAKS = /[\n\r\t]/;
const ASKS_FOR_BREAKS = /[\n\r\t]|\\n|\b(?:lines?|paragraphs?)\b/i;
const EMPTYING = /\b(?:clear|empty|erase|delete|remove|reset|blank|nothing|without)\b|""|''/i;
/** "type a random name", "enter some text", "write a short reply": what is typed is for the model to find. */
const LEAVES_TO_MODEL =
  /\b(?:random|dummy|fake|sample|made[- ]up|plausible|realistic|suitable|appropriate|of your choice|whatever|come up with|make up|invent|compose|draft|reply|respond|answer|translate|summari[sz]e|rephrase|test (?:data|values?|text)|example)\b|\b(?:type|enter|write|fill in|input|put in|use|add)\s+(?:some|any|an?)\s+(?![^\s]+\s*$)/i;
/** "type the code shown above": what is typed stands in the page. */
const LEAVES_TO_PAGE =
  /\b(?:shown|displayed|listed|given|printed|mentioned|above|below|same|copy|captcha|on (?:the|this) page|on (?:the )?screen|from the (?:page|table|list|text|message|row))\b/i;
const QUOTES = /["“”«»`]|(?<!\w)'[^']+'/;

/** Whether the letters and digits of a text stand in another one, in a row; or the text itself, when it has none. */
function isIn(text: string, source: string): boolean {
  const letters = squashed(text);
  return letters === '' ? source.includes(text.trim()) : squashed(source).includes(letters);
}

/** Whether each word and number of a text says what one of the instruction does. */
function isRewritten(text: string, instruction: string): boolean {
  if (COLOR.test(text) && COLOR_WORDS.test(instruction)) return true;
  const said = wordsIn(instruction);
  const dates = new DateWords(said);
  if (dates.areRelative && DATE_OR_TIME.test(text)) return true;
  return wordsIn(text).every(
    (word) => said.some((other) => isSameWord(word, other)) || dates.bearOut(word) || ADDED.has(word),
  );
}

const COLOR = /^#[0-9a-f]{3,8}$/i;
const COLOR_WORDS =
  /\b(?:colou?r|red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|cyan|magenta|turquoise|teal|navy|olive|gold|silver|beige)\b/i;
/** A date, a time, or both, in figures. */
const DATE_OR_TIME = /^[\d\s:./,TWZ+-]{3,30}(?:[ap]\.?m\.?)?$/i;
/** What people leave out of addresses. */
const ADDED: ReadonlySet<string> = new Set(['http', 'https', 'www']);

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const RELATIVE = new Set(
  'today tomorrow yesterday tonight now next last this coming monday tuesday wednesday thursday friday saturday sunday week weeks weekend month months day days hour hours minute minutes'.split(
    ' ',
  ),
);

/** The numbers that an instruction speaks of, in figures or words, and what its dates and times come to in figures. */
class DateWords {
  /** Which day or hour is meant follows from when it is said. */
  readonly areRelative: boolean;
  readonly #numbers = new Set<number>();
  readonly #isDate: boolean;

  constructor(said: readonly string[]) {
    for (const word of said) for (const number of numbersOf(word)) this.#numbers.add(number);
    const months = said.flatMap(monthOf);
    for (const month of months) this.#numbers.add(month);
    this.areRelative = said.some((word) => RELATIVE.has(word));
    this.#isDate = months.length > 0;
    if (said.some((word) => /^(?:\d+)?pm$/.test(word)))
      for (const hour of [...this.#numbers]) this.#numbers.add(hour + 12);
    if (said.includes('noon')) this.#numbers.add(12);
    if (said.includes('dozen')) this.#numbers.add(12);
    if (said.includes('half')) this.#numbers.add(30);
    if (said.includes('quarter')) this.#numbers.add(15);
    if (this.#isDate || said.some((word) => /^(?:\d+)?[ap]m$|^noon$|^midnight$|^oclock$|^clock$/.test(word)))
      this.#numbers.add(0);
  }

  /** Whether a word of a text is a number that was spoken of, a part of a date, or the name of its month. */
  bearOut(word: string): boolean {
    const figures = /^(\d+)(?:st|nd|rd|th|t\d+)?$/.exec(word)?.[1];
    if (figures === undefined) return word.length >= 3 && monthOf(word).some((month) => this.#numbers.has(month));
    const number = Number(figures);
    return this.#numbers.has(number) || (this.#isDate && isYearNear(number));
  }
}

function numbersOf(word: string): number[] {
  const figures = /^(\d+)(?:st|nd|rd|th|am|pm)?$/.exec(word)?.[1];
  if (figures !== undefined) return [Number(figures)];
  const named = [UNITS.indexOf(word), ORDINALS.indexOf(word)].find((place) => place >= 0);
  if (named !== undefined) return [named];
  const tens = TENS.indexOf(word);
  return tens < 0 ? [] : [(tens + 2) * 10];
}

function monthOf(word: string): number[] {
  const place = MONTHS.findIndex((month) => word.length >= 3 && month.startsWith(word));
  return place < 0 ? [] : [place + 1];
}

/** A date without a year is one of these years. */
function isYearNear(number: number): boolean {
  const year = new Date().getFullYear();
  return Math.abs(number - year) <= 1;
}

/** Whether a path stands in the instruction as it is. */
export function isPathIn(path: string, instruction: string): boolean {
  const bare = path.replace(/^\.\//, '');
  return bare !== '' && instruction.includes(bare);
}

/** Whether a text of the page has a word that says something in common with the instruction. */
export function isNamedIn(name: string, instruction: string): boolean {
  const said = wordsIn(instruction);
  return wordsIn(name).some((word) => !LITTLE_WORDS.has(word) && said.some((other) => isSameWord(word, other)));
}

const LITTLE_WORDS: ReadonlySet<string> = new Set(
  'a an the of in on at to for from with by and or not no is are was be it its this that your my our you we me all as into onto field box button link'.split(
    ' ',
  ),
);

/** Whether the instruction begins, after its verb, with the whole of a name. */
export function isNamedFirst(name: string, instruction: string): boolean {
  const letters = folded(name).trim();
  if (letters.length < 2) return false;
  const rest = folded(instruction)
    .trim()
    .replace(/^(?:please\s+)?(?:click|tap|press|hit|push)\s+(?:on\s+)?(?:the\s+)?["“'«]?/, '');
  return rest.startsWith(letters) && AFTER_NAME.test(rest.slice(letters.length));
}

/** What comes after a name and does not make it the beginning of something else: "Search" is not named in "the search result". */
const AFTER_NAME =
  /^(?:$|["”'»]|[,.;!?]|\s+(?:button|link|tab|menu|item|option|icon|box|checkbox|in|on|of|at|for|from|under|next|near|to|and|then|with|please|now)\b)/;
