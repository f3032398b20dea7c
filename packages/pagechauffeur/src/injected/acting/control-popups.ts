import { queryAll, rootOf } from '../native.ts';

/**
 * Returns the other controls with an open browser popup, such as a select opened by `showPicker()`. A popup receives
 * keys before any element does. Searches this document and the shadow tree of the element.
 */
function controlsWithPopup(except: Element): readonly Element[] {
  if (!CSS.supports('selector(:open)')) return [];
  const root = rootOf(except);
  const scopes = root instanceof ShadowRoot ? [root, document] : [document];
  return scopes.flatMap((scope) => queryAll(scope, 'select:open, input:open')).filter((control) => control !== except);
}

/** Returns the kind of popup that is open for another control; null if there is none. */
export function popupOfOthers(element: Element): 'list' | 'picker' | null {
  const controls = controlsWithPopup(element);
  if (controls.length === 0) return null;
  return controls.some((control) => control instanceof HTMLSelectElement) ? 'list' : 'picker';
}

/**
 * Closes the popups of other controls. The list of a select closes without a selection when the select loses focus. A
 * color picker stays open.
 */
export function closePopupsOfOthers(element: Element): void {
  for (const control of controlsWithPopup(element)) {
    if (!(control instanceof HTMLElement)) continue;
    HTMLElement.prototype.focus.call(control, { preventScroll: true });
    HTMLElement.prototype.blur.call(control);
  }
}
