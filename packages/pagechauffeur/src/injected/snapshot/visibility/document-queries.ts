import { queryAll } from '../../native.ts';

/** Elements by selector. `null` while changes of the document are not watched. */
let elementsBySelector: Map<string, readonly Element[]> | null = null;

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
  const known = elementsBySelector?.get(selector);
  if (known) return known;
  const elements = queryAll(document, selector);
  if (elementsBySelector && isStateless(selector)) elementsBySelector.set(selector, elements);
  return elements;
}

function isStateless(selector: string): boolean {
  for (const [, name = ''] of selector.matchAll(/:([\w-]+)/g)) if (!STATELESS.has(name)) return false;
  return true;
}

/** True while results are kept. */
export function areQueriesKept(): boolean {
  return elementsBySelector !== null;
}

/** Call after each change of elements and attributes, or when they are no longer watched. */
export function forgetQueries(isWatched: boolean): void {
  if (!isWatched) elementsBySelector = null;
  else if (elementsBySelector === null || elementsBySelector.size > 0) elementsBySelector = new Map();
}
