import { documentElementOf, firstChildOf } from './native.ts';

/**
 * Calls `listen` now and when the document gets a new root element, before scripts below it run: `document.open()`
 * removes all listeners from the document and window. Adding the same listener twice has no effect.
 */
export function keepListening(listen: () => void): void {
  listen();
  new MutationObserver(listen).observe(document, { childList: true });
}

/** The event type is random, so the page cannot listen for it. */
const PROBE = `probe${Math.random()}`;

const root = documentElementOf(document);
/** True if the document was empty when this program started, so no page script ran before. */
const wasFirst = root === null || firstChildOf(root) === null;
let isReceived = false;
addEventListener(PROBE, () => {
  isReceived = true;
});

/** True if this program's window listeners run before those of the page. */
export function listensFirst(): boolean {
  return wasFirst && isListening();
}

// `document.open()` removes all listeners, and the page may add its own first.
function isListening(): boolean {
  isReceived = false;
  dispatchEvent(new Event(PROBE));
  return isReceived;
}
