import { spellSymbols } from './symbols.ts';
import { stem } from './stem.ts';

export interface Word {
  /** In lower case without accents. Acronyms that look like a pronoun, such as "US", stay in upper case. */
  readonly text: string;
  readonly stem: string;
  /** True if the original word had any upper-case letter. */
  readonly isCapitalized: boolean;
}

/** Compounds that are written as one word or two. They are joined, so that "log in" equals "login". */
const COMPOUNDS = new Set([
  'log in',
  'log on',
  'sign in',
  'sign on',
  'log out',
  'log off',
  'sign out',
  'sign off',
  'sign up',
  'check out',
  'drop down',
  'e mail',
  'user name',
  'first name',
  'last name',
  'family name',
  'given name',
  'pass word',
  'wish list',
  'full screen',
  'time zone',
  'home page',
  'web site',
  'post code',
  'zip code',
  'postal code',
  'check box',
  'text box',
  'text field',
  'text area',
  'input field',
  'input box',
  'book mark',
  'short list',
  'sub total',
  'time stamp',
  'day time',
  'read me',
  'tool bar',
  'menu bar',
  'side bar',
  'nav bar',
  'task bar',
]);
const INFLECTED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    logged: 'log',
    signed: 'sign',
    logging: 'log',
    signing: 'sign',
    logs: 'log',
    signs: 'sign',
  }),
);
/** Phrases that mean the same as one of their words: a "shopping cart" is a cart. */
const LONGER_FORMS: readonly (readonly [form: RegExp, plain: string])[] = [
  [/\bshopping (cart|basket|bag|trolley)\b/gi, '$1'],
  [/\b(e-?mail) address(?:es)?\b/gi, '$1'],
  [/\b((?:tele)?phone|mobile) numbers?\b/gi, '$1'],
];
const LARGEST_CACHE = 20_000;
/** Longer text is rarely repeated. */
const LONGEST_CACHED = 200;
const cache = new Map<string, readonly Word[]>();

export function wordsOf(text: string): readonly Word[] {
  const known = cache.get(text);
  if (known) return known;
  const words = joinCompounds(rawWords(text).map(toWord));
  if (text.length <= LONGEST_CACHED && cache.size < LARGEST_CACHE) cache.set(text, words);
  return words;
}

/** Empties the word cache if it is full. Called once per page. */
export function makeRoomForWords(): void {
  if (cache.size >= LARGEST_CACHE) cache.clear();
}

export function stemsOf(text: string): readonly string[] {
  return wordsOf(text).map((word) => word.stem);
}

/** Splits the name of a field into words: `inStock` and `in_stock` become "in Stock" and "in stock". */
export function spellFieldName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.$]+/g, ' ')
    .trim();
}

/** Normalizes text for comparison: lower-case words without accents, separated by single spaces. */
export function foldText(text: string): string {
  return wordsOf(text)
    .map((word) => word.text)
    .join(' ');
}

function rawWords(text: string): readonly string[] {
  const spelled = LONGER_FORMS.reduce((plain, [form, word]) => plain.replace(form, word), spellSymbols(text))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’']s\b/gi, '')
    .replace(/[’']/g, '');
  return spelled.match(/\d+(?:[.,]\d+)+|[\p{L}\p{N}]+/gu) ?? [];
}

/** Acronyms that equal a pronoun in lower case. In "US phone", "US" must not become the stop word "us". */
const ACRONYMS: ReadonlySet<string> = new Set(['US', 'IT', 'WHO', 'ME']);

function toWord(raw: string, _index: number, all: readonly string[]): Word {
  const text = raw.toLowerCase();
  if (ACRONYMS.has(raw) && all.some((other) => /\p{Ll}/u.test(other)))
    return { text: raw, stem: text, isCapitalized: true };
  return { text, stem: /^\d/.test(text) ? text.replace(/,/g, '') : stem(text), isCapitalized: raw !== text };
}

function joinCompounds(words: readonly Word[]): readonly Word[] {
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const first = before && (INFLECTED.get(before.text) ?? before.text);
    if (before && (COMPOUNDS.has(`${first} ${word.text}`) || COMPOUNDS.has(`${first} ${singular(word.text)}`))) {
      const text = `${first}${word.text}`;
      joined[joined.length - 1] = { text, stem: stem(text), isCapitalized: before.isCapitalized };
    } else {
      joined.push(word);
    }
  }
  return joined;
}

function singular(text: string): string {
  return text.replace(/(?<=x)es$|s$/, '');
}

/** Joins "log in" to "login", so that "in" is not taken for a preposition. */
export function joinVerbs(text: string): string {
  return text.replace(/\b(log|sign)(?:g?ed|g?ing|s)? (in|out|off|up|on)\b/gi, '$1$2');
}
