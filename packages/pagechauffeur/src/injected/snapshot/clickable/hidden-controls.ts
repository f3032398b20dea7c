import { controlOf, labelsOf } from '../../aria/references.ts';
import { measured } from '../../dependencies.ts';
import { isFocusable } from '../../element/controls.ts';
import { hasHandler } from './listened.ts';
import { attributeOf } from '../../native.ts';
import { roleOf } from '../../aria/role.ts';
import { isNotRendered } from '../../element/visibility.ts';
import { isInEmptyBox } from '../visibility/boxes/clipping.ts';
import { isReplacedSelect } from '../../element/replaced-select.ts';

// `aria-hidden` does not stop keyboard and mouse.
export function isReachable(element: Element): boolean {
  if (hasHandler(element)) return true;
  return isFocusable(element) && !(attributeOf(element, 'tabindex') ?? '').trim().startsWith('-');
}

// Users operate a hidden control through its label, or through a button that opens the file chooser.
export function hasProxyControl(element: Element): boolean {
  return element instanceof HTMLInputElement && (element.type === 'file' || labelsOf(element).length > 0);
}

/** True if a rendered control has no line, because users operate a replacement instead. */
export function isLeftOutControl(control: Element): boolean {
  if (measured(control, isInEmptyBox) && !hasProxyControl(control)) return true;
  if (control instanceof HTMLSelectElement && isReplacedSelect(control)) return true;
  return Element.prototype.closest.call(control, '[aria-hidden="true"]') !== null && !isReachable(control);
}

/** Returns the label's control if it is not rendered. The label then shows a replacement. */
export function hiddenControlOf(element: Element): HTMLElement | null {
  const control = controlOf(element);
  return control && isNotRendered(control) ? control : null;
}

/** Returns the label's checkbox, radio button or switch if it is not rendered. */
export function hiddenBoxOf(element: Element): HTMLElement | null {
  const control = hiddenControlOf(element);
  return control && boxRoles.has(roleOf(control)) ? control : null;
}

export const boxRoles: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
