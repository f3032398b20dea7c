import { LLMResponseError } from '../../errors.ts';
import { answerExtract } from '../extract/answer-extract.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { wordsOf } from '../text/words.ts';
import type { Claim } from './clause.ts';
import { isSupported } from './check-claim.ts';
import { readClaim } from './read-claim.ts';
import { ownersSpelledOut, requestedRecord } from './pronouns.ts';
import { callOf, calls, cannot, OVER, type Plan, type Situation } from './situation.ts';

const TEXT: JsonSchema = {
  type: 'object',
  properties: { extraction: { type: 'string' } },
  required: ['extraction'],
};

const JOINT = /,?\s+and\s+(?=(?:the|its|their|what|which|who|when|where|how|whether|if)\b)/i;

/** Reads the requested values from the page. Fails if one of them is not found. */
export function planRead(situation: Situation, asked: string): Plan {
  const answers: string[] = [];
  for (const question of asked.split(JOINT)) {
    const answer = answerTo(situation, question);
    if (answer === undefined) return cannot(`nothing on the page answers ${JSON.stringify(question)}`);
    answers.push(answer);
  }
  return { kind: 'over', answer: answers.join('\n') };
}

function answerTo(situation: Situation, question: string): string | undefined {
  const said = /^(?:whether|if) (?<claim>.+)$/i.exec(question)?.groups?.['claim'];
  if (said !== undefined)
    return /\b(?:it|they)\b/i.test(said) ? undefined : isSupported(situation.index, readClaim(said)) ? 'yes' : 'no';
  const near = requestedRecord(question, situation);
  for (const index of near ? [near, situation.index] : [situation.index])
    for (const instruction of ownersSpelledOut(question, situation)) {
      const answer = readText(index, instruction);
      if (answer !== undefined && isAbout(index, { answer, question })) return answer;
    }
  return undefined;
}

function readText(index: Situation['index'], instruction: string): string | undefined {
  try {
    const { extraction } = answerExtract(index, { instruction, schema: TEXT }) as { extraction?: unknown };
    return typeof extraction === 'string' && extraction !== '' ? extraction : undefined;
  } catch (error) {
    if (error instanceof LLMResponseError) return undefined;
    throw error;
  }
}

/**
 * An answer of at least this many words is a sentence, which may share words with the question without answering it.
 */
const SENTENCE = 6;

/** True if the answer is plausible for the question. The name of a button never is. */
function isAbout(index: Situation['index'], { answer, question }: { answer: string; question: string }): boolean {
  const lines = index.lines.filter(({ node }) => node.name === answer);
  if (lines.length > 0 && lines.every(({ node }) => node.role === 'button')) return false;
  if (wordsOf(answer).length < SENTENCE) return true;
  const distinctive = wordsOf(question).filter(({ text }) => !isStopWord(text) && !isWeakVerb(text));
  return isSupported(index, { words: distinctive.map(({ text }) => text).join(' '), isNegated: false });
}

/** Timeout for text that a check expects. */
const TIMEOUT_MS = 2000;
/** Checks a claim. If quoted text is missing, waits for it once. */
export function planCheck(situation: Situation, claim: Claim): Plan {
  if (isSupported(situation.index, claim)) return OVER;
  const isWaited = situation.pastCalls.some(({ tool }) => tool === 'wait');
  if (isWaited || !situation.tools.has('wait')) return cannot(claimText(claim));
  const text = quoteOf(claim);
  if (claim.isNegated || text === undefined) return cannot(claimText(claim));
  return calls([{ tool: 'wait', input: { text, timeout: TIMEOUT_MS } }], situation.part);
}

/** Waits until the text of the claim appears or disappears. Without a claim, waits until the page settles. */
export function planWait(situation: Situation, claim: Claim | null): Plan {
  if (claim && isSupported(situation.index, claim)) return OVER;
  if (!claim) return situation.tools.has('wait') ? calls([{ tool: 'wait', input: {} }]) : OVER;
  const text = quoteOf(claim) ?? claim.words.replace(/^(?:the|an?) /i, '');
  return callOf(situation, 'wait', { text, ...(claim.isNegated && { until: 'gone' }) });
}

function quoteOf({ words }: Claim): string | undefined {
  const masked = new MaskedText(words);
  return masked.quotesIn(masked.text)[0];
}

function claimText({ words, isNegated }: Claim): string {
  return isNegated ? `the page shows ${words}` : `the page does not show ${words}`;
}
