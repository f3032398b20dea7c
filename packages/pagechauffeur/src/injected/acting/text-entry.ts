import type { Prepared } from '../contract.ts';
import { composedParent, shadowRootOf } from '../composed-tree.ts';
import { isEditingHost } from '../focusable.ts';
import { contains, isContentEditable, parentElementOf } from '../native.ts';
import { activeElement } from '../native-document.ts';
import { announceChange } from '../values/value-events.ts';
import { isReadOnly } from './actionability.ts';

type TextEntry = Extract<Prepared, { kind: 'ready' }>['textEntry'];

/** Controls whose value has one form of its own; keys would go into parts of it, or open a picker. */
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

/** How text gets into an element. */
export function textEntryOf(element: Element): TextEntry {
  if (element instanceof HTMLSelectElement) return 'set';
  return element instanceof HTMLInputElement && SET_TYPES.has(element.type) ? 'set' : 'keys';
}

/** Gives an element the focus and tells whether it has it now. */
export function takeFocus(element: Element): boolean {
  const holder = focusHolderOf(element);
  if (holder instanceof HTMLElement) HTMLElement.prototype.focus.call(holder, { preventScroll: true });
  else if (holder instanceof SVGElement) holder.focus({ preventScroll: true });
  return hasFocus(holder);
}

/** A field that stays read-only with the focus is given it again after this many ms at the earliest. */
const READ_ONLY_RETRY = 1000;
const stayedReadOnlyUntil = new WeakMap<Element, number>();

/** Whether a read-only field may become writable when it gets the focus, as pages do it; not known to stay as it is. */
export function mayLiftReadOnly(element: Element): boolean {
  return performance.now() >= (stayedReadOnlyUntil.get(element) ?? 0);
}

/** Gives a read-only field the focus to see whether the page makes it writable; gives the focus back when it does not. */
export function becomesWritable(element: Element): boolean {
  if (!mayLiftReadOnly(element)) return false;
  const before = focusedElement();
  takeFocus(element);
  if (!isReadOnly(element)) return true;
  stayedReadOnlyUntil.set(element, performance.now() + READ_ONLY_RETRY);
  if (before && before !== element) takeFocus(before);
  return false;
}

/** The element that has the focus when this one is focused: the editing host for a part of an editor. */
export function focusHolderOf(element: Element): Element {
  if (!(element instanceof HTMLElement) || !isContentEditable(element)) return element;
  for (let node: Element | null = element; node; node = parentElementOf(node)) if (isEditingHost(node)) return node;
  return element;
}

/** Whether an element has a text and a selection of its own. */
export function isTextControl(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** Selects all that an element holds, so that what is typed next replaces it. */
export function selectContent(element: Element): void {
  if (isTextControl(element)) return element.select();
  const selection = getSelection();
  if (!selection) return;
  selection.selectAllChildren(element);
}

/** Puts the caret behind all that an element holds. */
export function moveCaretToEnd(element: Element): void {
  const selection = getSelection();
  if (!selection) return;
  // A selection of the page's own knows no offsets in e-mail or number fields; moving the caret works in all.
  if (isTextControl(element)) return selection.modify('move', 'forward', 'documentboundary');
  selection.selectAllChildren(element);
  selection.collapseToEnd();
}

/** The element with the focus, through shadow roots. */
export function focusedElement(): Element | null {
  let element = activeElement();
  for (let root = element && shadowRootOf(element); root?.activeElement; root = shadowRootOf(root.activeElement))
    element = root.activeElement;
  return element;
}

/** Whether the element, or a part of it, has the focus; so does the host of an editor when a part of it is meant. */
export function hasFocusWithin(element: Element): boolean {
  const focused = focusedElement();
  return hasFocus(element) || (focused !== null && isPartOfEditor(element, focused));
}

/** Whether an element is a part of the text of an editor; a control in it has a text of its own. */
export function isPartOfEditor(element: Element, editor: Element): boolean {
  if (isTextControl(element) || !(editor instanceof HTMLElement)) return false;
  return isContentEditable(editor) && contains(editor, element);
}

/**
 * Puts text in the place of the selection, or takes the selection away, as a key does: with events, and so that it can be
 * undone. It all happens in the task of the caller, so no other element can have the text. `isThere` is asked again once the
 * page has heard of it; false when nothing was put in.
 */
export function insertText(text: string, isThere: () => boolean): boolean {
  const focused = focusedElement();
  if (!focused || !isThere()) return false;
  const [inputType, command] = text === '' ? ['deleteContentForward', 'forwardDelete'] : ['insertText', 'insertText'];
  const data = text === '' ? null : text;
  const told = { inputType, data, targetRanges: selectedRanges(focused), ...BUBBLING };
  // The browser tells of an edit by a script only when it is done.
  const isKept = EventTarget.prototype.dispatchEvent.call(focused, new InputEvent('beforeinput', told));
  if (!isKept || !isThere()) return !isKept;
  return execCommand(command, text) || insertByScript(focused, text);
}

const BUBBLING = { bubbles: true, cancelable: true, composed: true } as const;

/** What an edit changes, as the browser tells editors; nothing for controls, which have a selection of their own. */
function selectedRanges(field: Element): StaticRange[] {
  const selection = isTextControl(field) ? null : getSelection();
  return selection && selection.rangeCount > 0 ? [new StaticRange(selection.getRangeAt(0))] : [];
}

function execCommand(command: string, text: string): boolean {
  // Only HTML documents have editing commands.
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
