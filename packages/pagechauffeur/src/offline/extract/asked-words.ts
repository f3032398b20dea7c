import { MaskedText, withoutHidden } from '../grammar/masked-text.ts';
import { isSameWord } from '../text/concepts.ts';
import { isJoint, isLittleWord } from '../text/plain-words.ts';
import { wordList } from '../text/word-list.ts';
import { stemsOf, type Word, wordsOf } from '../text/words.ts';

/** A word in an `extract` instruction that the page or the schema must explain. */
export interface AskedWord {
  /** In lower case, as in the instruction. */
  readonly text: string;
  readonly stem: string;
  /** A name, a number or a quoted word. Synonyms do not match. */
  readonly isName: boolean;
}

/** Phrases that ask without describing what is requested. */
const ASKING =
  /^(?:please\s+)?(?:(?:can|could|would) you\s+)?(?:(?:what|which|who|when|where|how (?:much|many|long|old|far|high|big))(?:['’]s| is| are| was| were| does| do| did)?|extract|collect|get|read|find|return|give|tell|show|list|fetch|grab|scrape)(?:\s+(?:me|us))?(?:\s+what)?\b/i;
/** Words for everything on a page and for the form of the answer. */
const SCAFFOLDING = new Set(
  stemsOf(
    'all each every everything everybody everyone list data information info detail page site website screen following value there',
  ),
);
/** Words that belong to a question, such as "much" in "how much". */
const HELPING = new Set(wordList('much many long'));

/** Words of an instruction that must be explained. Omits words that only ask. */
export function askedWords(instruction: string): readonly AskedWord[] {
  const masked = new MaskedText(instruction);
  const plain = withoutHidden(masked.text).trim();
  const asking = ASKING.exec(plain)?.[0] ?? '';
  const said = wordsOf(plain.slice(asking.length)).filter((word) => isAsked(word));
  const quoted = masked.quotesIn(masked.text).flatMap((quote) => wordsOf(quote));
  return [
    ...said.map(({ text, stem, isCapitalized }, index) => ({
      text,
      stem,
      isName: (isCapitalized && (index > 0 || asking !== '') && text.length > 1) || /\d/.test(text),
    })),
    ...quoted.map(({ text, stem }) => ({ text, stem, isName: true })),
  ];
}

function isAsked({ text, stem, isCapitalized }: Word): boolean {
  if (isCapitalized && (isLittleWord(text) || isJoint(text))) return text.length > 2 && !isLittleWord(text);
  return !isLittleWord(text) && !isJoint(text) && !SCAFFOLDING.has(stem) && !HELPING.has(text);
}

/** True if a word is in a text, by itself or as a synonym. Names must be equal. */
export function isIn({ stem, isName }: Pick<AskedWord, 'stem' | 'isName'>, stems: Iterable<string>): boolean {
  for (const other of stems) if (other === stem || (!isName && isSameWord(stem, other))) return true;
  return false;
}

/** Words that these stems do not explain. */
export function without(words: readonly AskedWord[], stems: readonly string[]): readonly AskedWord[] {
  return words.filter((word) => !isIn(word, stems));
}
