/** Tells the page that a person changed a control: `input` as it changes, then `change` when done. */
export function announceChange(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
