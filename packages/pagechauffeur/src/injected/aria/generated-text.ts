import { memoised } from '../memo.ts';
import { attributeOf, localNameOf } from '../native.ts';
import { findRule, readableRulesOf, type RuleSearch, withoutEscapes } from '../styles/readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope, treeScopeOf } from '../native-document.ts';

const plainString = /^"[^"\\]*"$/;
/** Strings inside other functions, such as the address of an image, are no text. The last alternative skips them. */
const token = new RegExp(
  [
    /"((?:[^"\\]|\\.)*)"/,
    /attr\(\s*([\w-]+)[^)]*\)/,
    /(open-quote|close-quote)/,
    /(\/)/,
    /[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^()"]|\((?:"(?:[^"\\]|\\.)*"|[^()"]|\((?:[^()]|\([^()]*\))*\))*\))*\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const IMAGE = /(?:url|image-set|gradient|cross-fade|element)\(/;

export type GeneratedPart = '::before' | '::after' | '::marker';

/**
 * Returns the text that CSS generates in the pseudo-element; `null` if there is none. `isApart`: a space separates
 * it from other text, as for blocks and images. In `content: "→" / "next"`, names use the text after the slash, and
 * people see the text before it.
 */
export function generatedText(
  element: Element,
  position: GeneratedPart,
  purpose: 'name' | 'text',
): { text: string; isApart: boolean } | null {
  const style = getComputedStyle(element, position);
  const { content } = style;
  if (content === 'none' || content === 'normal' || style.display === 'none') return null;
  if (style.visibility !== 'visible') return null;
  const { visible, alternative } = textsIn(element, content);
  const hasImage = generatesImage(content);
  // The alternative of an image counts like the one of `<img>`.
  const text = purpose === 'name' || (hasImage && visible.trim() === '') ? (alternative ?? visible) : visible;
  return { text, isApart: style.display !== 'inline' || hasImage };
}

/** True if the `content` generates an image. */
export function generatesImage(content: string): boolean {
  return IMAGE.test(content);
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

interface ContentTexts {
  readonly visible: string;
  /** `null` if there is none. */
  readonly alternative: string | null;
}

function textsIn(element: Element, content: string): ContentTexts {
  if (plainString.test(content)) return { visible: content.slice(1, -1), alternative: null };
  const texts = [''];
  for (const [, string, attribute, quote, slash] of content.matchAll(token)) {
    if (slash !== undefined) texts.push('');
    else texts.push((texts.pop() ?? '') + textOf(element, { string, attribute, quote }));
  }
  const [visible = '', alternative = null] = texts;
  return { visible, alternative };
}

interface ContentToken {
  readonly string: string | undefined;
  readonly attribute: string | undefined;
  readonly quote: string | undefined;
}

function textOf(element: Element, { string, attribute, quote }: ContentToken): string {
  if (string !== undefined) return withoutEscapes(string);
  if (attribute !== undefined) return attributeOf(element, attribute) ?? '';
  return quote === undefined ? '' : quote === 'open-quote' ? '“' : '”';
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
