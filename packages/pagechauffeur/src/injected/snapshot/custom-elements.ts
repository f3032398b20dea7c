import { possibleHostsInDocument, shadowRootsBelow } from '../composed-walk.ts';
import { addWaiting, takeWaiting } from '../element-internals.ts';
import { hasMarks } from '../marks.ts';
import { checkVisibility, localNameOf } from '../native.ts';
import { isListenedTo } from './clickable/listened.ts';
import { tagFactsOf } from './tags.ts';

/**
 * True once a custom element was seen that users may act on. In other documents no element is reported to CDP, because
 * the browser would have to build its accessibility tree.
 */
let hasControl = false;
/** True if elements were skipped because there was no such element yet. */
let hasSkipped = false;

/** Call for each rendered custom element. `isNeeded`: a call looks for an element that it could be. */
export function noteCustomElement(element: Element, isNeeded = false): void {
  hasControl ||=
    isNeeded || hasMarks(element) || isListenedTo(element) || getComputedStyle(element).cursor === 'pointer';
  if (hasControl) addWaiting(element);
  else hasSkipped = true;
}

/** Returns custom elements whose internals CDP has not reported yet. */
export function takeCustomElements(most: number, isNew: boolean): Element[] {
  if (isNew) noteAll();
  if (hasControl && hasSkipped) {
    hasSkipped = false;
    noteAll();
  }
  return takeWaiting(most);
}

function noteAll(): void {
  const hosts = shadowRootsBelow(document).map(({ host }) => host);
  for (const element of [...hosts, ...(possibleHostsInDocument() ?? [])])
    if (tagFactsOf(localNameOf(element)).isCustom && checkVisibility(element)) noteCustomElement(element);
}
