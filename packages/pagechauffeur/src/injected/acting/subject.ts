import type { BlockedReason, FileCapacity, PrepareAction } from '../contract.ts';
import { labelsOf } from '../aria/references.ts';
import { flatParent } from '../tree/composed-tree.ts';
import { visitElements } from '../tree/composed-walk.ts';
import { isFocusable } from '../element/controls.ts';
import { editorAround, editorOfField, type HiddenFieldEditor } from '../element/hidden-field-editor.ts';
import { isContentEditable, matches } from '../native.ts';
import { roleOf } from '../aria/role.ts';
import { statesOf } from '../aria/states.ts';
import { invisibilityOf, isDisabledForActing } from './actionability.ts';
import { boxOf, isBeyondScrolling } from './point/geometry.ts';
import { listensToPointer } from '../snapshot/clickable/listened.ts';
import { hasPartForPointer } from './point/hit-target.ts';

/**
 * What an action applies to. `receiver` gets the click: for a hidden checkbox its label, for a field that ignores the
 * pointer the box around it.
 */
export interface Subject {
  readonly element: Element;
  readonly receiver: Element;
  /** Set if `element` is the hidden field of an editor. `receiver` is the text of the editor then. */
  readonly editor?: HiddenFieldEditor;
}

/** The action needs another kind of element. Waiting cannot change that. */
export type WrongKind = Extract<BlockedReason, 'not-editable' | 'custom-slider' | 'not-a-select' | 'not-checkable'>;

const TEXT_FIELDS =
  'textarea, input:not([type="hidden" i], [type="checkbox" i], [type="radio" i], [type="button" i], [type="submit" i], [type="reset" i], [type="image" i], [type="file" i])';
const POINTED_AT: ReadonlySet<PrepareAction> = new Set(['click', 'tap', 'hover', 'drag', 'drop']);
const CHECKABLE_ROLES: ReadonlySet<string> = new Set([
  'checkbox',
  'radio',
  'switch',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
]);

/** Finds the element that the action applies to, such as the control of a label or the first visible field inside. */
export function subjectOf(element: Element, action: PrepareAction): Subject | WrongKind {
  if (action === 'fill')
    return (
      textSubject(element, (candidate) => isEditable(candidate) || candidate instanceof HTMLSelectElement) ??
      (roleOf(element) === 'slider' ? 'custom-slider' : 'not-editable')
    );
  if (action === 'edit') return textSubject(element, isEditable) ?? 'not-editable';
  if (action === 'type') return textSubject(element, isEditable) ?? same(element);
  if (action === 'press' || action === 'focus') return inEditor(editorAround(element)) ?? same(element);
  if (action === 'select')
    return fieldSubject(element, (candidate) => candidate instanceof HTMLSelectElement) ?? 'not-a-select';
  if (action === 'upload') return fieldSubject(element, isFileInput) ?? same(element);
  if (action === 'check') {
    const checkable = fieldSubject(element, isCheckable);
    return checkable ? throughLabel(checkable.element) : 'not-checkable';
  }
  if (!POINTED_AT.has(action)) return same(element);
  const box = fieldBoxOf(element);
  return box ? { element, receiver: box } : throughLabel(clickable(element));
}

/** True for `contenteditable` elements, text areas and inputs with an editable value, including `date` and `range`. */
export function isEditable(element: Element): boolean {
  return matches(element, TEXT_FIELDS) || (element instanceof HTMLElement && isContentEditable(element));
}

/** A folder input accepts all files in the folder. */
export function fileCapacityOf(element: Element): FileCapacity {
  if (!isFileInput(element)) return 'none';
  return element.multiple || element.webkitdirectory ? 'many' : 'one';
}

function isFileInput(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'file';
}

/** Returns undefined if the element is not checkable. */
export function checkedStateOf(element: Element): boolean | undefined {
  if (!isCheckable(element)) return undefined;
  const states = statesOf(element);
  return states.includes('checked') || states.includes('selected');
}

/** True for a custom box that does not show whether it is on. */
export function hidesCheckedState(element: Element): boolean {
  const states = BOX_ROLES.has(roleOf(element)) ? statesOf(element) : null;
  return states !== null && !CHECKED_STATES.some((state) => states.includes(state));
}

const BOX_ROLES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
const CHECKED_STATES = ['checked', 'unchecked', 'mixed'] as const;

function isCheckable(element: Element): boolean {
  if (element instanceof HTMLInputElement) return element.type === 'checkbox' || element.type === 'radio';
  return CHECKABLE_ROLES.has(roleOf(element));
}

/** Finds a field, or the editor that the element is a part of. */
function textSubject(element: Element, isWanted: (candidate: Element) => boolean): Subject | null {
  const subject = fieldSubject(element, isWanted);
  return inEditor(subject ? editorOfField(subject.element) : editorAround(element)) ?? subject;
}

function inEditor(editor: HiddenFieldEditor | null): Subject | null {
  return editor && { element: editor.field, receiver: editor.text, editor };
}

function fieldSubject(element: Element, isWanted: (candidate: Element) => boolean): Subject | null {
  if (isWanted(element)) return same(element);
  const { control } = element instanceof HTMLLabelElement ? element : { control: null };
  if (control && isWanted(control)) return same(control);
  const inside: Element[] = [];
  visitElements(element, (candidate) => {
    if (isWanted(candidate)) inside.push(candidate);
  });
  const found = inside.find((candidate) => invisibilityOf(candidate) === null) ?? inside[0];
  return found ? same(found) : null;
}

function same(element: Element): Subject {
  return { element, receiver: element };
}

/** Maximum ancestors between a field and the box that handles its clicks. */
const MAX_FIELD_WRAPPERS = 6;

/**
 * Returns the box that handles the clicks of an enabled field with `pointer-events: none`, as around the filter of a
 * select. `null` for other elements.
 */
function fieldBoxOf(field: Element): Element | null {
  if (!matches(field, TEXT_FIELDS) || getComputedStyle(field).pointerEvents !== 'none') return null;
  if (isDisabledForActing(field)) return null;
  let box = flatParent(field);
  for (let count = 0; box && count < MAX_FIELD_WRAPPERS; count += 1) {
    if (listensToPointer(box)) return getComputedStyle(box).pointerEvents === 'none' ? null : box;
    box = flatParent(box);
  }
  return null;
}

// A control that is hidden, reduced to a pixel or outside the document is clicked through its label.
function throughLabel(element: Element): Subject {
  if (!(element instanceof HTMLInputElement) || isInReach(element)) return same(element);
  const label = labelsOf(element).find(isInReach);
  return { element, receiver: label ?? element };
}

function isInReach(element: Element): boolean {
  if (invisibilityOf(element) !== null) return false;
  const box = boxOf(element);
  return !isBeyondScrolling(box) && (box.width > 1 || box.height > 1);
}

// An icon with `pointer-events: none` is part of the button around it. A disabled control with that style stays the
// target.
function clickable(element: Element): Element {
  if (isFocusable(element) || getComputedStyle(element).pointerEvents !== 'none') return element;
  if (isDisabledForActing(element) || hasPartForPointer(element)) return element;
  for (let node = flatParent(element); node; node = flatParent(node)) {
    if (isFocusable(node) && getComputedStyle(node).pointerEvents !== 'none') return node;
  }
  return element;
}
