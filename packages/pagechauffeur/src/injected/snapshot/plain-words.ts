/** Characters that nobody sees but a model reads: controls, marks of direction, tags, fillers. */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u;
const lineBreaks = /[\n\r\v\f\u0085\p{Zl}\p{Zp}]+/gu;
const lineBreak = /\r\n|[\n\r\v\f\u0085\p{Zl}\p{Zp}]/u;
const neverSeen = /(?!\uFE0F|\p{Join_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
/** What joins letters and signs, or gives a sign its colours, where there is nothing of the kind. */
const outOfPlace =
  /[\u200C\u200D]{2,}|(?<![\p{L}\p{M}\p{Emoji}\uFE0F])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{Emoji}])|(?<!\p{Emoji})\uFE0F/gu;

/** What the lines of a snapshot begin with or hold, and the words by which the turns of a conversation begin. */
const lookAlike =
  /^(?:(?:…|\.{3}) ?\d|page "|row \||(?:instruction|system|developer|assistant|user|human|tool|ai)\s*:)|(?<![\w-])(?:f\d+)*e\d+ [a-z]{3}/i;

/** A text without the characters that nobody sees. */
export function seenWords(text: string): string {
  if (!unseen.test(text)) return text;
  return text.replace(lineBreaks, ' ').replace(neverSeen, '').replace(outOfPlace, '');
}

/** Words of the page as they stand without quotes; in quotes when they could be taken for a line that we wrote. */
export function plainWords(text: string): string {
  return quotedWhere(text, lookAlike);
}

/** The same in a cell of a row, where a bar begins the next cell. */
export function cellWords(text: string): string {
  return quotedWhere(text, beginsCell);
}

/** The same between parentheses, with nothing in it that ends them or passes for a ref, a value or a quotation of ours. */
export function enclosedWords(text: string): string {
  return quotedWhere(text, leavesParentheses);
}

/** The same for the value of a field, whose line breaks and tabs stand in it as JSON's `\\n` and `\\t`. */
export function quoteLines(text: string): string {
  return JSON.stringify(unseen.test(text) ? text.split(lineBreak).map(seenInLine).join('\n') : text);
}

function seenInLine(line: string): string {
  return line.split('\t').map(seenWords).join('\t');
}

/** JSON's quotes: whatever a page writes stays within one line and one pair of quotes. */
export function quote(text: string): string {
  return JSON.stringify(seenWords(text));
}

const beginsCell = /\| /;
const leavesParentheses = /[()|"\\…=]|\b(?:f\d+)?e\d/;

function quotedWhere(text: string, suspicious: RegExp): string {
  const words = seenWords(text);
  return lookAlike.test(words) || suspicious.test(words) ? JSON.stringify(words) : words;
}
