import { composedParent } from '../tree/composed-tree.ts';
import type { ElementTarget, Finding, Resolution } from '../contract.ts';
import { describeElement } from '../element/describe.ts';
import { frameIdOf } from '../tree/frames.ts';
import { withReadCache } from '../memo.ts';
import { elementOfRef, refOf } from '../refs.ts';
import { roleOf } from '../aria/role.ts';
import { matchedXPathPart, querySelector, type SelectorOutcome } from './query.ts';

export type NotFound = Exclude<Resolution, { kind: 'element' }>;

/** `isFinal`: waiting cannot change the result. */
export type Located =
  | { readonly kind: 'element'; readonly element: Element }
  | { readonly kind: 'missing'; readonly answer: NotFound; readonly isFinal: boolean };

/** Number of matches that a strict mode error lists. */
const NAMED_CANDIDATES = 5;

export function locate(target: ElementTarget): Located {
  if ('ref' in target) return locateRef(target.ref);
  const isFirstEnough = !target.strict && (target.index ?? 0) === 0;
  return chosen(target, locateAll(target.selector, isFirstEnough));
}

type SelectorTarget = Extract<ElementTarget, { selector: string }>;
type AllLocated = Extract<SelectorOutcome, { kind: 'elements' }> | Extract<Located, { kind: 'missing' }>;

function chosen({ selector, strict, index = 0 }: SelectorTarget, found: AllLocated): Located {
  if (found.kind === 'missing') return found;
  if (strict && found.elements.length > 1) return ambiguous(found.elements);
  const element = found.elements.at(index);
  if (element) return { kind: 'element', element };
  return none(selector, { ...found, isPastTheEnd: found.isPastTheEnd === true || found.elements.length > 0 });
}

/** Returns every match in this frame. With `isFirstEnough`, may return only the first. */
function locateAll(selector: string, isFirstEnough = false): AllLocated {
  const outcome = withReadCache(() => querySelector(selector, document, isFirstEnough));
  if (outcome.kind === 'elements') return outcome;
  if (outcome.kind === 'frame') {
    const { element, rest } = outcome;
    return {
      kind: 'missing',
      isFinal: true,
      answer: { kind: 'frame', ref: refOf(element), frameId: frameIdOf(element), rest },
    };
  }
  if (outcome.kind === 'no-shadow-root') return { kind: 'missing', isFinal: false, answer: outcome };
  if (outcome.kind === 'no-frame') return { kind: 'missing', isFinal: true, answer: outcome };
  const { isProvisional, ...answer } = outcome;
  return { kind: 'missing', isFinal: !isProvisional, answer };
}

/** `count` is the number of matches, 1 for a ref. */
export function resolve(target: ElementTarget): Resolution {
  const all = 'ref' in target ? null : locateAll(target.selector);
  const located = 'ref' in target || !all ? locate(target) : chosen(target, all);
  if (located.kind === 'missing') return located.answer;
  return { kind: 'element', ref: refOf(located.element), count: all?.kind === 'elements' ? all.elements.length : 1 };
}

/**
 * Prefers a selector that matches only this element to one that also matches others. All selectors share one reading,
 * so each role and name is computed once.
 */
export function firstFinding(ref: number, selectors: readonly string[]): Finding | null {
  const target = elementOfRef(ref);
  return target && withReadCache(() => bestFinding(target, selectors));
}

function bestFinding(target: Element, selectors: readonly string[]): Finding | null {
  let among: Finding | null = null;
  const ancestorRoles = new Set(selfAndAncestors(target).map(roleOf));
  for (const [index, selector] of selectors.entries()) {
    const [, holder] = HOLDER.exec(selector) ?? [];
    if (holder !== undefined && !ancestorRoles.has(holder)) continue;
    const outcome = querySelector(selector);
    const nth = outcome.kind === 'elements' ? outcome.elements.indexOf(target) : -1;
    if (outcome.kind !== 'elements' || nth < 0) continue;
    const count = outcome.elements.length;
    if (count === 1) return { index, nth, count };
    among ??= { index, nth, count };
  }
  return among;
}

/** The role at the start of a selector. Without an ancestor with this role, the selector cannot match. */
const HOLDER = /^role=([a-z]+) >> /;

function selfAndAncestors(element: Element): Element[] {
  const parents: Element[] = [];
  for (let node = composedParent(element); node; node = composedParent(node)) parents.push(node);
  return parents;
}

function locateRef(ref: number): Located {
  const element = elementOfRef(ref);
  return element ? { kind: 'element', element } : { kind: 'missing', isFinal: true, answer: { kind: 'stale' } };
}

function ambiguous(elements: readonly Element[]): Located {
  const candidates = elements.slice(0, NAMED_CANDIDATES).map(describeElement);
  return { kind: 'missing', isFinal: true, answer: { kind: 'ambiguous', count: elements.length, candidates } };
}

function none(
  selector: string,
  { matched, lacks, isPastTheEnd }: Extract<SelectorOutcome, { kind: 'elements' }>,
): Located {
  const answer = { kind: 'none', matched: matched || matchedXPathPart(selector) } as const;
  const reasons = { ...(lacks && { lacks }), ...(isPastTheEnd && { isPastTheEnd }) };
  return { kind: 'missing', isFinal: false, answer: { ...answer, ...reasons } };
}
