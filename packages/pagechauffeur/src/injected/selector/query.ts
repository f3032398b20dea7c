import { labelsOf } from '../aria/references.ts';
import type { LackingFrame } from '../contract.ts';
import { isFrameElement } from '../tree/frames.ts';
import { filterElements, unite } from './filter.ts';
import { engineMessage, invalidSelector, type InvalidSelector, type QueryOutcome, withoutFrame } from './outcome.ts';
import {
  type AttributeEngine,
  type FilterEngine,
  joinParts,
  parseSelector,
  type QueryEngine,
  type SelectorPart,
} from './parse-selector.ts';
import { queryRole } from './role.ts';
import { isExpression, parseTextTest, queryText, type TextTest } from './text.ts';
import { queryXPath } from './xpath-query.ts';
import { hasShadowRootBefore, shadowRootsBelow, visitElements } from '../tree/composed-walk.ts';
import { attributeOf, hasAttribute, matches, queryAll, textContentOf } from '../native.ts';
import { unquote } from './scan.ts';
import { nameOf } from '../aria/name.ts';
import { compileComposedSelector } from './composed-css.ts';
import { parseXPath } from './xpath-parse.ts';

type Engine = (root: ParentNode, body: string, isFirstEnough: boolean) => QueryOutcome;

const engines: Readonly<Record<QueryEngine, Engine>> = {
  css: queryCss,
  xpath: queryXPath,
  text: queryText,
  role: queryRole,
  label: queryLabel,
  placeholder: (root, body) => queryAttribute('placeholder', root, body),
  alt: (root, body) => queryAttribute('alt', root, body),
  title: (root, body) => queryAttribute('title', root, body),
  testid: (root, body) => queryAttribute('testid', root, body),
};
const filters: ReadonlySet<string> = new Set<FilterEngine>([
  'has',
  'has-not',
  'has-text',
  'has-not-text',
  'visible',
  'and',
  'light',
]);

/** `matched`: the longest prefix of the selector that matched. */
export type SelectorOutcome =
  | Exclude<QueryOutcome, { kind: 'elements' }>
  | (Extract<QueryOutcome, { kind: 'elements' }> & { readonly matched: string; readonly isPastTheEnd?: boolean });

/**
 * Finds all matches in this frame. Each part searches inside the matches of the previous part. With `isFirstEnough`,
 * may return only the first match.
 */
export function querySelector(selector: string, root: ParentNode = document, isFirstEnough = false): SelectorOutcome {
  const parts = parseSelector(selector);
  if ('kind' in parts) return parts;
  let found: readonly ParentNode[] = [root];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (!part) break;
    const isSearch = isQueryPart(part);
    const first = found[0];
    if (isSearch && first instanceof Element && first !== root && isFrameElement(first))
      return { kind: 'frame', element: first, rest: joinParts(parts.slice(index)) };
    const outcome = queryPart(found, part, isFirstEnough && parts.length === 1);
    if (outcome.kind === 'frame') return { ...outcome, rest: joinRest(outcome.rest, parts.slice(index + 1)) };
    if (outcome.kind !== 'elements') return outcome;
    found = outcome.elements;
    if (found.length > 0) continue;
    const { lacks } = outcome;
    // A later `or` part may still find elements.
    const next = parts.findIndex((later, at) => at > index && later.engine === 'or');
    if (next < 0) {
      const matched = joinParts(parts.slice(0, index));
      return { kind: 'elements', elements: [], matched, isPastTheEnd: part.engine === 'nth', ...(lacks && { lacks }) };
    }
    index = next - 1;
  }
  return { kind: 'elements', elements: found.filter((node) => node instanceof Element), matched: selector };
}

function isQueryPart(part: SelectorPart): part is SelectorPart & { engine: QueryEngine } {
  return part.engine in engines;
}

function intoFrame(element: ParentNode | undefined): QueryOutcome {
  if (!(element instanceof Element))
    return invalidSelector('frame=content needs a selector for a frame before it, such as iframe >> frame=content.');
  return isFrameElement(element) ? { kind: 'frame', element, rest: '' } : withoutFrame(element);
}

function queryPart(found: readonly ParentNode[], part: SelectorPart, isFirstEnough: boolean): QueryOutcome {
  if (isQueryPart(part)) return queryInside(found, part, isFirstEnough);
  if (part.engine === 'frame') return intoFrame(found[0]);
  if (part.engine === 'nth') return pickNth(found, part.body, part.source);
  const elements = found.filter((node) => node instanceof Element);
  if (part.engine === 'or') return unite(elements, part.body, findInside);
  return isFilterPart(part)
    ? filterElements(elements, part, findInside)
    : invalidSelector(`"${part.source}" is not a supported selector.`);
}

function isFilterPart(part: SelectorPart): part is SelectorPart & { engine: FilterEngine } {
  return filters.has(part.engine);
}

function findInside(root: ParentNode, selector: string): QueryOutcome {
  return querySelector(selector, root);
}

