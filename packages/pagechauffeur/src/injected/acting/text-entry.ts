import type { Prepared } from '../contract.ts';
import { composedParent, shadowRootOf } from '../composed-tree.ts';
import { isEditingHost } from '../focusable.ts';
import { contains, isContentEditable, parentElementOf } from '../native.ts';
import { activeElement } from '../native-document.ts';
import { announceChange } from '../values/value-events.ts';
import { isReadOnly } from './actionability.ts';

type TextEntry = Extract<Prepared, { kind: 'ready' }>['textEntry'];

/**
 * Input types whose value has a fixed format. Typing into them would change only one part of the value or open a
 * picker.
 */
const SET_TYPES: ReadonlySet<string> = new Set([
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'color',
  'range',
  'number',
]);

/** Returns how to enter text into the element. */
export function textEntryOf(element: Element): TextEntry {
  if (element instanceof HTMLSelectElement) return 'set';
  return element instanceof HTMLInputElement && SET_TYPES.has(element.type) ? 'set' : 'keys';
}

/** Focuses an element. Returns true if it has focus afterwards. */
export function takeFocus(element: Element): boolean {
  const holder = focusHolderOf(element);
  if (holder instanceof HTMLElement) HTMLElement.prototype.focus.call(holder, { preventScroll: true });
  else if (holder instanceof SVGElement) holder.focus({ preventScroll: true });
  return hasFocus(holder);
}

/** After this many ms, a field that stayed read-only on focus may be focused again. */
const READ_ONLY_RETRY = 1000;
const stayedReadOnlyUntil = new WeakMap<Element, number>();

/**
 * True if a read-only field may become writable on focus, which some pages do. False for a while after an attempt
 * failed.
 */
export function mayLiftReadOnly(element: Element): boolean {
  return performance.now() >= (stayedReadOnlyUntil.get(element) ?? 0);
}

/** Focuses a read-only field to check whether the page makes it writable. Restores focus if it does not. */
export function becomesWritable(element: Element): boolean {
  if (!mayLiftReadOnly(element)) return false;
  const before = focusedElement();
  takeFocus(element);
  if (!isReadOnly(element)) return true;
  stayedReadOnlyUntil.set(element, performance.now() + READ_ONLY_RETRY);
  if (before && before !== element) takeFocus(before);
  return false;
}

/** Returns the element that receives focus when this one is focused: the editing host for a part of an editor. */
export function focusHolderOf(element: Element): Element {
  if (!(element instanceof HTMLElement) || !isContentEditable(element)) return element;
  for (let node: Element | null = element; node; node = parentElementOf(node)) if (isEditingHost(node)) return node;
  return element;
}

/** True for `input` and `textarea`, which have their own text and selection. */
export function isTextControl(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** Selects the whole content of an element, so that the next input replaces it. */
export function selectContent(element: Element): void {
  if (isTextControl(element)) return element.select();
  const selection = getSelection();
  if (!selection) return;
  selection.selectAllChildren(element);
}

/** Moves the caret to the end of the content. */
export function moveCaretToEnd(element: Element): void {
  const selection = getSelection();
  if (!selection) return;
  // Setting selection offsets fails in e-mail and number fields. Moving the caret works in all fields.
  if (isTextControl(element)) return selection.modify('move', 'forward', 'documentboundary');
  selection.selectAllChildren(element);
  selection.collapseToEnd();
}

/** Returns the focused element, including those in shadow roots. */
export function focusedElement(): Element | null {
  let element = activeElement();
  for (let root = element && shadowRootOf(element); root?.activeElement; root = shadowRootOf(root.activeElement))
    element = root.activeElement;
  return element;
}

/** True if the element or a descendant has focus. For a part of an editor, focus in the editor counts. */
export function hasFocusWithin(element: Element): boolean {
  const focused = focusedElement();
  return hasFocus(element) || (focused !== null && isPartOfEditor(element, focused));
}

/** True if the element is part of an editor's text. A control inside the editor is not: it has its own text. */
export function isPartOfEditor(element: Element, editor: Element): boolean {
  if (isTextControl(element) || !(editor instanceof HTMLElement)) return false;
  return isContentEditable(editor) && contains(editor, element);
}

/**
 * Replaces or deletes the selection like a key does: with events and undo. Runs in the caller's task, so that no other
 * element can receive the text. Calls `isThere` again after the page's `beforeinput` listeners. Returns false if
 * nothing was inserted.
 */
export function insertText(text: string, isThere: () => boolean): boolean {
  const focused = focusedElement();
  if (!focused || !isThere()) return false;
  const [inputType, command] = text === '' ? ['deleteContentForward', 'forwardDelete'] : ['insertText', 'insertText'];
  const data = text === '' ? null : text;
  const told = { inputType, data, targetRanges: selectedRanges(focused), ...BUBBLING };
  // `execCommand` fires only `input`, not `beforeinput`.
  const isKept = EventTarget.prototype.dispatchEvent.call(focused, new InputEvent('beforeinput', told));
  if (!isKept || !isThere()) return !isKept;
  return execCommand(command, text) || insertByScript(focused, text);
}

const BUBBLING = { bubbles: true, cancelable: true, composed: true } as const;

/**
 * Returns the target ranges of an edit, which browsers provide to editors. Empty for controls, which have their own
 * selection.
 */
function selectedRanges(field: Element): StaticRange[] {
  const selection = isTextControl(field) ? null : getSelection();
  return selection && selection.rangeCount > 0 ? [new StaticRange(selection.getRangeAt(0))] : [];
}

function execCommand(command: string, text: string): boolean {
  // Only HTML documents support `execCommand`.
  return document instanceof HTMLDocument && Document.prototype.execCommand.call(document, command, false, text);
}

function insertByScript(field: Element, text: string): boolean {
  if (document instanceof HTMLDocument || !isTextControl(field)) return false;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  announceChange(field);
  return true;
}

function hasFocus(element: Element): boolean {
  for (let node = focusedElement(); node; node = composedParent(node)) if (node === element) return true;
  return false;
}
