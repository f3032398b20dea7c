import type { LackingFrame } from '../contract.ts';
import { isFrameElement } from '../frames.ts';
import { queryAttribute } from './attribute.ts';
import { queryCss } from './css.ts';
import { filterElements, unite } from './filter.ts';
import { queryLabel } from './label.ts';
import { invalidSelector, type QueryOutcome } from './outcome.ts';
import { type FilterEngine, joinParts, parseSelector, type QueryEngine, type SelectorPart } from './parse-selector.ts';
import { queryRole } from './role.ts';
import { queryText } from './text.ts';
import { withoutFrame } from './without-frame.ts';
import { queryXPath } from './xpath-query.ts';

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

/** The result of a selector. If nothing matched, `matched` is the longest prefix that did. */
export type SelectorOutcome =
  | Exclude<QueryOutcome, { kind: 'elements' }>
  | (Extract<QueryOutcome, { kind: 'elements' }> & { readonly matched: string; readonly isPastTheEnd?: boolean });

/**
 * Finds every element of this frame that matches. Each part searches within the matches of the part before it. With `isFirstEnough` it may
 * return only the first.
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
    // A later `or` part can still find elements.
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
  if (!(element instanceof Element)) return invalidSelector('frame=content needs a selector of a frame before it.');
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
    : invalidSelector(`"${part.source}" is not known.`);
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
