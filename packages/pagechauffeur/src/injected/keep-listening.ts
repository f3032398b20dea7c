/**
 * Calls `listen` now and when the document gets a new root element, before scripts below it run: `document.open()`
 * removes all listeners from the document and window. Adding the same listener twice has no effect.
 */
export function keepListening(listen: () => void): void {
  listen();
  new MutationObserver(listen).observe(document, { childList: true });
}
