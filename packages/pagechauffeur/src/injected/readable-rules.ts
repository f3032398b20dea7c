import { memoised } from './memo.ts';

/** Returns `null` for a cross-origin style sheet, whose rules cannot be read. */
export function readableRulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return null;
    throw error;
  }
}

const ESCAPE = /\\(?:([\da-f]{1,6})\s?|(.))/gi;

/** Resolves the escapes in an identifier or string of CSS: a backslash precedes a character or its code. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_, code: string | undefined, character: string) =>
    code === undefined ? character : characterOf(Number.parseInt(code, 16)),
  );
}

function characterOf(code: number): string {
  return code > MAX_CODE_POINT ? '\uFFFD' : String.fromCodePoint(code);
}

const MAX_CODE_POINT = 0x10_ff_ff;

/** The browser writes the selector again for each reading, and several parts of a snapshot need it. */
export const selectorTextOf: (rule: CSSStyleRule) => string = memoised((rule: CSSStyleRule) => rule.selectorText);
