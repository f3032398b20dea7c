import { attributeOf, hasAttribute, isContentEditable, localNameOf, matches, parentElementOf } from './native.ts';

const controlTags: ReadonlySet<string> = new Set(['button', 'input', 'select', 'textarea']);

/** Whether the element is a control of a form, which a page may disable or hide. */
export function isControl(element: Element): boolean {
  return controlTags.has(localNameOf(element));
}

/** Whether the element can get the focus, by keyboard or by script, when it is rendered. */
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

/** Whether the browser treats the control as disabled, by itself or by its fieldset. */
export function isDisabled(element: Element): boolean {
  return matches(element, ':disabled');
}

/** Whether the element is the outermost one of an editable part. */
export function isEditingHost(element: Element): boolean {
  const value = attributeOf(element, 'contenteditable');
  return (
    value !== null && value.toLowerCase() !== 'false' && element instanceof HTMLElement && isContentEditable(element)
  );
}

// The first summary opens and closes its details.
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
