import { memoised } from '../memo.ts';
import { attributeOf, localNameOf } from '../native.ts';
import { findRule, readableRulesOf, type RuleSearch, withoutEscapes } from '../styles/readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope, treeScopeOf } from '../native-document.ts';

const plainString = /^"[^"\\]*"$/;
const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(open-quote)|(close-quote)/g;

export type GeneratedPart = '::before' | '::after' | '::marker';

/**
 * Returns the text that CSS generates in the pseudo-element; `null` if there is none. `isApart`: a space separates
 * it from other text, as for blocks and images.
 */
export function generatedText(element: Element, position: GeneratedPart): { text: string; isApart: boolean } | null {
  const style = getComputedStyle(element, position);
  const { content } = style;
  if (content === 'none' || content === 'normal' || style.display === 'none') return null;
  if (style.visibility !== 'visible') return null;
  return { text: accessibleContent(element, content), isApart: style.display !== 'inline' || content.includes('url(') };
}

/**
 * False if no style sheet generates text for the element, which saves reading the style of its pseudo-elements.
 * Browsers themselves generate text only for `q`.
 */
export function mayHaveGeneratedText(element: Element): boolean {
  if (localNameOf(element) === 'q') return true;
  const { elements } = generatingIn(document);
  if (elements?.has(element) ?? mayGenerateText(document)) return true;
  const scope = treeScopeOf(element);
  return scope !== null && scope !== document && mayGenerateText(scope);
}

/** Narrows `mayHaveGeneratedText` to these elements of the document for the current reading. */
export function noteGenerating(elements: ReadonlySet<Element>): void {
  generatingIn(document).elements = elements;
}

const generatingIn = memoised((_root: Document): { elements: ReadonlySet<Element> | null } => ({ elements: null }));

// In `content: "→" / "next"`, names use only the text after the slash.
function accessibleContent(element: Element, content: string): string {
  if (plainString.test(content)) return content.slice(1, -1);
  const withoutStrings = content
    .replace(/"(?:[^"\\]|\\.)*"/g, (string) => '_'.repeat(string.length))
    .replace(/url\([^)]*\)/g, (url) => '_'.repeat(url.length));
  const slash = withoutStrings.indexOf('/');
  const alternative = slash < 0 ? content : content.slice(slash + 1);
  let text = '';
  for (const [, string, attribute, open, close] of alternative.matchAll(token)) {
    if (string !== undefined) text += withoutEscapes(string);
    else if (attribute !== undefined) text += attributeOf(element, attribute) ?? '';
    else if (open) text += '“';
    else if (close) text += '”';
  }
  return text;
}

interface KnownSheet {
  readonly ruleCount: number;
  readonly generates: boolean;
}

const knownSheets = new WeakMap<CSSStyleSheet, KnownSheet>();

/** Checks the rules once per tree, which is faster than reading the style of each element. */
const mayGenerateText: (scope: TreeScope) => boolean = memoised((scope: TreeScope) => {
  for (const sheet of styleSheetsIn(scope)) if (generatesText(sheet)) return true;
  return adoptedSheetsIn(scope).some(generatesText);
});

// Returns true for a cross-origin style sheet, because its rules cannot be read.
function generatesText(sheet: CSSStyleSheet): boolean {
  const rules = readableRulesOf(sheet);
  if (!rules) return true;
  const known = knownSheets.get(sheet);
  if (known && known.ruleCount === rules.length) return known.generates;
  const generates = findRule(rules, ANY_GENERATING);
  knownSheets.set(sheet, { ruleCount: rules.length, generates });
  return generates;
}

const ANY_GENERATING: RuleSearch = {
  isFound: (selector) => /:(?:before|after)/.test(selector),
  isFoundInUnreadable: () => true,
};
