import { MaskedText, withoutHidden } from '../grammar/masked-text.ts';
import { isSameWord } from '../text/concepts.ts';
import { isJoint, isLittleWord } from '../text/plain-words.ts';
import { wordList } from '../text/word-list.ts';
import { stemsOf, type Word, wordsOf } from '../text/words.ts';

/** A word in the instruction that must match the schema or the page. */
export interface InstructionWord {
  readonly text: string;
  readonly stem: string;
  /** True for names, numbers and quoted words. Synonyms do not match them. */
  readonly isName: boolean;
}

/** The beginning of a question, which does not describe the value. */
const ASKING =
  /^(?:please\s+)?(?:(?:can|could|would) you\s+)?(?:(?:what|which|who|when|where|how (?:much|many|long|old|far|high|big))(?:['’]s| is| are| was| were| does| do| did)?|extract|collect|get|read|find|return|give|tell|show|list|fetch|grab|scrape)(?:\s+(?:me|us))?(?:\s+what)?\b/i;
/** Words that refer to the whole page or to the form of the result. */
const SCAFFOLDING = new Set(
  stemsOf(
    'all each every everything everybody everyone list data information info detail page site website screen following value there',
  ),
);
/** The second word of "how much", "how many" and "how long". */
const HELPING = new Set(wordList('much many long'));

export function instructionWords(instruction: string): readonly InstructionWord[] {
  const masked = new MaskedText(instruction);
  const plain = withoutHidden(masked.text).trim();
  const asking = ASKING.exec(plain)?.[0] ?? '';
  const mentioned = wordsOf(plain.slice(asking.length)).filter((word) => isAsked(word));
  const quoted = masked.quotesIn(masked.text).flatMap((quote) => wordsOf(quote));
  return [
    ...mentioned.map(({ text, stem, isCapitalized }, index) => ({
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

/** True if the stems contain the word or a synonym. Names have no synonyms. */
export function isIn({ stem, isName }: Pick<InstructionWord, 'stem' | 'isName'>, stems: Iterable<string>): boolean {
  for (const other of stems) if (other === stem || (!isName && isSameWord(stem, other))) return true;
  return false;
}

export function without(words: readonly InstructionWord[], stems: readonly string[]): readonly InstructionWord[] {
  return words.filter((word) => !isIn(word, stems));
}
