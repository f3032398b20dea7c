import { animationsIn } from './fading.ts';
import { activeElement, adoptedSheetsIn, styleSheetsIn } from '../native-document.ts';
import { documentElementOf, elementCountOf, matches, queryAll } from '../native.ts';
import { nestedSelector, readableRulesOf, selectorTextOf, sheetsSignature, withoutEscapes } from './readable-rules.ts';
import { DeclaredProperties, INITIAL_VALUES, isInQuirksMode, mayBeNegative } from './declared-properties.ts';
import { attributeSelector, classSelector, elementsInDocument, mayMatch } from '../tree/document-queries.ts';

/**
 * Maximum numbers of rules, and of queries for their selectors. With more, reading each element's style is faster: on
 * documentation pages, it takes about seven times as long as reading a rule.
 */
const MAX_RULES = { least: 500, perElement: 3 };
const MAX_QUERIES = { least: 120, perElement: 1 / 20 };

/**
 * What the style sheets say about which elements can share a computed style. `StyleKeys` decides with this. Does not
 * apply in shadow trees.
 */
export interface StyleRules {
  /**
   * Lower-case names of attributes in selectors. Elements that match a value of a {@link UNIQUE} attribute have marks
   * instead.
   */
  readonly attributes: ReadonlySet<string>;
  /** Ids and classes in selectors. `null` in quirks mode, in which they ignore case. */
  readonly ids: ReadonlySet<string> | null;
  readonly classes: ReadonlySet<string> | null;
  /** Marks elements that match selectors with siblings, for example. */
  readonly marks: ReadonlyMap<Element, string>;
  /** Marks elements in a state such as `:hover`. */
  readonly states: ReadonlyMap<Element, string>;
  /** For each state, what an element matches if it can change a style: `tr` for `:hover` with the rule `tr:hover td`. */
  readonly stateful: ReadonlyMap<string, ReadonlySet<string>>;
  /** Elements with transitions or animations. */
  readonly animated: readonly Element[];
  /** Elements whose style depends on the size of a container. */
  readonly contained: ReadonlySet<Element>;
  /** The media conditions of all rules. */
  readonly media: ReadonlySet<string>;
  /** Elements whose style is never shared, such as animated ones. */
  readonly single: ReadonlySet<Element>;
  /** Elements that rules may paint above the normal flow. */
  readonly raised: readonly Element[];
  /** Elements with rules that may generate text before or after their content. */
  readonly generating: ReadonlySet<Element>;
  /** Elements that rules give `content-visibility: auto`. */
  readonly skipping: readonly Element[];
  /** False if elements with equal keys may have different spacing. */
  readonly isSpacingShared: boolean;
  readonly declared: DeclaredProperties;
}

/** Elements that match these pseudo-classes have marks. Few elements do. */
const STATES = [':hover', ':active', ':focus', ':focus-visible', ':focus-within', ':target'];
/**
 * Pseudo-classes whose selectors need no marks: those in `STATES`, and those that follow from tag and attributes or
 * match only elements whose style is never shared.
 */
const STEADY: ReadonlySet<string> = new Set([
  ...STATES.map((state) => state.slice(1)),
  ...'any-link autofill checked default disabled enabled fullscreen in-range indeterminate invalid is link modal not'.split(
    ' ',
  ),
  ...'open optional out-of-range placeholder-shown popover-open read-only read-write required root'.split(' '),
  ...'user-invalid user-valid valid visited where'.split(' '),
]);
/** Attributes whose values rarely repeat. */
export const UNIQUE: ReadonlySet<string> = new Set(['alt', 'href', 'id', 'src', 'title']);
const pseudoElement = /::[\w-]+(?:\([^)]*\))?|:(?:before|after|first-line|first-letter)\b/g;
const beforeOrAfter = /:(?:before|after)\b/;
const pseudoClass = /:([\w-]+)/g;

/** Returns `null` if some rules cannot be used or there are too many. Then no two elements share a style. */
export function readStyleRules(): StyleRules | null {
  if (lastReader && lastReader.signature === sheetsSignature(document) && lastReader.reader.isWithinLimits())
    return lastReader.reader.result();
  const reader = new RuleReader();
  const rules = readSheets(reader) ? reader.result() : null;
  // Computed only for rules that can be used: the text of a few thousand rules takes several milliseconds.
  lastReader = rules ? { signature: sheetsSignature(document), reader } : null;
  return rules;
}

/** The rules of the last snapshot. */
let lastReader: { readonly signature: string; readonly reader: RuleReader } | null = null;

