/** Fires the same events as a user's change: `input`, then `change`. */
export function announceChange(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