function queryInside(
  roots: readonly ParentNode[],
  { engine, body }: SelectorPart & { engine: QueryEngine },
  isFirstEnough: boolean,
): QueryOutcome {
  const elements = new Set<Element>();
  let lacks: LackingFrame | undefined;
  for (const root of roots) {
    const outcome = engines[engine](root, body, isFirstEnough);
    if (outcome.kind !== 'elements') return outcome;
    lacks ??= outcome.lacks;
    for (const element of outcome.elements) elements.add(element);
  }
  return { kind: 'elements', elements: [...elements], ...(lacks && { lacks }) };
}

function pickNth(roots: readonly ParentNode[], body: string, source: string): QueryOutcome {
  if (!/^-?\d+$/.test(body))
    return invalidSelector(`"${source}" needs a whole number: nth=0 is the first match, nth=-1 the last.`);
  const picked = roots.at(Number(body));
  return { kind: 'elements', elements: picked instanceof Element ? [picked] : [] };
}

function joinRest(rest: string, later: readonly SelectorPart[]): string {
  return [rest, joinParts(later)].filter((part) => part !== '').join(' >> ');
}

/**
 * Also searches open and registered closed shadow roots. Returns matches in document order; with `isFirstEnough`,
 * perhaps only the first.
 */
function queryCss(root: ParentNode, selector: string, isFirstEnough = false): QueryOutcome {
  const native = queryNatively(root, selector);
  if (!Array.isArray(native)) return native;
  const [first] = native;
  if (isFirstEnough && first && !hasShadowRootBefore(first, root)) return { kind: 'elements', elements: [first] };
  if (shadowRootsBelow(root).length === 0) return { kind: 'elements', elements: native };
  const matchesAcrossRoots = compileComposedSelector(selector);
  const elements: Element[] = [];
  visitElements(root, (element) => {
    if (matches(element, selector) || matchesAcrossRoots(element)) elements.push(element);
  });
  return { kind: 'elements', elements };
}

function queryNatively(root: ParentNode, selector: string): Element[] | QueryOutcome {
  try {
    return queryAll(root, selector);
  } catch (error) {
    return invalidSelector(
      `${engineMessage(error)} To find an element by its text use text=… or role=button[name="…"]; an XPath starts with / or xpath=.`,
    );
  }
}

const ATTRIBUTES: Readonly<Record<AttributeEngine, string>> = {
  placeholder: 'placeholder',
  alt: 'alt',
  title: 'title',
  testid: 'data-testid',
};

function queryAttribute(engine: AttributeEngine, root: ParentNode, body: string): QueryOutcome {
  const isWanted = attributeTest(engine, body.trim());
  if (typeof isWanted === 'string') return invalidSelector(isWanted);
  const elements: Element[] = [];
  visitElements(root, (element) => {
    const value = attributeOf(element, ATTRIBUTES[engine]);
    if (value !== null && isWanted(value)) elements.push(element);
  });
  return { kind: 'elements', elements };
}

function attributeTest(engine: AttributeEngine, body: string): TextTest | string {
  try {
    return engine === 'testid' && !isExpression(body) ? wholeTest(unquote(body) ?? body) : parseTextTest(body);
  } catch (error) {
    return `${engineMessage(error)}. Expected ${engine}=text, ${engine}="text" or ${engine}=/words/i.`;
  }
}

// Test ids are identifiers, not text, so white space is significant.
function wholeTest(wanted: string): TextTest {
  return (value) => value === wanted;
}
/** Finds elements by `<label>`, `aria-label` or `aria-labelledby`. */
function queryLabel(root: ParentNode, body: string): QueryOutcome {
  const isWanted = labelTest(body.trim());
  if (typeof isWanted !== 'function') return isWanted;
  const elements: Element[] = [];
  visitElements(root, (element) => {
    if (isLabelled(element) && namesOf(element).some(isWanted)) elements.push(element);
  });
  return { kind: 'elements', elements };
}

function labelTest(body: string): TextTest | InvalidSelector {
  try {
    return parseTextTest(body);
  } catch (error) {
    return invalidSelector(`${engineMessage(error)}. Expected label=Email, label="Email" or label=/e-?mail/i.`);
  }
}

// If a control has several labels, each of them counts as a name.
function namesOf(element: Element): string[] {
  const label = attributeOf(element, 'aria-label');
  return [
    nameOf(element),
    ...(label === null ? [] : [label]),
    ...labelsOf(element).map((one) => textContentOf(one) ?? ''),
  ];
}

function isLabelled(element: Element): boolean {
  if (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby')) return true;
  return labelsOf(element).length > 0;
}

/** Returns the longest proper prefix of an absolute XPath that matches an element; `''` if there is none. */
export function matchedXPathPart(selector: string): string {
  const expression = selector.replace(/^xpath\s*=\s*/, '');
  if (!expression.startsWith('/')) return '';
  const steps = parseXPath(expression)?.steps ?? [];
  let matched = '';
  // If a path matches, so does each of its prefixes, which allows a binary search.
  for (let low = 0, high = steps.length - 1; low < high;) {
    const middle = Math.floor((low + high) / 2);
    const part = expression.slice(0, steps[middle]?.end);
    const isMatch = matchesSomething(part);
    if (isMatch) matched = part;
    if (isMatch) low = middle + 1;
    else high = middle;
  }
  return matched;
}

function matchesSomething(path: string): boolean {
  const outcome = querySelector(`xpath=${path}`);
  return outcome.kind === 'elements' && outcome.elements.length > 0;
}
