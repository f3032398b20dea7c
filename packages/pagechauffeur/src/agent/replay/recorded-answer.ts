import { replacePlaceholders } from '../../util/placeholders.ts';
import { quotedTexts } from '../../util/quotes.ts';
import { wordsIn } from '../../policy/words.ts';
import type { KnownTexts } from './known-texts.ts';

interface AnsweredTask extends KnownTexts {
  readonly actions: readonly string[];
}

/**
 * True if an answer only confirms that the task is done, so that it also holds after a replay. The task must not ask
 * for information. All numbers and quotes in the answer, and all names that a page has shown, must come from the task or
 * the actions.
 */
export function isReplayableAnswer(
  answer: string,
  { instruction, variables, actions, hasShown }: AnsweredTask,
): boolean {
  if (answer.length > MAX_LENGTH || ASKS.test(replacePlaceholders(instruction, variables, () => ' '))) return false;
  const known = new Set([instruction, ...actions].flatMap((text) => wordsIn(text)));
  const isKnown = (text: string): boolean => wordsIn(text).every((word) => known.has(word));
  const facts = [...(answer.match(FACT) ?? []), ...quotedTexts(answer).map(({ inner }) => inner)];
  if (!facts.every(isKnown)) return false;
  return [...answer.matchAll(NAME)].every(([, name = '']) => isKnown(name) || !hasShown(name));
}

/** Numbers, email addresses and host names. */
const FACT = /[^\s"“”„«»]*\d[^\s"“”„«»]*|[^\s"“”„«»]*[\p{L}\p{N}][.:/@]+[\p{L}\p{N}][^\s"“”„«»]*/gu;
/** Longer answers are likely to contain information from the page. */
const MAX_LENGTH = 500;
/** Capitalized words that do not start a sentence. */
const NAME = /(?<=[\p{L}\p{N},;)]\s)(\p{Lu}[\p{L}\p{N}-]+(?:\s\p{Lu}[\p{L}\p{N}-]+)*)/gu;

const ASKS = new RegExp(
  [
    String.raw`[?？](?:\s|$)`,
    String.raw`\b(?:what|how (?:many|much|long|old|often|far|high|big)|who|whose|whether)\b`,
    String.raw`(?:^|[.,;:!\n]\s*|\b(?:and|then)\s+)(?:please\s+)?(?:tell|report|read|list|say|count|give me|show me|find out|look up|summari[sz]e|extract|compare|determine|identify|which|when|where|why)\b`,
    String.raw`\b(?:sag(?:e)? mir|nenne|wie ?viele?|welche[rsnm]?|dis-moi|combien|quel(?:le)?s?|dime|cuánt[oa]s?|cuál(?:es)?|qué|dimmi|quant[oaie])\b`,
  ].join('|'),
  'iu',
);