function readSheets(reader: RuleReader): boolean {
  const all = [...styleSheetsIn(document), ...adoptedSheetsIn(document)];
  for (const { media } of all) reader.media.add(media.mediaText);
  const sheets = all.map(readableRulesOf);
  // Counts first, so that no rules are read if there are too many.
  const count = sheets.reduce((sum, rules) => sum + (rules ? countOf(rules, reader.rulesLeft) : Infinity), 0);
  return count <= reader.rulesLeft && sheets.every((rules) => rules !== null && reader.read(rules, NO_CONTEXT));
}

/** Counts rules in layers and media queries, too. Stops above `most`. */
function countOf(rules: CSSRuleList, most: number): number {
  let count = rules.length;
  for (let index = 0; index < rules.length && count <= most; index += 1) {
    const rule = rules[index];
    if (rule instanceof CSSGroupingRule) count += countOf(rule.cssRules, most - count);
  }
  return count;
}

interface Context {
  /** The selector of the parent style rule. */
  readonly parent: string | null;
  /** True inside `@container`, where a match depends on the size of each container. */
  readonly isInContainer: boolean;
}

const NO_CONTEXT: Context = { parent: null, isInContainer: false };

class RuleReader {
  readonly #rulesLimit = limitOf(MAX_RULES);
  rulesLeft = this.#rulesLimit;
  readonly media = new Set<string>();
  readonly #stateful = new Map<string, Set<string>>();
  #queryCount = 0;
  readonly #declared = new DeclaredProperties();
  readonly #classes = new Set<string>();
  readonly #attributes = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #raised: string[] = [];
  readonly #generating: string[] = [];
  readonly #skipping: string[] = [];
  /** Selectors to match against the document. The value is true if matching elements never share a style. */
  readonly #matched = new Map<string, boolean>();
  /** Like `#matched`, for rules of which only the spacing is relevant. */
  readonly #spacing = new Map<string, boolean>();

  /** Returns false if the rules depend on more than {@link StyleRules} can express. */
  read(rules: CSSRuleList, context: Context): boolean {
    this.rulesLeft -= rules.length;
    if (this.rulesLeft < 0) return false;
    for (let index = 0; index < rules.length; index += 1) {
      const rule = rules[index];
      if (rule && !this.#readRule(rule, context)) return false;
    }
    return true;
  }

  /** True if the rules are still few enough for the number of elements, which may have changed. */
  isWithinLimits(): boolean {
    const ruleCount = this.#rulesLimit - this.rulesLeft;
    return ruleCount <= limitOf(MAX_RULES) && this.#queryCount <= limitOf(MAX_QUERIES);
  }

  result(): StyleRules | null {
    const marks = new Map<Element, string>();
    const animated = animatedElements();
    const single = new Set<Element>([...animated, ...elementsInDocument(':fullscreen')]);
    const contained = new Set<Element>();
    // Numbered before they are filtered, because the marks of two snapshots are compared.
    const numbered = [...this.#matched].map(([selector, isSingle], number) => ({ selector, isSingle, number }));
    const matched = numbered.filter(({ selector }) => mayMatch(selector));
    const spacing = [...this.#spacing].map(([selector, isSingle], index) => ({
      selector,
      isSingle,
      number: -1 - index,
    }));
    const spaced = spacing.filter(({ selector }) => mayMatch(selector));
    const isSpacingShared =
      matched.length + spaced.length <= limitOf(MAX_QUERIES) && spaced.every(({ isSingle }) => !isSingle);
    this.#queryCount = matched.length;
    if (!this.isWithinLimits()) return null;
    if (isSpacingShared) matched.push(...spaced);
    for (const { selector, isSingle, number } of matched) {
      const elements = elementsOf(selector);
      if (!elements) return null;
      for (const element of elements)
        if (isSingle) {
          single.add(element);
          contained.add(element);
        } else marks.set(element, `${marks.get(element) ?? ''}${number} `);
    }
    const ignoresCase = isInQuirksMode();
    const [raised, generating] = [elementsOfAll(this.#raised), elementsOfAll(this.#generating)];
    const skipping = elementsOfAll(this.#skipping);
    if (!raised || !generating || !skipping) return null;
    return {
      attributes: this.#attributes,
      ids: ignoresCase ? null : this.#ids,
      classes: ignoresCase ? null : this.#classes,
      marks,
      states: elementStates(),
      stateful: this.#stateful,
      animated,
      contained,
      media: this.media,
      single,
      raised,
      generating: new Set(generating),
      skipping,
      isSpacingShared,
      declared: this.#declared,
    };
  }

  // Ignores media conditions. Reading a rule that does not apply is safe: fewer elements then share a style.
  #readRule(rule: CSSRule, context: Context): boolean {
    if (rule instanceof CSSStyleRule) return this.#readStyleRule(rule, context);
    if (rule instanceof CSSImportRule) {
      const rules = rule.styleSheet && readableRulesOf(rule.styleSheet);
      this.media.add(rule.media.mediaText);
      return rules !== null && this.read(rules, context);
    }
    if (rule instanceof CSSScopeRule) return false;
    if (rule instanceof CSSContainerRule) return this.read(rule.cssRules, { ...context, isInContainer: true });
    if (rule instanceof CSSMediaRule) this.media.add(rule.conditionText);
    if (rule instanceof CSSGroupingRule) return this.read(rule.cssRules, context);
    if (rule instanceof CSSNestedDeclarations)
      return context.parent === null || this.#add(context.parent, rule.style, context);
    return isAboutNoElement(rule);
  }

  #readStyleRule(rule: CSSStyleRule, context: Context): boolean {
    const { style, cssRules } = rule;
    const selectorText = selectorTextOf(rule);
    if (selectorText.includes(':scope') || selectorText.includes('|')) return false;
    const { parent } = context;
    const selector = parent === null ? selectorText : nestedSelector(parent, selectorText);
    if (!this.#add(selector, style, context)) return false;
    return cssRules.length === 0 || this.read(cssRules, { ...context, parent: selector });
  }

  #add(selector: string, style: CSSStyleDeclaration, { isInContainer }: Context): boolean {
    const setsSpacing = this.#declared.note(selector, style);
    const isSteady = this.#noteParts(selector) && !isInContainer;
    if (STATE.test(selector) && isRelevantStyle(style))
      for (const compound of statefulCompounds(selector)) this.#noteStates(compound);
    const isRaising = mayRaise(style);
    const isGenerating = beforeOrAfter.test(selector) && mayGenerate(style);
    const isSkipping = style.contentVisibility === 'auto';
    if (isSteady && !isRaising && !isGenerating && !isSkipping) return true;
    const matched = withoutPseudoElements(selector);
    if (isRaising) this.#raised.push(matched);
    if (isGenerating) this.#generating.push(matched);
    if (isSkipping) this.#skipping.push(matched);
    if (!isSteady && isRelevantStyle(style))
      this.#matched.set(matched, isInContainer || this.#matched.get(matched) === true);
    else if (!isSteady && setsSpacing) this.#spacing.set(matched, isInContainer);
    return true;
  }

  #noteStates(compound: string): void {
    for (const [state] of compound.matchAll(EACH_STATE)) {
      const selectors = this.#stateful.get(state) ?? new Set();
      this.#stateful.set(state, selectors.add(withoutStates(compound)));
    }
  }

