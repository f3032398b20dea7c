import { memoised } from '../memo.ts';
import { queryAll, queryCount } from '../native.ts';

/** Results that hold until the document changes. */
interface KeptQueries {
  readonly elementsBySelector: Map<string, readonly Element[]>;
  /** For each class, whether the document has an element with it. */
  readonly usedClasses: Map<string, boolean>;
}

/** `null` while changes of the document are not watched. */
let kept: KeptQueries | null = null;

/**
 * Pseudo-classes that match other elements only after a change of elements or attributes. Others, such as `:hover` and
 * `:checked`, depend on states.
 */
const STATELESS: ReadonlySet<string> = new Set(
  (
    'after before first-child first-letter first-line first-of-type has is lang last-child last-of-type link not nth-child ' +
    'nth-last-child nth-last-of-type nth-of-type only-child only-of-type root where'
  ).split(' '),
);

/** Returns the elements of the document that match. While changes are watched, results are kept until the next one. */
export function elementsInDocument(selector: string): readonly Element[] {
  const known = kept?.elementsBySelector.get(selector);
  if (known) return known;
  const elements = mayMatch(selector) ? queryAll(document, selector) : [];
  if (kept && isStateless(selector)) kept.elementsBySelector.set(selector, elements);
  return elements;
}

/** Captures the name of the attribute, and the operator if there is one. */
export const attributeSelector = /\[\s*([\w-]+)\s*([~|^$*]?=)?(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]/g;
const ARGUMENTS = /:[\w-]+\([^()]*\)/g;
/** Matches a class. A backslash escapes a character or precedes its code. */
export const classSelector = /\.(?:[\w-]|[^\0-\x7F]|\\(?:[\da-f]{1,6}\s?|.))+/gi;

/**
 * False if the selector surely matches nothing: nothing is in full screen, or the document lacks a class that each match
 * needs. The browser finds a class much faster than an element for a list of selectors, and large style sheets have many
 * rules for other pages of a site.
 */
export function mayMatch(selector: string): boolean {
  const known = kept?.elementsBySelector.get(selector);
  if (known) return known.length > 0;
  if (selector === ':fullscreen') return document.fullscreenElement !== null;
  if (!selector.includes('.') || selector.includes('\\')) return true;
  const plain = selector.replace(attributeSelector, '').replace(ARGUMENTS, '');
  if (/[()]/.test(plain)) return true;
  return plain.split(',').some((single) => {
    for (const [name] of single.matchAll(classSelector)) if (!isUsed(name)) return false;
    return true;
  });
}

function isUsed(className: string): boolean {
  const known = kept?.usedClasses ?? classesOfReading(document);
  const answer = known.get(className) ?? queryCount(document, className) > 0;
  known.set(className, answer);
  return answer;
}

const classesOfReading = memoised((_document: Document) => new Map<string, boolean>());

function isStateless(selector: string): boolean {
  for (const [, name = ''] of selector.matchAll(/:([\w-]+)/g)) if (!STATELESS.has(name)) return false;
  return true;
}

/** Call after each change of elements and attributes, or when they are no longer watched. */
export function forgetQueries(isWatched: boolean): void {
  kept = isWatched ? { elementsBySelector: new Map(), usedClasses: new Map() } : null;
}
