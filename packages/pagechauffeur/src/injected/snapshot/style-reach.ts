import { documentElementOf, elementCountOf, queryAll } from '../native.ts';
import { readableRulesOf } from '../readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn } from '../tree-scope.ts';
import { AllFacts, factsDeclaredIn, mayGenerate, TextAfter, TextBefore } from './style-facts.ts';

/** Limits beyond which matching rules and selectors takes longer than reading the elements' styles. */
const MAX_RULES = { least: 400, perElement: 1 / 2 };
const MAX_SELECTORS = { least: 60, perElement: 1 / 20 };
/** If the root's font size is smaller, in CSS pixels, sizes in `rem` may be unreadable. */
const LEAST_ROOT_FONT_SIZE = 8;

/** The facts that the page's style may change, by element. All other facts come from the parent or the browser's style sheet. */
export type StyleReach = ReadonlyMap<Element, number>;

/**
 * Returns which elements of this document, outside shadow trees, the page's style affects. Returns `null` if that cannot be determined: a
 * cross-origin style sheet, too many rules, or rules that depend on others.
 */
export function styleReach(): StyleReach | null {
  const selectors = hasUsualLetters() ? selectorsByFacts() : null;
  if (!selectors) return null;
  const reach = new Map<Element, number>();
  const add = (element: Element, facts: number): void => void reach.set(element, (reach.get(element) ?? 0) | facts);
  for (const [facts, list] of selectors) {
    const elements = elementsOf(list.join(','));
    if (!elements) return null;
    for (const element of elements) add(element, facts);
  }
  for (const element of animatedElements()) add(element, AllFacts);
  return reach;
}

function hasUsualLetters(): boolean {
  const root = documentElementOf(document);
  return root !== null && Number.parseFloat(getComputedStyle(root).fontSize) >= LEAST_ROOT_FONT_SIZE;
}

/** Selectors of the relevant rules, grouped by the facts that they affect. */
type SelectorsByFacts = Map<number, string[]>;

function selectorsByFacts(): SelectorsByFacts | null {
  const reading = {
    rulesLeft: limitOf(MAX_RULES),
    selectorsLeft: limitOf(MAX_SELECTORS),
    selectors: new Map<number, string[]>(),
  };
  const sheets = [...styleSheetsIn(document), ...adoptedSheetsIn(document)].map(readableRulesOf);
  // Counting the rules of all sheets first avoids reading any if there are too many.
  const count = sheets.reduce((sum, rules) => sum + (rules?.length ?? Infinity), 0);
  if (count > reading.rulesLeft) return null;
  return sheets.every((rules) => rules !== null && readRules(rules, reading)) ? reading.selectors : null;
}

function limitOf({ least, perElement }: typeof MAX_RULES): number {
  return Math.max(least, elementCountOf(document) * perElement);
}

interface RuleReading {
  rulesLeft: number;
  selectorsLeft: number;
  readonly selectors: SelectorsByFacts;
}

function readSheet(sheet: CSSStyleSheet | null, reading: RuleReading): boolean {
  const rules = sheet && readableRulesOf(sheet);
  return rules !== null && readRules(rules, reading);
}

function readRules(rules: CSSRuleList, reading: RuleReading): boolean {
  reading.rulesLeft -= rules.length;
  if (reading.rulesLeft < 0) return false;
  for (const rule of rules) if (!readRule(rule, reading)) return false;
  return true;
}

// Ignores whether media and container conditions match. That only adds elements to check.
function readRule(rule: CSSRule, reading: RuleReading): boolean {
  if (rule instanceof CSSStyleRule) return readStyleRule(rule, reading);
  if (rule instanceof CSSImportRule) return readSheet(rule.styleSheet, reading);
  if (rule instanceof CSSScopeRule) return false;
  if (rule instanceof CSSGroupingRule) return readRules(rule.cssRules, reading);
  return isAboutNoElement(rule);
}

function isAboutNoElement(rule: CSSRule): boolean {
  return (
    rule instanceof CSSFontFaceRule ||
    rule instanceof CSSKeyframesRule ||
    rule instanceof CSSPropertyRule ||
    rule instanceof CSSLayerStatementRule ||
    rule instanceof CSSPageRule ||
    rule instanceof CSSNamespaceRule ||
    rule instanceof CSSCounterStyleRule
  );
}

// Nested rules need the selector of this one, and `:scope` needs its sheet, so neither can be matched alone.
function readStyleRule({ style, selectorText, cssRules }: CSSStyleRule, reading: RuleReading): boolean {
  if (cssRules.length > 0 || selectorText.includes(':scope')) return false;
  if (!addSelector(selectorText, factsDeclaredIn(style), reading)) return false;
  if (!around.test(selectorText) || !mayGenerate(style)) return true;
  if (selectorText.includes('\\')) return false;
  const bearers = selectorText.replace(aroundAnything, '$1*').replaceAll(aroundLast, '');
  return !around.test(bearers) && addSelector(bearers, factsAround(selectorText), reading);
}

const around = /:(before|after)/;
const aroundAnything = /(^|[\s,>+~])::?(?:before|after)(?=\s*(?:,|$))/g;
const aroundLast = /::?(?:before|after)(?=\s*(?:,|$))/g;

function factsAround(selectorText: string): number {
  return (selectorText.includes(':before') ? TextBefore : 0) | (selectorText.includes(':after') ? TextAfter : 0);
}

function addSelector(selectorText: string, facts: number, reading: RuleReading): boolean {
  if (facts === 0) return true;
  reading.selectorsLeft -= selectorText.split(',').length;
  if (reading.selectorsLeft < 0) return false;
  const list = reading.selectors.get(facts);
  if (list) list.push(selectorText);
  else reading.selectors.set(facts, [selectorText]);
  return true;
}

// A selector with a namespace prefix is valid only in its own style sheet.
function elementsOf(selector: string): Element[] | null {
  try {
    return queryAll(document, selector);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return null;
    throw error;
  }
}

// CSS and script animations that run, are paused or keep filling, and transitions.
function animatedElements(): Element[] {
  const elements: Element[] = [];
  for (const { effect } of Document.prototype.getAnimations.call(document)) {
    if (effect instanceof KeyframeEffect && effect.target) elements.push(effect.target);
  }
  return elements;
}
