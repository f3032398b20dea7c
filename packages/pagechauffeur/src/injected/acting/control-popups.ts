import { queryAll, rootOf } from '../native.ts';

/**
 * The other controls whose popup the browser shows, such as the list of a select that the page opened by `showPicker()`. A popup takes keys
 * before any element does. Covers this document and the shadow tree of the element.
 */
function controlsWithPopup(except: Element): readonly Element[] {
  if (!CSS.supports('selector(:open)')) return [];
  const root = rootOf(except);
  const scopes = root instanceof ShadowRoot ? [root, document] : [document];
  return scopes.flatMap((scope) => queryAll(scope, 'select:open, input:open')).filter((control) => control !== except);
}

/** The kind of popup that another control shows; null if none does. */
export function popupOfOthers(element: Element): 'list' | 'picker' | null {
  const controls = controlsWithPopup(element);
  if (controls.length === 0) return null;
  return controls.some((control) => control instanceof HTMLSelectElement) ? 'list' : 'picker';
}

/** Closes the popups of other controls. A list closes without a choice when its control loses the focus. A colour picker stays open. */
export function closePopupsOfOthers(element: Element): void {
  for (const control of controlsWithPopup(element)) {
    if (!(control instanceof HTMLElement)) continue;
    HTMLElement.prototype.focus.call(control, { preventScroll: true });
    HTMLElement.prototype.blur.call(control);
  }
}
