export interface QuotedText {
  readonly start: number;
  /** Exclusive, after the closing mark. */
  readonly end: number;
  /** The content without the marks. */
  readonly inner: string;
}

/** Quotation marks of many languages: the opening mark and all possible closing marks. */
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
/** Marks that are also apostrophes. Inside a word, as in `'Don't save'`, they neither open nor close. */
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

/** Returns the quotations from left to right. Nested quotations are part of the outer one. */
export function quotedTexts(text: string): readonly QuotedText[] {
  return [...text.matchAll(QUOTED)].map(({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
    inner: whole.slice(1, -1),
  }));
}

/** Replaces each quotation, including its marks, with a space. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, ' ');
}
