import { STATE_WORDS } from '../../state-words.ts';

/** Characters that are invisible to users but not to models: controls, direction marks, tags, fillers. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u;
const lineBreaks = /[\n\r\v\f\u0085\p{Zl}\p{Zp}]+/gu;
const lineBreak = /\r\n|[\n\r\v\f\u0085\p{Zl}\p{Zp}]/u;
const neverSeen = /(?!\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
/** Joiners and variation selectors without letters or emoji to apply to. */
const outOfPlace =
  /[\u200C\u200D]{2,}|(?<![\p{L}\p{M}\p{Emoji}\uFE0F])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{Emoji}])|(?<!\p{Emoji})\uFE0F/gu;

/** Prefixes of snapshot lines, refs, and the prefixes of chat turns. */
const lookAlike =
  /^(?:(?:…|\.{3}) ?\d|page "|row \||(?:instruction|system|developer|assistant|user|human|tool|ai)\s*:)|(?<![\w-])(?:f\d+)*e\d+ [a-z]{3}/i;

/** Returns the text without invisible characters. */
export function seenWords(text: string): string {
  if (!unseen.test(text)) return text;
  return text.replace(lineBreaks, ' ').replace(neverSeen, '').replace(outOfPlace, '');
}

/** Formats page text. Adds quotes if the text could pass for a snapshot line. */
export function plainWords(text: string): string {
  return quotedWhere(text, lookAlike);
}

/** `plainWords` for a table cell, where `| ` starts the next cell. */
export function cellWords(text: string): string {
  return quotedWhere(text, beginsCell);
}

/** `cellWords` for text after an element in the same cell. Adds quotes if the text could pass for a state or URL of the element. */
export function wordsAfterElement(text: string): string {
  return quotedWhere(text, continuesElement);
}

/** `plainWords` for use in parentheses. Adds quotes if the text could close them or pass for a ref, value or quote. */
export function enclosedWords(text: string): string {
  return quotedWhere(text, leavesParentheses);
}

/** Quotes the value of a field. Line breaks and tabs become JSON's `\\n` and `\\t`. */
export function quoteLines(text: string): string {
  return JSON.stringify(unseen.test(text) ? text.split(lineBreak).map(seenInLine).join('\n') : text);
}

function seenInLine(line: string): string {
  return line.split('\t').map(seenWords).join('\t');
}

/** Quotes text as JSON, so that page text stays within one line and one pair of quotes. */
export function quote(text: string): string {
  return JSON.stringify(seenWords(text));
}

const continuesElement = new RegExp(`\\| |^(?:(?:${STATE_WORDS})(?: |$)|placeholder "|options |"|[=(#\\d])`);
const beginsCell = /\| /;
const leavesParentheses = /[()|"\\…=]|\b(?:f\d+)?e\d/;

function quotedWhere(text: string, suspicious: RegExp): string {
  const words = seenWords(text);
  return lookAlike.test(words) || suspicious.test(words) ? JSON.stringify(words) : words;
}
