import { STATE_WORDS } from '../../../state-words.ts';

/** Characters that models receive but users do not see: control characters, direction marks, tags, fillers. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u;
const lineBreaks = /[\n\r\v\f\u0085\p{Zl}\p{Zp}]+(?: {1,80})?/gu;
const lineBreak = /\r\n|[\n\r\v\f\u0085\p{Zl}\p{Zp}]/u;
const invisibleCharacters = /(?!\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
/** Joiners and variation selectors that do not apply to a letter or emoji. */
const unusualCharacters =
  /[\u200C\u200D]{2,}|(?<![\p{L}\p{M}\p{Emoji}\uFE0F])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{Emoji}])|(?<!\p{Emoji})\uFE0F/gu;

/** Text that resembles a snapshot line, a ref or the prefix of a chat message. */
const lookalikes =
  /^ *(?:(?:…|\.{3}) ?\d|page "|row \||(?:instruction|system|developer|assistant|user|human|tool|ai)\s*:)|(?<![\w-])(?:f\d+)*e\d+ [a-z]{3}/i;

/** Removes invisible characters and replaces line breaks with spaces. */
export function visibleText(text: string): string {
  if (!unseen.test(text)) return text;
  return text.replace(lineBreaks, ' ').replace(invisibleCharacters, '').replace(unusualCharacters, '');
}

/** Quotes page text that could be mistaken for a snapshot line. */
export function quoteText(text: string): string {
  return quotedWhere(text, lookalikes);
}

/** Like `quoteText`, for each line of the text. */
export function quoteTextLines(text: string): string {
  return eachLine(text, quoteText);
}

/** Like `quoteCellText`. Each line of the text is a cell. */
export function quoteCellLines(text: string): string {
  return eachLine(text, quoteCellText).replaceAll('\n', ' | ');
}

/** Like `quoteTextAfterElement` for the first line. The others begin a line of the snapshot. */
export function quoteLinesAfterElement(text: string): string {
  const [first = '', ...others] = text.split('\n');
  return [quoteTextAfterElement(first), ...others.map(quoteText)].join('\n');
}

function eachLine(text: string, quoted: (line: string) => string): string {
  return text.includes('\n') ? text.split('\n').map(quoted).join('\n') : quoted(text);
}

/** Quotes cell text that contains `| `, which starts the next cell. */
export function quoteCellText(text: string): string {
  return quotedWhere(text, beginsCell);
}

/** Quotes text after an element in the same cell if it could be mistaken for the element's state or URL. */
export function quoteTextAfterElement(text: string): string {
  return quotedWhere(text, continuesElement);
}

/** Quotes text in parentheses if it could close them, or be mistaken for a ref, value or quote. */
export function quoteEnclosedText(text: string): string {
  return quotedWhere(text, leavesParentheses);
}

/** Quotes the value of a field as JSON. Line breaks become `\n`, tabs `\t`. */
export function quoteLines(text: string): string {
  return JSON.stringify(unseen.test(text) ? text.split(lineBreak).map(seenInLine).join('\n') : text);
}

function seenInLine(line: string): string {
  return line.split('\t').map(visibleText).join('\t');
}

/** Quotes text as JSON, so that it cannot end the line or the quotes. */
export function quote(text: string): string {
  return JSON.stringify(visibleText(text));
}

const continuesElement = new RegExp(`\\| |^(?:(?:${STATE_WORDS})(?: |$)|placeholder "|options |"|[=(#\\d])`);
const beginsCell = /\| /;
const leavesParentheses = /[()|"\\…=]|\b(?:f\d+)?e\d/;

function quotedWhere(text: string, suspicious: RegExp): string {
  const visible = visibleText(text);
  return lookalikes.test(visible) || suspicious.test(visible) ? JSON.stringify(visible) : visible;
}
