import { type TextCut, UNCUT } from './excerpts.ts';
import { optionRanges } from '../lines/option-ranges.ts';
import { isCellRole, nameIn, NO_PROPERTIES, propertiesOf, refIn, type WireLine } from '../lines/wire-line.ts';

/** Tokens of the line break, the indentation and the `- ` before text. */
const TEXT_LINE_TOKENS = 3;
const LINE_TOKENS = 2;
const CELL_TOKENS = 1;
const QUOTE_TOKENS = 1.4;
export const FOLD_TOKENS = 14;
/** Tokens of the note after truncated text: ` … 38,200 more words, e7`. */
const REST_TOKENS = 11;

export function tokensInText(text: string, cut: TextCut = UNCUT): number {
  return TEXT_LINE_TOKENS + tokensShown(text, cut, 0);
}

/** Estimates the tokens of ref, role, level and name. */
export function tokensInHead(line: WireLine, roles: readonly string[], cut: TextCut = UNCUT): number {
  const ref = refIn(line);
  const name = nameIn(line);
  const nameTokens = name === '' ? 0 : tokensShown(name, cut, ref);
  const role = roles[line[0]] ?? '';
  if (ref === 0 && isCellRole(role)) return CELL_TOKENS + nameTokens;
  // Most definitions are below their term, without a line of their own.
  if (ref === 0 && role === 'definition') return name === '' ? 0 : TEXT_LINE_TOKENS + nameTokens;
  let tokens = LINE_TOKENS + (role.length <= 8 ? 1 : 2);
  if (ref !== 0) tokens += 1 + digitTokens(ref);
  if (propertiesOf(line).level !== undefined) tokens += 2;
  return name === '' ? tokens : tokens + QUOTE_TOKENS + nameTokens;
}

/** Estimates the tokens of the other properties, except options. */
export function tokensInDetails(line: WireLine, cut: TextCut = UNCUT): number {
  const properties = propertiesOf(line);
  if (properties === NO_PROPERTIES) return 0;
  const ref = refIn(line);
  const { value, states, placeholder, description, url } = properties;
  let tokens = 0;
  for (const text of [value, placeholder, description])
    if (text) tokens += 1 + QUOTE_TOKENS + tokensShown(text, cut, ref);
  if (states) tokens += states.length * 1.3;
  if (url) tokens += 2.5;
  return tokens;
}

export function tokensInOption(label: string, cut: TextCut = UNCUT): number {
  return 1 + QUOTE_TOKENS + tokensShown(label, cut, 0);
}

/** Estimates the tokens of options. Consecutive numbers count as a range. */
export function tokensInOptions(options: readonly string[], cut: TextCut = UNCUT): number {
  return optionRanges(options)
    .flatMap(({ from, to }) => (from === to ? [from] : [from, to]))
    .reduce((sum, index) => sum + tokensInOption(options[index] ?? '', cut), 0);
}

function tokensShown(text: string, cut: TextCut, ref: number): number {
  const excerpt = cut.excerpt(text, ref);
  return excerpt ? cut.tokensIn(excerpt.text) + (excerpt.rest === '' ? 0 : REST_TOKENS) : cut.tokensIn(text);
}

function digitTokens(number: number): number {
  return number < 1000 ? 1 : 2;
}
