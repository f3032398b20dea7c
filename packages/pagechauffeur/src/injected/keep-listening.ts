/**
 * Calls `listen` now and after each `document.open()`, which removes all listeners from the document and window. The
 * call after it runs when the new root element appears, before page scripts. Adding the same listener twice has no
 * effect.
 */
export function keepListening(listen: () => void): void {
  listen();
  new MutationObserver(listen).observe(document, { childList: true });
}
