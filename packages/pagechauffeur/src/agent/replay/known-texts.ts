import { type Names, replacePlaceholders } from '../../util/placeholders.ts';
import { InstructionText } from '../../policy/clauses.ts';
import { originOf } from '../../policy/derived-text.ts';
import { isDateOrTime, DatePhrases } from '../../policy/date-phrases.ts';
import { leavesNumberOpen } from '../../policy/text-source.ts';
import { wordsIn } from '../../policy/words.ts';

/** What {@link notReplayableReason} compares text with. */
export interface KnownTexts {
  readonly instruction: string;
  readonly variables: Names;
  /** True if a page or a tool result contained the text. */
  readonly hasShown: (text: string) => boolean;
}

/** Returns why typed text may be different in the next run. Returns `undefined` if a replay can type it again. */
export function notReplayableReason(
  text: string,
  { instruction, variables, hasShown }: KnownTexts,
): string | undefined {
  const own = replacePlaceholders(text, variables, () => ' ').trim();
  if (wordsIn(own).length === 0) return undefined;
  if (new DatePhrases(instruction).areRelative && isDateOrTime(own)) return 'it depends on the date';
  const instructionText = new InstructionText(instruction, variables);
  if (originOf(own, { instruction: instructionText, fieldName: '', pageText: () => '' }) === 'instruction')
    return undefined;
  if (hasShown(own)) return 'it was read from a page, which can show something else next time';
  if (leavesNumberOpen(own, instruction)) return 'it was derived from page content';
  return /\d/.test(own) ? 'it contains numbers that are not in the task' : undefined;
}

/** True if the text contains these words in this order. */
export function hasWords(text: string, words: string): boolean {
  const sought = wordsIn(words).join(' ');
  return sought !== '' && ` ${wordsIn(text).join(' ')} `.includes(` ${sought} `);
}
