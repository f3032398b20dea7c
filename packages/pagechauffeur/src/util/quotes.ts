/** A text in quotation marks within another one. */
export interface QuotedText {
  /** Where the opening mark stands. */
  readonly start: number;
  /** Where the text goes on after the closing mark. */
  readonly end: number;
  /** What stands between the marks. */
  readonly inner: string;
}

/** Quotation marks of many languages: the one that opens, and those that may close. */
const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ['“', '”“'],
  ['„', '“”"'],
  ['”', '”'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['›', '‹'],
  ['‚', '‘’'],
  ['`', '`'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['〈', '〉'],
  ['〝', '〞〟'],
  ['＂', '＂'],
];
/** Marks that are apostrophes, too: those within a word, as in `'Don't save'`, neither open nor close. */
const APOSTROPHES: readonly (readonly [open: string, close: string])[] = [
  ["'", "'"],
  ['‘', '’'],
  ['’', '’'],
];

const LETTER = String.raw`[\p{L}\p{N}]`;
const QUOTED = new RegExp(
  [
    ...PAIRS.map(([open, close]) => `${open}[^${close}]*[${close}]`),
    ...APOSTROPHES.map(
      ([open, close]) => `(?<!${LETTER})${open}(?:[^${close}\\n]|${close}(?=${LETTER}))*${close}(?!${LETTER})`,
    ),
  ].join('|'),
  'gu',
);

/** The quoted texts in a text, from left to right. A quotation within another one is a part of that. */
export function quotedTexts(text: string): readonly QuotedText[] {
  return [...text.matchAll(QUOTED)].map(({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
    inner: whole.slice(1, -1),
  }));
}

/** The text with a space in place of each quotation. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, ' ');
}
