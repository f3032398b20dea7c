import { memoised } from './memo.ts';
import { matches } from './native.ts';
import { readableRulesOf } from './readable-rules.ts';
import { FAINTEST } from './snapshot/faint.ts';
import { adoptedSheetsIn, styleSheetsIn, treeScopeOf, type TreeScope } from './tree-scope.ts';

/** A CSS rule that makes its elements nearly transparent. */
interface FaintRule {
  readonly selector: string;
  readonly isImportant: boolean;
}

/**
 * True if a page style makes the element transparent. Every matching rule counts, even an overridden one; `over animations` counts only
 * `!important` rules, which override animations. Skips style sheets that cannot be read.
 */
export function isMadeFaint(element: Element, how: 'at all' | 'over animations'): boolean {
  const isMeant = (isImportant: boolean): boolean => isImportant || how === 'at all';
  const { style } = element as Partial<ElementCSSInlineStyle>;
  if (style && isFaintIn(style) && isMeant(isImportantIn(style))) return true;
  const scope = treeScopeOf(element);
  const rules = scope ? faintRulesIn(scope) : [];
  return rules.some(({ selector, isImportant }) => isMeant(isImportant) && isMatch(element, selector));
}

const faintRulesIn = memoised((scope: TreeScope): readonly FaintRule[] => {
  const found: FaintRule[] = [];
  for (const sheet of [...styleSheetsIn(scope), ...adoptedSheetsIn(scope)]) addFaintRules(sheet, '', found);
  return found;
});

function addFaintRules(group: CSSStyleSheet | CSSGroupingRule | CSSStyleRule, outer: string, found: FaintRule[]): void {
  for (const rule of (group instanceof CSSStyleSheet ? readableRulesOf(group) : group.cssRules) ?? []) {
    const selector =
      rule instanceof CSSStyleRule ? rule.selectorText.replaceAll('&', `:is(${outer || ':root'})`) : outer;
    if (rule instanceof CSSStyleRule || rule instanceof CSSNestedDeclarations) {
      const { style } = rule;
      if (isFaintIn(style)) found.push({ selector, isImportant: isImportantIn(style) });
    }
    if (rule instanceof CSSStyleRule || rule instanceof CSSGroupingRule) addFaintRules(rule, selector, found);
    if (rule instanceof CSSImportRule && rule.styleSheet) addFaintRules(rule.styleSheet, '', found);
  }
}

// A `calc()` or `var()` value counts as faint, because its result is unknown here.
function isFaintIn({ opacity }: CSSStyleDeclaration): boolean {
  return opacity !== '' && !(Number.parseFloat(opacity) / (opacity.endsWith('%') ? 100 : 1) >= FAINTEST);
}

function isImportantIn(style: CSSStyleDeclaration): boolean {
  return style.getPropertyPriority('opacity') !== '';
}

// A selector with a namespace prefix is valid only in its own style sheet.
function isMatch(element: Element, selector: string): boolean {
  try {
    return matches(element, selector);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return false;
    throw error;
  }
}
