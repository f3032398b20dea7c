import { memoised } from '../../memo.ts';
import { documentElementOf, matchesIfValid } from '../../native.ts';
import { readableRulesOf, selectorTextOf } from '../../readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope } from '../../tree-scope.ts';

/** Cursors that suggest a click or a drag. */
const HANDS: ReadonlySet<string> = new Set(
  (
    'pointer zoom-in zoom-out grab grabbing move col-resize row-resize ew-resize ns-resize nesw-resize nwse-resize ' +
    'n-resize e-resize s-resize w-resize ne-resize nw-resize se-resize sw-resize'
  ).split(' '),
);

export function isHand(cursor: string): boolean {
  return HANDS.has(cursor);
}

interface NotedRules {
  /** Selectors of rules that show elements on hover. `:hover` is removed. */
  readonly revealed: string[];
  /**
   * Selectors of rules that draw a positioned `::before` or `::after` box with a background. The
   * pseudo-element is removed.
   */
  readonly boxed: string[];
  /** Selectors of rules that set the cursor of a control on hover. `:hover` is removed. */
  readonly pointed: string[];
  /** Selectors of rules for `::first-line`, without the pseudo-element. */
  readonly firstLines: string[];
  /** Selectors of rules that set the content of `::marker`, without the pseudo-element. */
  readonly marked: string[];
}

/** Maximum rules to read per style sheet. Reading one takes about 2 µs. */
const MAX_RULES = 20_000;

/** Valid until rules are added or removed. Later changes inside a rule are missed. */
const knownSheets = new WeakMap<CSSStyleSheet, { readonly ruleCount: number; readonly noted: NotedRules }>();

/** Skips cross-origin style sheets, which cannot be read. */
export const notedRulesIn: (scope: TreeScope) => NotedRules = memoised((scope: TreeScope) => {
  const sheets = [...styleSheetsIn(scope), ...adoptedSheetsIn(scope)].map(notedRulesOf);
  return {
    revealed: sheets.flatMap(({ revealed }) => revealed),
    boxed: sheets.flatMap(({ boxed }) => boxed),
    pointed: sheets.flatMap(({ pointed }) => pointed),
    firstLines: sheets.flatMap(({ firstLines }) => firstLines),
    marked: sheets.flatMap(({ marked }) => marked),
  };
});

function notedRulesOf(sheet: CSSStyleSheet): NotedRules {
  const noted: NotedRules = { revealed: [], boxed: [], pointed: [], firstLines: [], marked: [] };
  const rules = readableRulesOf(sheet);
  if (!rules) return noted;
  const known = knownSheets.get(sheet);
  if (known && known.ruleCount === rules.length) return known.noted;
  let rulesLeft = MAX_RULES;
  const read = (group: CSSRuleList): void => {
    rulesLeft -= group.length;
    if (rulesLeft < 0) return;
    for (let index = 0; index < group.length; index += 1) {
      const rule = group[index];
      if (rule instanceof CSSStyleRule) noteRule(rule, noted);
      else if (rule instanceof CSSGroupingRule) read(rule.cssRules);
    }
  };
  read(rules);
  knownSheets.set(sheet, { ruleCount: rules.length, noted });
  return noted;
}

const BEFORE_OR_AFTER = /::?(?:before|after)\b/;
const FIRST_LINE = /::?first-line\b/;
const EACH_FIRST_LINE = /::?first-line\b/g;
const EACH_BEFORE_OR_AFTER = /::?(?:before|after)\b/g;

function noteRule(rule: CSSStyleRule, { revealed, boxed, pointed, firstLines, marked }: NotedRules): void {
  const selectorText = selectorTextOf(rule);
  if (BEFORE_OR_AFTER.test(selectorText)) {
    const { position, backgroundColor, backgroundImage } = rule.style;
    if ((position === 'absolute' || position === 'fixed') && backgroundColor + backgroundImage !== '')
      addSelector(boxed, selectorText.replace(EACH_BEFORE_OR_AFTER, ''));
  } else if (FIRST_LINE.test(selectorText)) {
    addSelector(firstLines, selectorText.replace(EACH_FIRST_LINE, ''));
  } else if (selectorText.includes('::marker')) {
    if (rule.style.content !== '') addSelector(marked, selectorText.replaceAll('::marker', ''));
  } else if (selectorText.includes(':hover')) {
    const { opacity, visibility, cursor } = rule.style;
    if (isHand(cursor)) addSelector(pointed, selectorText.replaceAll(':hover', ''));
    if (Number(opacity) > 0 || visibility === 'visible') addSelector(revealed, selectorText.replaceAll(':hover', ''));
  }
}

// Without `:hover`, `::before` or `::after`, a selector may be invalid, as for `.tool:not(:hover)`.
function addSelector(selectors: string[], selector: string): void {
  const root = documentElementOf(document);
  if (root && matchesIfValid(root, selector) !== null) selectors.push(selector);
}
