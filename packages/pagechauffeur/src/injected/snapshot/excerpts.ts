import { tokensIn } from './token-estimate.ts';

/** The parts of a text that are shown. */
export interface Excerpt {
  readonly text: string;
  /** The size of the omitted text after it, such as `38,200 more words`. Empty at the end of the text. */
  readonly rest: string;
}

/** Decides how much of each text is shown. */
export interface TextCut {
  /** Returns the excerpt of a text to show; `null` to show the whole text. `ref` is the ref of the text's line. */
  excerpt(text: string, ref: number): Excerpt | null;
  /** Returns the estimated tokens of a text. */
  tokensIn(text: string): number;
}

/** Shows all texts completely. */
export const UNCUT: TextCut = { excerpt: () => null, tokensIn };

/** An excerpt ends between words if a word ends at most this many characters before the limit. */
const WORD_REACH = 30;
/** The fraction of the limit for the beginning of the text; the rest is for the match of the instruction. */
const BEGINNING_SHARE = 0.25;
/** If words are longer on average, as in minified code or Chinese, sizes are given in characters. */
const LONGEST_MEAN_WORD = 20;

/**
 * Returns the beginning of a text. If `spot`, the match of the instruction, is further back, also returns the text near
 * it.
 */
export function excerptOf(text: string, limit: number, spot = 0): Excerpt {
  if (spot < limit * (1 - BEGINNING_SHARE)) return endingAt(text, wordEnd(text, limit));
  const start = wordEnd(text, Math.max(1, Math.floor(limit * BEGINNING_SHARE)));
  const from = Math.max(start, wordEnd(text, Math.floor(spot - limit * BEGINNING_SHARE)));
  const { text: window, rest } = endingAt(text, wordEnd(text, from + limit - start), from);
  const between = from - start < 2 ? '' : ` … ${sizeOf(text.slice(start, from))} … `;
  return { text: `${text.slice(0, start)}${between}${window.trimStart()}`, rest };
}

function endingAt(text: string, end: number, from = 0): Excerpt {
  const rest = text.slice(end);
  return { text: text.slice(from, end), rest: rest.trim() === '' ? '' : moreThan(rest) };
}

/**
 * Returns where an excerpt ends: after the last word within the limit, or at the limit if that word ends too far before
 * it.
 */
function wordEnd(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const space = text.lastIndexOf(' ', limit);
  const end = space > 0 && limit - space <= WORD_REACH ? space : limit;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function moreThan(text: string): string {
  const [count = '', unit = ''] = sizeOf(text).split(' ');
  return `${count} more ${unit}`;
}

/** Formats the size of a text: `38,200 words`. Uses characters if its words are long. */
function sizeOf(text: string): string {
  const words = wordCount(text);
  if (text.length > words * LONGEST_MEAN_WORD) return `${grouped(text.length)} characters`;
  return `${grouped(words)} ${words === 1 ? 'word' : 'words'}`;
}

function wordCount(text: string): number {
  let count = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = text.charCodeAt(index) === 32;
    if (!isSpace && !isInWord) count += 1;
    isInWord = !isSpace;
  }
  return count;
}

// `toLocaleString` would use the browser's language.
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
