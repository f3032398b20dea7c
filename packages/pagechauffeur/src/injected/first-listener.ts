import { documentElementOf, firstChildOf } from './native.ts';

/** An event that no page can listen for. */
const PROBE = `probe${Math.random()}`;

const root = documentElementOf(document);
/** Nobody but this program can have listened before it did. */
const wasFirst = root === null || firstChildOf(root) === null;
let isHeard = false;
addEventListener(PROBE, () => {
  isHeard = true;
});

/** Whether what this program listens for on the window, since it began, reaches it before the page. */
export function listensFirst(): boolean {
  return wasFirst && isListening();
}

// `document.open()` takes all listeners away, and whoever listens next may be the page.
function isListening(): boolean {
  isHeard = false;
  dispatchEvent(new Event(PROBE));
  return isHeard;
}
