import { memoised } from '../memo.ts';
import { attributeOf, localNameOf } from '../native.ts';
import { styleOf } from '../styles/computed-style.ts';
import { flatParent } from '../tree/composed-tree.ts';
import { findRule, readableRulesOf, type RuleSearch, withoutEscapes } from '../styles/readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope, treeScopeOf } from '../native-document.ts';

const plainString = /^"[^"\\]*"$/;
/** Strings inside other functions, such as the address of an image, are no text. The last alternative skips them. */
const token = new RegExp(
  [
    /"((?:[^"\\]|\\.)*)"/,
    /attr\(\s*([\w-]+)[^)]*\)/,
    /(?<!-)(open-quote|close-quote)/,
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
  const content = position === '::marker' ? markerContent(style, styleOf(element)) : style.content;
  if (content === 'none' || content === 'normal' || style.display === 'none') return null;
  if (style.visibility !== 'visible') return null;
  const { visible, alternative } = textsIn(element, content, style.quotes);
  const hasImage = generatesImage(content);
  // The alternative of an image counts like the one of `<img>`.
  const text = purpose === 'name' || (hasImage && visible.trim() === '') ? (alternative ?? visible) : visible;
  return { text, isApart: style.display !== 'inline' || hasImage };
}

/** Without `content`, a marker shows the string of `list-style-type`, if that is one. */
function markerContent({ content }: CSSStyleDeclaration, { listStyleType }: CSSStyleDeclaration): string {
  return content === 'normal' && isTextMarker(listStyleType) ? listStyleType : content;
}

/** True if a computed `list-style-type` is a string. */
export function isTextMarker(listStyleType: string): boolean {
  return listStyleType.startsWith('"');
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

function textsIn(element: Element, content: string, quotes: string): ContentTexts {
  if (plainString.test(content)) return { visible: content.slice(1, -1), alternative: null };
  const texts = [''];
  for (const [, string, attribute, quote, slash] of content.matchAll(token)) {
    if (slash !== undefined) texts.push('');
    else texts.push((texts.pop() ?? '') + textOf(element, { string, attribute, quote }, quotes));
  }
  const [visible = '', alternative = null] = texts;
  return { visible, alternative };
}

interface ContentToken {
  readonly string: string | undefined;
  readonly attribute: string | undefined;
  readonly quote: string | undefined;
}

function textOf(element: Element, { string, attribute, quote }: ContentToken, quotes: string): string {
  if (string !== undefined) return withoutEscapes(string);
  if (attribute !== undefined) return attributeOf(element, attribute) ?? '';
  return quote === undefined ? '' : quotationMark(element, quote === 'open-quote', quotes);
}

/** `quotes`: the computed value, with a pair of strings for each level. */
function quotationMark(element: Element, isOpening: boolean, quotes: string): string {
  if (quotes === 'none') return '';
  const marks = quotes.match(/"(?:[^"\\]|\\.)*"/g);
  if (!marks) return isOpening ? '“' : '”';
  const level = Math.min(quotationsAround(element), marks.length / 2 - 1);
  return withoutEscapes((marks[2 * level + (isOpening ? 0 : 1)] ?? '').slice(1, -1));
}

function quotationsAround(element: Element): number {
  let count = 0;
  for (let node = flatParent(element); node; node = flatParent(node)) if (localNameOf(node) === 'q') count += 1;
  return count;
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
