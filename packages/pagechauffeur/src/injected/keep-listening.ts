/**
 * Calls `listen` to add listeners, and again after `document.open()`, which removes all listeners of the document and
 * its window. The second call runs when the new root element appears, before the page's scripts. Adding a listener
 * twice has no effect.
 */
export function keepListening(listen: () => void): void {
  listen();
  new MutationObserver(listen).observe(document, { childList: true });
}
