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

/** The browser writes the selector again for each reading, and several parts of a snapshot need it. */
export const selectorTextOf: (rule: CSSStyleRule) => string = memoised((rule: CSSStyleRule) => rule.selectorText);
