import { ariaAttributeOf } from '../element-internals.ts';
import { attributeOf, hasAttribute, localNameOf } from '../native.ts';
import { foldSpace } from './text-builder.ts';

const fieldTags: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);
const rangeRoles: ReadonlySet<string> = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);
const buttonTypes: ReadonlySet<string> = new Set(['button', 'checkbox', 'hidden', 'image', 'radio', 'reset', 'submit']);

/** Returns the displayed value: `''` if empty, `null` if the element has no value. Never returns a password. */
export function valueOf(element: Element, role: string): string | null {
  if (fieldTags.has(localNameOf(element))) {
    if (element instanceof HTMLInputElement) return inputValue(element);
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (element instanceof HTMLSelectElement) return Array.from(element.selectedOptions, optionLabel).join(', ');
  }
  if (!rangeRoles.has(role)) return null;
  if (element instanceof HTMLProgressElement) return hasAttribute(element, 'value') ? String(element.value) : null;
  if (element instanceof HTMLMeterElement) return String(element.value);
  return ariaAttributeOf(element, 'aria-valuetext') || ariaAttributeOf(element, 'aria-valuenow');
}

export function optionLabel(option: HTMLOptionElement): string {
  return foldSpace(option.label);
}

function inputValue(input: HTMLInputElement): string | null {
  if (input.type === 'password' || buttonTypes.has(input.type)) return null;
  if (input.type === 'file') return Array.from(input.files ?? [], (file) => file.name).join(', ');
  const valueText = input.type === 'range' ? attributeOf(input, 'aria-valuetext') : null;
  return valueText || input.value;
}
