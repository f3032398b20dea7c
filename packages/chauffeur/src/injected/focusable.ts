import { attributeOf, hasAttribute, localNameOf } from './native.ts';

const focusableTags: ReadonlySet<string> = new Set(['button', 'iframe', 'input', 'select', 'textarea']);

/** Whether the element can get the focus, by keyboard or by script. */
export function isFocusable(element: Element): boolean {
  const tag = localNameOf(element);
  if (focusableTags.has(tag)) return !isDisabled(element) && !(element instanceof HTMLInputElement && element.type === 'hidden');
  if (attributeOf(element, 'tabindex') !== null && Number.isInteger(Number.parseInt(attributeOf(element, 'tabindex') ?? '', 10))) return true;
  if ((tag === 'a' || tag === 'area') && hasAttribute(element, 'href')) return true;
  if (tag === 'summary') return element.parentElement instanceof HTMLDetailsElement;
  return isEditingHost(element);
}

/** Whether the browser treats the control as disabled, by itself or by its fieldset. */
export function isDisabled(element: Element): boolean {
  return Element.prototype.matches.call(element, ':disabled');
}

/** Whether the element is the outermost one of an editable part. */
export function isEditingHost(element: Element): boolean {
  const value = attributeOf(element, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && element instanceof HTMLElement && element.isContentEditable;
}
