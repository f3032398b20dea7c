import { isFrameElement } from '../frames.ts';
import { queryCss } from './css.ts';
import { queryLabel } from './label.ts';
import { invalidSelector, type QueryOutcome } from './outcome.ts';
import { type EngineName, joinParts, parseSelector, type SelectorPart } from './parse-selector.ts';
import { queryRole } from './role.ts';
import { queryText } from './text.ts';
import { queryXPath } from './xpath-query.ts';

const engines: Readonly<Record<Exclude<EngineName, 'nth'>, (root: ParentNode, body: string) => QueryOutcome>> = {
  css: queryCss,
  xpath: queryXPath,
  text: queryText,
  role: queryRole,
  label: queryLabel,
};

/** What a selector leads to, together with its longest leading part that matched when it found nothing. */
export type SelectorOutcome =
  | Exclude<QueryOutcome, { kind: 'elements' }>
  | { readonly kind: 'elements'; readonly elements: readonly Element[]; readonly matched: string };

/** Finds every element of this frame that a selector matches, each part inside what the part before it found. */
export function querySelector(selector: string): SelectorOutcome {
  const parts = parseSelector(selector);
  if ('kind' in parts) return parts;
  let found: readonly ParentNode[] = [document];
  for (const [index, part] of parts.entries()) {
    const first = found[0];
    if (part.engine !== 'nth' && first instanceof Element && isFrameElement(first))
      return { kind: 'frame', element: first, rest: joinParts(parts.slice(index)) };
    const outcome = queryInside(found, part);
    if (outcome.kind === 'frame') return { ...outcome, rest: joinRest(outcome.rest, parts.slice(index + 1)) };
    if (outcome.kind !== 'elements') return outcome;
    if (outcome.elements.length === 0) return { ...outcome, matched: joinParts(parts.slice(0, index)) };
    found = outcome.elements;
  }
  return { kind: 'elements', elements: found.filter((node) => node instanceof Element), matched: selector };
}

function queryInside(roots: readonly ParentNode[], { engine, body, source }: SelectorPart): QueryOutcome {
  if (engine === 'nth') return pickNth(roots, body, source);
  const elements = new Set<Element>();
  for (const root of roots) {
    const outcome = engines[engine](root, body);
    if (outcome.kind !== 'elements') return outcome;
    for (const element of outcome.elements) elements.add(element);
  }
  return { kind: 'elements', elements: [...elements] };
}

function pickNth(roots: readonly ParentNode[], body: string, source: string): QueryOutcome {
  if (!/^-?\d+$/.test(body))
    return invalidSelector(`"${source}" needs a whole number: nth=0 is the first match, nth=-1 the last.`);
  const picked = roots.at(Number(body));
  return { kind: 'elements', elements: picked instanceof Element ? [picked] : [] };
}

function joinRest(rest: string, later: readonly SelectorPart[]): string {
  return later.length === 0 ? rest : `${rest} >> ${joinParts(later)}`;
}
