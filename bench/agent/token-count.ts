import { countTokens } from 'gpt-tokenizer';
import type { SentQuestion } from './measured-model.ts';

/** Tokens in all requests of a run, in the encoding o200k_base. */
export interface TokenCount {
  readonly input: number;
  /** Tokens of prefixes that an earlier request of the run shares, which providers can cache. */
  readonly repeated: number;
}

export function countSent(sent: readonly SentQuestion[]): TokenCount {
  const texts = sent.map(({ text }) => text);
  return {
    input: sum(texts.map((text) => countTokens(text))),
    repeated: sum(
      texts.map((text, index) => countTokens(text.slice(0, longestBeginning(text, texts.slice(0, index))))),
    ),
  };
}

/** Returns the length of the longest prefix that the text shares with one of the others, in characters. */
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
