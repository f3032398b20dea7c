import { queryAll, rootOf } from '../native.ts';

/**
 * Returns the other controls with an open popup, such as a select after `showPicker()`. The popups receive keys before
 * any element does. Searches the document and the shadow tree around `except`.
 */
function controlsWithPopup(except: Element): readonly Element[] {
  if (!CSS.supports('selector(:open)')) return [];
  const root = rootOf(except);
  const scopes = root instanceof ShadowRoot ? [root, document] : [document];
  return scopes.flatMap((scope) => queryAll(scope, 'select:open, input:open')).filter((control) => control !== except);
}

/** `list`: a select is open; `picker`: a date or color field is open. */
export function popupOfOthers(element: Element): 'list' | 'picker' | null {
  const controls = controlsWithPopup(element);
  if (controls.length === 0) return null;
  return controls.some((control) => control instanceof HTMLSelectElement) ? 'list' : 'picker';
}

/** Focuses and blurs each control. This closes the list of a select without a selection. A color picker stays open. */
export function closePopupsOfOthers(element: Element): void {
  for (const control of controlsWithPopup(element)) {
    if (!(control instanceof HTMLElement)) continue;
    HTMLElement.prototype.focus.call(control, { preventScroll: true });
    HTMLElement.prototype.blur.call(control);
  }
}
