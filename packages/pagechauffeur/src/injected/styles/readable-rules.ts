import { memoised } from '../memo.ts';
import { numberOf } from '../dependencies.ts';
import { adoptedSheetsIn, styleSheetsIn } from '../native-document.ts';

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

/** Returns the selector of a rule that is nested in a rule for `parent`, as if it were not nested. */
export function nestedSelector(parent: string, selector: string): string {
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

export interface RuleSearch {
  /** Called for each block of declarations until it returns true. */
  isFound(selector: string, style: CSSStyleDeclaration): boolean;
  /** Called for a style sheet of another origin, or one that is not loaded yet. Ends the search if it returns true. */
  isFoundInUnreadable(): boolean;
}

/**
 * Returns true if the search ends with a find. Also looks into imported sheets, nested rules, and rules under conditions
 * that may not hold.
 */
export function findRule(rules: CSSRuleList, search: RuleSearch, parent: string | null = null): boolean {
  // By index, which is faster than an iterator.
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    if (rule && isFoundIn(rule, search, parent)) return true;
  }
  return false;
}

function isFoundIn(rule: CSSRule, search: RuleSearch, parent: string | null): boolean {
  if (rule instanceof CSSStyleRule) {
    const text = selectorTextOf(rule);
    const selector = parent === null ? text : nestedSelector(parent, text);
    return (
      search.isFound(selector, rule.style) || (rule.cssRules.length > 0 && findRule(rule.cssRules, search, selector))
    );
  }
  if (rule instanceof CSSGroupingRule) return findRule(rule.cssRules, search, parent);
  if (rule instanceof CSSNestedDeclarations) return parent !== null && search.isFound(parent, rule.style);
  if (!(rule instanceof CSSImportRule)) return false;
  const imported = rule.styleSheet && readableRulesOf(rule.styleSheet);
  return imported ? findRule(imported, search) : search.isFoundInUnreadable();
}

/** The first rules are compared by their text, which takes 2 µs per rule. The others are compared only as objects. */
const MAX_COMPARED_RULES = 2000;

/** Identifies the style sheets and rules of a document. Differs after a change of them. */
export const sheetsSignature: (root: Document) => string = memoised((root: Document) => {
  const writer = new SignatureWriter();
  for (const sheet of [...styleSheetsIn(root), ...adoptedSheetsIn(root)]) writer.addSheet(sheet);
  return writer.text;
});

class SignatureWriter {
  text = '';
  #rulesLeft = MAX_COMPARED_RULES;

  addSheet(sheet: CSSStyleSheet): void {
    this.text += ` ${numberOf(sheet)} ${sheet.disabled} ${sheet.media.mediaText}`;
    this.#addRules(readableRulesOf(sheet) ?? []);
  }

  #addRules(rules: Iterable<CSSRule>): void {
    for (const rule of rules) {
      if (rule instanceof CSSGroupingRule) {
        this.text += ` ${numberOf(rule)}`;
        this.#addRules(rule.cssRules);
      } else if (rule instanceof CSSImportRule && rule.styleSheet) this.addSheet(rule.styleSheet);
      else if (this.#rulesLeft > 0) this.text += rule.cssText;
      else this.text += ` ${numberOf(rule)}`;
      this.#rulesLeft -= 1;
    }
  }
}
