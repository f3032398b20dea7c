import { memoised } from '../memo.ts';
import { readableRulesOf } from '../readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope } from '../tree-scope.ts';

/** Selectors of the rules of a style sheet that do something special. */
interface NotedRules {
  /** Elements that the rules show while the pointer is over them or over an ancestor. */
  readonly revealed: string[];
  /** Elements that get a box with a background before or after their content, out of the flow. */
  readonly boxed: string[];
}

/** Maximum number of rules of a style sheet that are read. Reading one takes about 2 µs. */
const MOST_RULES = 20_000;

/** A sheet is read once, and again if rules are added or removed. A rule whose declarations change later is not noticed. */
const knownSheets = new WeakMap<CSSStyleSheet, { readonly ruleCount: number; readonly noted: NotedRules }>();

/** Returns the noted rules of a document or shadow root. Style sheets of other sites cannot be read. */
export const notedRulesIn: (scope: TreeScope) => NotedRules = memoised((scope: TreeScope) => {
  const sheets = [...styleSheetsIn(scope), ...adoptedSheetsIn(scope)].map(notedRulesOf);
  return { revealed: sheets.flatMap(({ revealed }) => revealed), boxed: sheets.flatMap(({ boxed }) => boxed) };
});

function notedRulesOf(sheet: CSSStyleSheet): NotedRules {
  const noted: NotedRules = { revealed: [], boxed: [] };
  const rules = readableRulesOf(sheet);
  if (!rules) return noted;
  const known = knownSheets.get(sheet);
  if (known && known.ruleCount === rules.length) return known.noted;
  let rulesLeft = MOST_RULES;
  const read = (group: CSSRuleList): void => {
    rulesLeft -= group.length;
    if (rulesLeft < 0) return;
    for (const rule of group) {
      if (rule instanceof CSSStyleRule) noteRule(rule, noted);
      else if (rule instanceof CSSGroupingRule) read(rule.cssRules);
    }
  };
  read(rules);
  knownSheets.set(sheet, { ruleCount: rules.length, noted });
  return noted;
}

const BEFORE_OR_AFTER = /::?(?:before|after)\b/;
const EACH_BEFORE_OR_AFTER = /::?(?:before|after)\b/g;

function noteRule({ selectorText, style }: CSSStyleRule, { revealed, boxed }: NotedRules): void {
  if (BEFORE_OR_AFTER.test(selectorText)) {
    const { position, backgroundColor, backgroundImage } = style;
    if (position === 'absolute' && backgroundColor + backgroundImage !== '')
      addSelector(boxed, selectorText.replace(EACH_BEFORE_OR_AFTER, ''));
  } else if (selectorText.includes(':hover') && (Number(style.opacity) > 0 || style.visibility === 'visible'))
    addSelector(revealed, selectorText.replaceAll(':hover', ''));
}

// A rule such as `.tool:not(:hover)` or `::before` has no selector without the part.
function addSelector(selectors: string[], selector: string): void {
  if (CSS.supports(`selector(${selector})`)) selectors.push(selector);
}
