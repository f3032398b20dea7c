import { attributeOf, hasAttribute, isContentEditable, localNameOf, matches, parentElementOf } from './native.ts';

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
