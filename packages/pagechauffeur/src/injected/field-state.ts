import { PAGE_BOUNDS } from '../page-bounds.ts';
import { areaValueOf, hasAttribute, inputValueOf, localNameOf, matches } from './native.ts';

/**
 * Describes what a script can change about a field, dialog or popover without an event. Returns a number where possible,
 * which needs no memory; `''` for other elements.
 */
export function fieldState(element: Element): string | number {
  if (element instanceof HTMLInputElement) {
    const { checked, indeterminate, type, files } = element;
    const flags = Number(checked) + Number(indeterminate) * 2 + Number(element.validity.valid) * 4;
    if (type === 'checkbox' || type === 'radio') return flags;
    const names = Array.from(files ?? [], ({ name }) => name).join();
    return `${flags} ${type} ${names} ${bounded(inputValueOf(element))}`;
  }
  if (element instanceof HTMLTextAreaElement) return `${element.validity.valid} ${bounded(areaValueOf(element))}`;
  if (element instanceof HTMLSelectElement)
    return `${element.validity.valid} ${Array.from(element.selectedOptions, ({ index }) => index).join()}`;
  if (element instanceof HTMLOptionElement) return Number(element.selected);
  if (localNameOf(element) === 'dialog') return Number(matches(element, ':modal'));
  return hasAttribute(element, 'popover') ? Number(matches(element, ':popover-open')) : '';
}

function bounded(value: string): string {
  const { elementValue } = PAGE_BOUNDS;
  return value.length > elementValue ? `${value.length} ${value.slice(0, elementValue)}` : value;
}
