/**
 * Adds listeners with `listen`, and again after `document.open()`, which removes all listeners of the document and its window. They are added
 * when the new root appears, before the page's scripts run. Adding a listener that is already there has no effect.
 */
export function keepListening(listen: () => void): void {
  listen();
  new MutationObserver(listen).observe(document, { childList: true });
}
