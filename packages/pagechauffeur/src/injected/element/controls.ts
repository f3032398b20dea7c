import {
  areaValueOf,
  attributeOf,
  hasAttribute,
  inputValueOf,
  isContentEditable,
  localNameOf,
  matches,
  parentElementOf,
} from '../native.ts';
import { PAGE_BOUNDS } from '../../page-bounds.ts';

const controlTags: ReadonlySet<string> = new Set(['button', 'input', 'select', 'textarea']);

export function isControl(element: Element): boolean {
  return controlTags.has(localNameOf(element));
}

/** True if keyboard or script can focus the element once it is rendered. */
export function isFocusable(element: Element): boolean {
  const tag = localNameOf(element);
  if (isControl(element))
    return !isDisabled(element) && !(element instanceof HTMLInputElement && element.type === 'hidden');
  if (hasTabIndex(element)) return true;
  if (tag === 'a' || tag === 'area') return hasAttribute(element, 'href');
  if (tag === 'summary') return isSummaryOfDetails(element);
  if (tag === 'audio' || tag === 'video') return hasAttribute(element, 'controls');
  if (tag === 'dialog') return hasAttribute(element, 'open');
  if (tag === 'option') return !isDisabled(element);
  return isEditingHost(element);
}

/** True also for a control that a fieldset disables. */
export function isDisabled(element: Element): boolean {
  return matches(element, ':disabled');
}

/** True for the root of an editable region. */
export function isEditingHost(element: Element): boolean {
  const value = attributeOf(element, 'contenteditable');
  return (
    value !== null && value.toLowerCase() !== 'false' && element instanceof HTMLElement && isContentEditable(element)
  );
}

// Only the first `summary` toggles its `details`.
function isSummaryOfDetails(element: Element): boolean {
  const details = parentElementOf(element);
  if (!(details instanceof HTMLDetailsElement)) return false;
  for (const child of details.children) if (localNameOf(child) === 'summary') return child === element;
  return false;
}

function hasTabIndex(element: Element): boolean {
  const value = attributeOf(element, 'tabindex');
  return value !== null && /^\s*[+-]?\d/.test(value);
}

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
