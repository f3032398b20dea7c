import { isDisabled, isEditingHost } from './focusable.ts';
import { attributeOf, hasAttribute } from './native.ts';
import { roleOf } from './role.ts';

const checkableRoles: ReadonlySet<string> = new Set(['checkbox', 'menuitemcheckbox', 'menuitemradio', 'radio', 'switch', 'treeitem', 'option']);
const nativelyDisabledTags = 'button, input, select, textarea, optgroup, option, fieldset';

/** The states an element is in, in the order in which a snapshot tells them. */
export function statesOf(element: Element, role: string = roleOf(element)): string[] {
  const states: string[] = [];
  const add = (state: string, holds: boolean): void => void (holds && states.push(state));
  add('disabled', isDisabledForUser(element));
  const checked = checkedState(element, role);
  if (checked) states.push(checked);
  add('selected', isSelected(element, role));
  const pressed = attributeOf(element, 'aria-pressed');
  if (role === 'button' && pressed === 'true') states.push('pressed');
  if (role === 'button' && pressed === 'mixed') states.push('mixed');
  const expanded = expandedState(element);
  if (expanded) states.push(expanded);
  add('required', (hasAttribute(element, 'required') && isControl(element)) || attributeOf(element, 'aria-required') === 'true');
  add('readonly', (hasAttribute(element, 'readonly') && isControl(element)) || attributeOf(element, 'aria-readonly') === 'true');
  add('invalid', isTokenTrue(attributeOf(element, 'aria-invalid')));
  add('focused', element === activeElementOf(element));
  add('multiline', element instanceof HTMLTextAreaElement || attributeOf(element, 'aria-multiline') === 'true');
  add('multiselectable', (element instanceof HTMLSelectElement && element.multiple) || attributeOf(element, 'aria-multiselectable') === 'true');
  add('busy', attributeOf(element, 'aria-busy') === 'true');
  add('current', isTokenTrue(attributeOf(element, 'aria-current')));
  add('editable', isEditingHost(element));
  return states;
}

function isDisabledForUser(element: Element): boolean {
  if (element.matches(nativelyDisabledTags)) return isDisabled(element) || attributeOf(element, 'aria-disabled') === 'true';
  return element.closest('[aria-disabled="true"]') !== null;
}

function checkedState(element: Element, role: string): 'checked' | 'unchecked' | 'mixed' | null {
  if (!checkableRoles.has(role)) return null;
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    if (element.indeterminate) return 'mixed';
    return element.checked ? 'checked' : 'unchecked';
  }
  const value = attributeOf(element, 'aria-checked');
  if (value === 'mixed') return 'mixed';
  if (value === 'true') return 'checked';
  return value === 'false' || role === 'checkbox' || role === 'switch' || role === 'radio' ? 'unchecked' : null;
}

function isSelected(element: Element, role: string): boolean {
  if (element instanceof HTMLOptionElement) return element.selected;
  return attributeOf(element, 'aria-selected') === 'true' && role !== 'generic';
}

function expandedState(element: Element): 'expanded' | 'collapsed' | null {
  const value = attributeOf(element, 'aria-expanded');
  if (value === 'true') return 'expanded';
  if (value === 'false') return 'collapsed';
  if (element.localName !== 'summary' || !(element.parentElement instanceof HTMLDetailsElement)) return null;
  return element.parentElement.open ? 'expanded' : 'collapsed';
}

function isTokenTrue(value: string | null): boolean {
  return value !== null && value !== '' && value !== 'false';
}

function isControl(element: Element): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
}

function activeElementOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}
