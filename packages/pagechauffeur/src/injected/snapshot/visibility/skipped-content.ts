import { flatParent } from '../../tree/composed-tree.ts';
import { newRange } from '../../native-document.ts';
import { elementsInDocument } from '../../tree/document-queries.ts';

/** With fewer elements, laying out each of them when it is read is fast enough. */
const MANY = 8;

/** Number of elements in each parent whose content was laid out. */
const laidOut = new WeakMap<Element, number>();

/**
 * Lays out what `content-visibility: auto` skips outside the viewport. Otherwise, each read of a style or box lays out
 * the document again. 4,000 elements took 60 s one by one in Chromium 156, and 2 s together.
 */
export function layOutSkippedContent(byRules: readonly Element[]): void {
  const counts = new Map<Element, number>();
  for (const element of new Set([...byRules, ...elementsInDocument('[style*="content-visibility"]')])) {
    const parent = flatParent(element);
    if (parent) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  for (const [parent, count] of counts) {
    if (count < (laidOut.get(parent) ?? 0) + MANY) continue;
    const range = newRange();
    range.selectNodeContents(parent);
    range.getBoundingClientRect();
    laidOut.set(parent, count);
  }
}
