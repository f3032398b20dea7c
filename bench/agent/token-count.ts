import { countTokens } from 'gpt-tokenizer';
import type { SentQuestion } from './measured-model.ts';

/** What the questions of a run have in tokens of the o200k_base encoding. */
export interface TokenCount {
  readonly input: number;
  /** Those at the beginning of a question with which an earlier one of the run began, too. */
  readonly repeated: number;
}

/** Counts the tokens of all questions of a run. */
export function countSent(sent: readonly SentQuestion[]): TokenCount {
  const texts = sent.map(({ text }) => text);
  return {
    input: sum(texts.map((text) => countTokens(text))),
    repeated: sum(
      texts.map((text, index) => countTokens(text.slice(0, longestBeginning(text, texts.slice(0, index))))),
    ),
  };
}

/** How many characters at the beginning of a text stand at the beginning of one of the others. */
function longestBeginning(text: string, others: readonly string[]): number {
  return Math.max(0, ...others.map((other) => commonBeginning(text, other)));
}

function commonBeginning(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
