import type { WireProperties } from '../contract.ts';
import { optionRanges } from './option-ranges.ts';
import { tokensIn } from './token-estimate.ts';
import { isCellRole, nameIn, NO_PROPERTIES, propertiesOf, refIn, type WireLine } from './wire-line.ts';

/** Line break, indentation and the `- ` before plain text. */
const TEXT_LINE_TOKENS = 3;
const LINE_TOKENS = 2;
/** The bar before a cell. */
const CELL_TOKENS = 1;
const QUOTE_TOKENS = 1.4;

/** Estimates the tokens of a text line, truncated to `limit` characters. */
export function tokensInText(text: string, limit: number = Infinity): number {
  return TEXT_LINE_TOKENS + tokensIn(withTimeout(text, limit));
}

/** Estimates the tokens of the start of an element's line: ref, role, level and name. */
export function tokensInHead(line: WireLine, roles: readonly string[], limit: number = Infinity): number {
  const name = withTimeout(nameIn(line), limit);
  const ref = refIn(line);
  const role = roles[line[0]] ?? '';
  if (ref === 0 && isCellRole(role)) return CELL_TOKENS + (name === '' ? 0 : tokensIn(name));
  let tokens = LINE_TOKENS + (role.length <= 8 ? 1 : 2);
  if (ref !== 0) tokens += 1 + digitTokens(ref);
  if (propertiesOf(line).level !== undefined) tokens += 2;
  return name === '' ? tokens : tokens + QUOTE_TOKENS + tokensIn(name);
}

/** Estimates the tokens of a line's other properties, without options. */
export function tokensInDetails(properties: WireProperties, limit: number = Infinity): number {
  if (properties === NO_PROPERTIES) return 0;
  const { value, states, placeholder, description, url } = properties;
  let tokens = 0;
  if (value) tokens += 1 + QUOTE_TOKENS + tokensIn(withTimeout(value, limit));
  if (placeholder) tokens += 1 + QUOTE_TOKENS + tokensIn(withTimeout(placeholder, limit));
  if (description) tokens += 1 + QUOTE_TOKENS + tokensIn(withTimeout(description, limit));
  if (states) tokens += states.length * 1.3;
  if (url) tokens += 2.5;
  return tokens;
}

/** Estimates the tokens of one option in a list. */
export function tokensInOption(label: string, limit: number = Infinity): number {
  return 1 + QUOTE_TOKENS + tokensIn(withTimeout(label, limit));
}

/** Estimates the tokens of a list of options, where consecutive numbers form ranges. */
export function tokensInOptions(options: readonly string[], limit: number = Infinity): number {
  return optionRanges(options)
    .flatMap(({ from, to }) => (from === to ? [from] : [from, to]))
    .reduce((sum, place) => sum + tokensInOption(options[place] ?? '', limit), 0);
}

function withTimeout(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit) : text;
}

function digitTokens(number: number): number {
  return number < 1000 ? 1 : 2;
}
