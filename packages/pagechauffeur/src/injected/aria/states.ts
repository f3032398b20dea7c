import { ariaAttributeOf, hasInternals, isDisabledByInternals } from '../exploration/element-internals.ts';
import { isDisabled, isEditingHost } from '../element/controls.ts';
import { memoised } from '../memo.ts';
import { attributeOf, hasAttribute, localNameOf, parentElementOf, queryAll } from '../native.ts';
import { checkedStateByItem } from './item-checked-state.ts';
import { roleOf } from './role.ts';
import { elementsInDocument } from '../tree/document-queries.ts';
import { activeElementIn, type TreeScope, treeScopeOf } from '../native-document.ts';

const ARIA_DISABLED = '[aria-disabled="true"]';
const checkableRoles: ReadonlySet<string> = new Set([
  'checkbox',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'switch',
  'treeitem',
]);
const boxRoles: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
const formTags: ReadonlySet<string> = new Set([
  'button',
  'fieldset',
  'input',
  'optgroup',
  'option',
  'select',
  'textarea',
]);

/** Returns the states in the order that snapshots use. */
export function statesOf(
  element: Element,
  role: string = roleOf(element),
  isMarked: boolean = hasMarks(element),
): string[] {
  const tag = localNameOf(element);
  const scope = treeScopeOf(element);
  const states: string[] = [];
  if (isDisabledForUser(element, tag, scope)) states.push('disabled');
  pushIfAny(states, checkedState(element, role));
  if (tag === 'option' ? isChosenOption(element) : isMarked && isSelected(element, role)) states.push('selected');
  if (tag === 'summary') pushIfAny(states, detailsState(element));
  if (formTags.has(tag)) pushFormStates(states, element);
  if (isMarked) pushAuthoredStates(states, element, role);
  if (scope !== null && element === focusedIn(scope)) {
    states.push('focused');
    if (hasSelectedText(element)) states.push('text-selected');
  }
  return states;
}

function hasSelectedText(focused: Element): boolean {
  if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement)
    return focused.selectionStart !== null && focused.selectionStart !== focused.selectionEnd;
  return isEditingHost(focused) && getSelection()?.isCollapsed === false;
}

function pushIfAny(states: string[], state: string | null): void {
  if (state !== null && !states.includes(state)) states.push(state);
}

function isDisabledForUser(element: Element, tag: string, scope: TreeScope | null): boolean {
  if ((formTags.has(tag) && isDisabled(element)) || isDisabledByInternals(element)) return true;
  return (
    scope !== null && mayBeInDisabledPart(scope) && Element.prototype.closest.call(element, ARIA_DISABLED) !== null
  );
}

/** An action reads the states of a few elements. A reading of more queries the whole tree first. */
const FEW = 10;

// `aria-disabled` also disables descendants. Most pages do not use the attribute.
function mayBeInDisabledPart(scope: TreeScope): boolean {
  const disabling = disablingIn(scope);
  disabling.elementsRead += 1;
  if (disabling.elementsRead <= FEW) return true;
  const disabled = (): readonly Element[] =>
    scope === document ? elementsInDocument(ARIA_DISABLED) : queryAll(scope, ARIA_DISABLED);
  disabling.isUsed ??= disabled().length > 0;
  return disabling.isUsed;
}

const disablingIn = memoised((_scope: TreeScope): { elementsRead: number; isUsed: boolean | null } => ({
  elementsRead: 0,
  isUsed: null,
}));

/** The state of a checked box that the author gave another role. */
const checkedStates: Readonly<Record<string, string>> = { button: 'pressed', tab: 'selected' };

function checkedState(element: Element, role: string): string | null {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    const state = checkedStates[role];
    if (state !== undefined) return element.checked ? state : null;
    if (!checkableRoles.has(role)) return null;
    if (element.indeterminate) return 'mixed';
    return element.checked ? 'checked' : 'unchecked';
  }
  if (!checkableRoles.has(role)) return null;
  const value = ariaAttributeOf(element, 'aria-checked');
  if (value === 'mixed') return 'mixed';
  if (value === 'true') return 'checked';
  if (value === 'false') return 'unchecked';
  return boxRoles.has(role) ? checkedStateByItem(element) : null;
}

function isChosenOption(element: Element): boolean {
  return element instanceof HTMLOptionElement && element.selected;
}

