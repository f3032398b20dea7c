import { memoised } from '../memo.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope } from '../tree-scope.ts';

interface KnownSheet {
  readonly ruleCount: number;
  readonly generates: boolean;
}

const knownSheets = new WeakMap<CSSStyleSheet, KnownSheet>();

/**
 * True if a style sheet of this tree may generate text before or after elements. Checking rules is faster than reading the style of each
 * element.
 */
export const mayGenerateText: (scope: TreeScope) => boolean = memoised((scope: TreeScope) => {
  for (const sheet of styleSheetsIn(scope)) if (generatesText(sheet)) return true;
  return adoptedSheetsIn(scope).some(generatesText);
});

// The rules of a cross-origin style sheet cannot be read, so assume that it does.
function generatesText(sheet: CSSStyleSheet): boolean {
  const rules = rulesOf(sheet);
  if (!rules) return true;
  const known = knownSheets.get(sheet);
  if (known && known.ruleCount === rules.length) return known.generates;
  const generates = hasGeneratingRule(rules);
  knownSheets.set(sheet, { ruleCount: rules.length, generates });
  return generates;
}

function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return null;
    throw error;
  }
}

function hasGeneratingRule(rules: CSSRuleList): boolean {
  for (const rule of rules) {
    if (rule instanceof CSSImportRule) {
      if (!rule.styleSheet || generatesText(rule.styleSheet)) return true;
    } else if (rule instanceof CSSStyleRule && /:(before|after)/.test(rule.selectorText)) {
      return true;
    } else if (rule instanceof CSSGroupingRule && hasGeneratingRule(rule.cssRules)) {
      return true;
    } else if (rule instanceof CSSStyleRule && rule.cssRules.length > 0 && hasGeneratingRule(rule.cssRules)) {
      return true;
    }
  }
  return false;
}
