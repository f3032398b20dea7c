import { tokensIn } from './token-estimate.ts';

export interface Excerpt {
  readonly text: string;
  /** The size of the text after the excerpt, such as `38,200 more words`; `''` if there is none. */
  readonly rest: string;
}

export interface TextCut {
  /** Returns `null` to show the whole text. `ref` is that of the line; 0 if it has none. */
  excerpt(text: string, ref: number): Excerpt | null;
  tokensIn(text: string): number;
}

/** Truncates nothing. */
export const UNCUT: TextCut = { excerpt: () => null, tokensIn };

/** An excerpt ends between words if that shortens it by at most this many characters. */
const WORD_REACH = 30;
/** Fraction of the limit for the beginning of the text. The rest is for a match further back, if there is one. */
const BEGINNING_SHARE = 0.25;
/** The same for lines. */
const LINE_REACH = 40;
/** In characters. With longer words on average, as in minified code or Chinese, sizes are given in characters. */
const LONGEST_MEAN_WORD = 20;

/**
 * Returns the beginning of the text. If the instruction matches further back, at `spot`, also returns the text around
 * the match.
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

/** Returns the end of the last word within the limit, or the limit if that word ends too far before it. */
function wordEnd(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const lineBreak = text.lastIndexOf('\n', limit);
  if (lineBreak > 0 && limit - lineBreak <= LINE_REACH) return lineBreak;
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

/** Formats a size as `38,200 words`, in lines if there are several, or in characters if words are long. */
function sizeOf(text: string): string {
  const lines = text.trim().split('\n').length;
  if (lines > 1) return `${grouped(lines)} lines`;
  const words = wordCount(text);
  if (text.length > words * LONGEST_MEAN_WORD) return `${grouped(text.length)} characters`;
  return `${grouped(words)} ${words === 1 ? 'word' : 'words'}`;
}

function wordCount(text: string): number {
  let count = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = text.charCodeAt(index) === 32 || text.charCodeAt(index) === 10;
    if (!isSpace && !isInWord) count += 1;
    isInWord = !isSpace;
  }
  return count;
}

// `toLocaleString` would use the browser's language.
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