function isSelected(element: Element, role: string): boolean {
  return ariaAttributeOf(element, 'aria-selected') === 'true' && role !== 'generic';
}

function detailsState(element: Element): string | null {
  const parent = parentElementOf(element);
  if (!(parent instanceof HTMLDetailsElement)) return null;
  return parent.open ? 'expanded' : 'collapsed';
}

function pushFormStates(states: string[], element: Element): void {
  if (hasAttribute(element, 'required')) states.push('required');
  if (hasAttribute(element, 'readonly')) states.push('readonly');
  if (element instanceof HTMLTextAreaElement) states.push('multiline');
  if (element instanceof HTMLSelectElement && element.multiple) states.push('multiselectable');
}

const expandedStates: Readonly<Record<string, string>> = { true: 'expanded', false: 'collapsed' };
const pressedStates: Readonly<Record<string, string>> = { true: 'pressed', mixed: 'mixed' };

function pushAuthoredStates(states: string[], element: Element, role: string): void {
  if (role === 'button') pushIfAny(states, pressedStates[ariaAttributeOf(element, 'aria-pressed') ?? ''] ?? null);
  pushIfAny(states, expandedStates[ariaAttributeOf(element, 'aria-expanded') ?? ''] ?? null);
  for (const state of ['required', 'readonly', 'multiline', 'multiselectable', 'busy']) {
    if (ariaAttributeOf(element, `aria-${state}`) === 'true') pushIfAny(states, state);
  }
  for (const state of ['invalid', 'current'])
    if (isTokenTrue(ariaAttributeOf(element, `aria-${state}`))) states.push(state);
  if (isEditingHost(element)) states.push('editable');
  pushDataStates(states, element, role);
  const sort = ariaAttributeOf(element, 'aria-sort');
  if (sort === 'ascending' || sort === 'descending') states.push(`sorted ${sort}`);
}

/** Adds states that component libraries express by attributes for their styles. */
function pushDataStates(states: string[], element: Element, role: string): void {
  for (const name of Element.prototype.getAttributeNames.call(element)) {
    const state = name.startsWith('data-') ? dataStateOf(name, attributeOf(element, name) ?? '') : null;
    if (state === 'disabled' && !formTags.has(localNameOf(element)) && !states.includes('disabled'))
      states.unshift('disabled');
    if (state === 'expanded' && !states.includes('collapsed')) pushIfAny(states, 'expanded');
    if (state === 'indeterminate' && checkableRoles.has(role)) {
      const checked = states.findIndex((known) => known === 'checked' || known === 'unchecked');
      if (checked >= 0) states[checked] = 'mixed';
    }
  }
}

function isTokenTrue(value: string | null): boolean {
  return value !== null && value !== '' && value !== 'false';
}

const focusedIn = memoised(activeElementIn);

const markNames: ReadonlySet<string> = new Set([
  'contenteditable',
  'draggable',
  'hidden',
  'inert',
  'popover',
  'role',
  'tabindex',
]);

/** Attributes for styles in which component libraries repeat a state, such as `data-selected` or `data-combobox-disabled`. */
const DATA_STATE = /^data-(?:[a-z]+-)?(?:active|disabled|expanded|indeterminate|selected)$/;

/** True for attributes that can change an element's role, states or behavior. */
export function isMarkName(name: string): boolean {
  return markNames.has(name) || name.startsWith('aria-') || name.startsWith('on') || DATA_STATE.test(name);
}

/** True if an attribute or the element's internals can change its role, states or behavior. */
export function hasMarks(element: Element): boolean {
  return Element.prototype.getAttributeNames.call(element).some(isMarkName) || hasInternals(element);
}

/** Returns the state that a `data-` attribute repeats, such as `selected`; `null` for other names and for "false". */
export function dataStateOf(name: string, value: string): string | null {
  return DATA_STATE.test(name) && value !== 'false' ? name.slice(name.lastIndexOf('-') + 1) : null;
}

/** Matches names such as `data-x`, `data-row-key` and `data-column-name`. */
const COORDINATE = /^data-(?:[a-z]+-)?(?:[xyrc]|row|col|column|cell)(?:-?(?:key|name|index|idx|id|num|number))?$/;

/** True for an attribute with the position of a cell in a table. */
export function isCoordinate(name: string): boolean {
  return COORDINATE.test(name);
}
