import { possibleHostsInDocument, shadowRootsBelow } from '../tree/composed-walk.ts';
import { addWaiting, forgetKinds, takeMissed, takeWaiting } from './internals-queue.ts';
import { keepListening } from '../own-listeners.ts';
import { hasMarks } from '../aria/states.ts';
import { checkVisibility, localNameOf } from '../native.ts';
import { isListenedTo } from '../snapshot/clickable/listened.ts';
import { tagFactsOf } from '../tree/tags.ts';

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
export function takeCustomElements(isNew: boolean): Element[] {
  if (isNew) noteAll();
  const hasMissed = takeMissed();
  if (hasControl && (hasSkipped || hasMissed)) {
    hasSkipped = false;
    noteAll();
  }
  return takeWaiting();
}

/** `document.open()` keeps the world of the injected script, but the new elements may be different ones. */
keepListening(() => {
  hasControl = false;
  hasSkipped = false;
  forgetKinds();
});

function noteAll(): void {
  const hosts = shadowRootsBelow(document).map(({ host }) => host);
  for (const element of [...hosts, ...(possibleHostsInDocument() ?? [])])
    if (tagFactsOf(localNameOf(element)).isCustom && checkVisibility(element)) noteCustomElement(element);
}