  /**
   * Notes the attributes, ids and classes in a selector. Returns false if a match may also depend on something else, such as
   * siblings.
   */
  #noteParts(selector: string): boolean {
    for (const name of selector.match(classSelector) ?? []) this.#classes.add(withoutEscapes(name.slice(1)));
    if (!/[#:[+~\\]/.test(selector)) return true;
    for (const [, name = '', operator] of selector.matchAll(attributeSelector)) {
      if (operator !== undefined && UNIQUE.has(name.toLowerCase())) return false;
      this.#attributes.add(name.toLowerCase());
    }
    const bare = selector.replace(attributeSelector, '').replace(pseudoElement, '');
    if (bare.includes('#')) {
      if (bare.includes('\\')) return false;
      for (const [, id = ''] of bare.matchAll(/#([^\s#.:>,()]+)/g)) this.#ids.add(id);
    }
    if (/[+~]/.test(bare)) return false;
    for (const [, name = ''] of bare.replace(/\\./g, '').matchAll(pseudoClass)) if (!STEADY.has(name)) return false;
    return true;
  }
}

function elementStates(): ReadonlyMap<Element, string> {
  const states = new Map<Element, string>();
  const root = documentElementOf(document);
  const focused = activeElement();
  const isStateOfRoot = (state: string): boolean => root !== null && matches(root, state);
  // Without a focused element, the body is the active element.
  const isFocusInside = (focused !== null && !(focused instanceof HTMLBodyElement)) || isStateOfRoot(':focus-within');
  for (const state of STATES) {
    // A query looks at each element. The root of a document with a focused element may lack `:focus-within` after that
    // element was moved or shown in full screen.
    if (FOCUS_STATES.has(state) ? !isFocusInside : POINTER_STATES.has(state) && !isStateOfRoot(state)) continue;
    for (const element of queryAll(document, state)) states.set(element, `${states.get(element) ?? ''}${state} `);
  }
  return states;
}

const FOCUS_STATES: ReadonlySet<string> = new Set([':focus', ':focus-visible', ':focus-within']);
/** States that apply to the root if they apply to any element. */
const POINTER_STATES: ReadonlySet<string> = new Set([':hover', ':active']);

const STATE = /:(?:hover|active|focus(?:-visible|-within)?|target)\b/;
const EACH_STATE = /:(?:hover|active|focus(?:-visible|-within)?|target)\b/g;

/** Returns the compound selectors with a state such as `:hover`: `tr:hover` of `tr:hover td`. */
function statefulCompounds(selector: string): string[] {
  const compounds: string[] = [];
  let [start, depth, isQuoted] = [0, 0, false];
  for (let index = 0; index <= selector.length; index += 1) {
    const character = selector[index] ?? ' ';
    if (character === '"' && selector[index - 1] !== '\\') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    else if (depth === 0 && /[\s>+~,]/.test(character)) {
      const compound = selector.slice(start, index);
      if (STATE.test(compound)) compounds.push(compound);
      start = index + 1;
    }
  }
  return compounds;
}

/** Returns `*` if a state is inside a pseudo-class such as `:not()`. */
function withoutStates(compound: string): string {
  if (/[(\\]/.test(compound)) return '*';
  return compound.replace(EACH_STATE, '').replace(pseudoElement, '') || '*';
}

function limitOf({ least, perElement }: typeof MAX_RULES): number {
  return Math.max(least, elementCountOf(document) * perElement);
}

const anyPseudoElement = /(^|[\s,>+~(])(?:::[\w-]+(?:\([^)]*\))?|:(?:before|after|first-line|first-letter)\b)/g;

/** Returns a selector that matches the elements with these pseudo-elements. */
function withoutPseudoElements(selector: string): string {
  return selector.includes(':') ? selector.replace(anyPseudoElement, '$1*').replace(pseudoElement, '') : selector;
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

// One query per selector: the browser finds single selectors by index, but tests a selector list on each element.
function elementsOfAll(selectors: readonly string[]): readonly Element[] | null {
  const lists = [...new Set(selectors)].map(elementsOf);
  return lists.every((list) => list !== null) ? lists.flat() : null;
}

// A changed or nested selector may be invalid.
function elementsOf(selector: string): readonly Element[] | null {
  try {
    return elementsInDocument(selector);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError') return null;
    throw error;
  }
}

// Returns elements with transitions or animations, including paused and filling ones and those started by script.
function animatedElements(): Element[] {
  const elements: Element[] = [];
  for (const { effect } of animationsIn(document)) {
    if (effect instanceof KeyframeEffect && effect.target) elements.push(effect.target);
  }
  return elements;
}

/** Only negative margins are relevant. */
const MARGINS: ReadonlySet<string> = new Set([
  'margin-left',
  'margin-top',
  'margin-inline-start',
  'margin-inline-end',
  'margin-block-start',
  'margin-block-end',
]);

/** Style properties that the walk reads, and those that affect them. Parsed declarations contain only longhands. */
const RELEVANT: ReadonlySet<string> = new Set([
  ...Object.keys({ ...INITIAL_VALUES.box, ...INITIAL_VALUES.hiding }).filter((property) => !MARGINS.has(property)),
  ...(
    'all display visibility opacity content-visibility position-visibility float position z-index filter isolation mix-blend-mode ' +
    'will-change contain overflow-x overflow-y overflow-block overflow-inline cursor color color-scheme background-color background-image background-size ' +
    'background-clip -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-stroke-color text-shadow font-size text-transform ' +
    'font-family font-size-adjust paint-order list-style-type ' +
    'border-top-width border-right-width border-bottom-width border-left-width direction ' +
    'text-indent transform translate scale rotate clip clip-path letter-spacing word-spacing zoom ' +
    'mask-image mask-size mask-mode mask-clip mask-composite mask-repeat -webkit-mask-position-x -webkit-mask-position-y ' +
    'backface-visibility white-space-collapse text-wrap-mode fill fill-opacity stroke stroke-opacity stroke-width content font-weight ' +
    '-webkit-text-security pointer-events interactivity box-shadow overflow-clip-margin text-overflow'
  ).split(' '),
]);

/** True if the declarations may change a style property that the walk reads. */
function isRelevantStyle(style: CSSStyleDeclaration): boolean {
  const { length } = style;
  for (let index = 0; index < length; index += 1) {
    const property = style[index] ?? '';
    // A custom property may be used in any other.
    if (RELEVANT.has(property) || property.startsWith('--')) return true;
    if (MARGINS.has(property) && mayBeNegative(property, style)) return true;
  }
  return false;
}

/** True if the declarations may paint a box above the normal flow. */
function mayRaise(style: CSSStyleDeclaration): boolean {
  const { position, transform, translate, rotate, scale, gridRowStart } = style;
  if (position !== '' && position !== 'static') return true;
  if ([transform, translate, rotate, scale].some((value) => value !== '' && value !== 'none')) return true;
  return gridRowStart !== '' || style.all !== '';
}

/** True if the declarations, of `::before` or `::after`, may generate content. */
function mayGenerate(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue('content') !== '' || style.all !== '';
}
