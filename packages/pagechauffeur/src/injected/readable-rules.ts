/** Returns the rules of a style sheet; `null` for a cross-origin one, whose rules cannot be read. */
export function readableRulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return null;
    throw error;
  }
}
