import { tokensIn } from './token-estimate.ts';

/** A text of which only a part is shown. */
export interface Excerpt {
  readonly text: string;
  /** The size of the part after it, such as `38,200 more words`. Empty if the text ends here. */
  readonly rest: string;
}

/** Says how much of each text is shown. */
export interface TextCut {
  /** Returns the part of a text to show, `null` for the whole text. `ref` is the ref of the text's line. */
  excerpt(text: string, ref: number): Excerpt | null;
  /** Estimates the tokens of a text. */
  tokensIn(text: string): number;
}

/** The cut of a page that is shown whole. */
export const UNCUT: TextCut = { excerpt: () => null, tokensIn };

/** A cut ends between two words if one ends this close to the limit, in characters. */
const WORD_REACH = 30;
/** The share of the limit before the part that the instruction speaks of. */
const BEGINNING_SHARE = 0.25;
/** Text with longer words on average, such as minified code or Chinese, is counted in characters. */
const LONGEST_MEAN_WORD = 20;

/** Returns the beginning of a text, and the surroundings of `spot` if that is further back. */
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

/** The end of the last word within the limit. */
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

/** The size of a text in words: `38,200 words`. In characters if its words are long. */
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

// `toLocaleString` would depend on the browser's language.
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
