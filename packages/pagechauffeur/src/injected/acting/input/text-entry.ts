import type { Prepared } from '../../contract.ts';
import { composedParent, shadowRootOf } from '../../tree/composed-tree.ts';
import { isEditingHost } from '../../element/controls.ts';
import type { HiddenFieldEditor } from '../../element/hidden-field-editor.ts';
import { contains, isContentEditable, parentElementOf } from '../../native.ts';
import { activeElement } from '../../native-document.ts';
import { isReadOnly } from '../actionability.ts';

type TextEntry = Extract<Prepared, { kind: 'ready' }>['textEntry'];

/** Input types with a value in a fixed format. `beginChange` sets the whole value. */
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

export function textEntryOf(element: Element): TextEntry {
  if (element instanceof HTMLSelectElement) return 'set';
  return element instanceof HTMLInputElement && SET_TYPES.has(element.type) ? 'set' : 'keys';
}

/** Returns true if the element has focus afterwards. */
export function takeFocus(element: Element): boolean {
  const holder = focusHolderOf(element);
  if (holder instanceof HTMLElement) HTMLElement.prototype.focus.call(holder, { preventScroll: true });
  else if (holder instanceof SVGElement) holder.focus({ preventScroll: true });
  return hasFocus(holder);
}

/** After this many ms, a field that stayed read-only on focus may be focused again. */
const READ_ONLY_RETRY = 1000;
const stayedReadOnlyUntil = new WeakMap<Element, number>();

/** True if focusing may make a read-only field writable. False for 1 s after an attempt that did not. */
export function mayLiftReadOnly(element: Element): boolean {
  return performance.now() >= (stayedReadOnlyUntil.get(element) ?? 0);
}

/** Focuses a read-only field to find out if the page makes it writable. Restores focus if not. */
export function becomesWritable(element: Element): boolean {
  if (!mayLiftReadOnly(element)) return false;
  const before = focusedElement();
  takeFocus(element);
  if (!isReadOnly(element)) return true;
  stayedReadOnlyUntil.set(element, performance.now() + READ_ONLY_RETRY);
  if (before && before !== element) takeFocus(before);
  return false;
}

/** For a part of an editor, returns the editing host. */
export function focusHolderOf(element: Element): Element {
  if (!(element instanceof HTMLElement) || !isContentEditable(element)) return element;
  for (let node: Element | null = element; node; node = parentElementOf(node)) if (isEditingHost(node)) return node;
  return element;
}

/** Unlike editors, `input` and `textarea` have their own text and selection. */
export function isTextControl(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

export function selectContent(element: Element): void {
  if (isTextControl(element)) return element.select();
  const selection = getSelection();
  if (!selection) return;
  selection.selectAllChildren(element);
}

export function moveCaretToEnd(element: Element): void {
  const selection = getSelection();
  if (!selection) return;
  // Email and number fields do not support selection offsets. Moving the caret works in all fields.
  if (isTextControl(element)) return selection.modify('move', 'forward', 'documentboundary');
  selection.selectAllChildren(element);
  selection.collapseToEnd();
}

/** Like `document.activeElement`, but also looks into shadow roots. */
export function focusedElement(): Element | null {
  let element = activeElement();
  for (let root = element && shadowRootOf(element); root?.activeElement; root = shadowRootOf(root.activeElement))
    element = root.activeElement;
  return element;
}

/** For a part of an editor, focus anywhere in the editor counts. */
export function hasFocusWithin(element: Element): boolean {
  const focused = focusedElement();
  return hasFocus(element) || (focused !== null && isPartOfEditor(element, focused));
}

/** A control inside an editor is not part of it, because it has its own text. */
export function isPartOfEditor(element: Element, editor: Element): boolean {
  if (isTextControl(element) || !(editor instanceof HTMLElement)) return false;
  return isContentEditable(editor) && contains(editor, element);
}

/**
 * Replaces or deletes the selection as a key would, with events and undo. Runs in one task, so that no other element
 * can receive the text. Checks `isThere` again after the `beforeinput` listeners of the page. Returns true if the text
 * was inserted or the page handled `beforeinput`.
 */
export function insertText(text: string, isThere: () => boolean): boolean {
  const focused = focusedElement();
  if (!focused || !isThere()) return false;
  const [inputType, command] = text === '' ? ['deleteContentForward', 'forwardDelete'] : ['insertText', 'insertText'];
  const data = text === '' ? null : text;
  const eventInit = { inputType, data, targetRanges: selectedRanges(focused), ...BUBBLING };
  // `execCommand` fires only `input`, not `beforeinput`.
  const isKept = EventTarget.prototype.dispatchEvent.call(focused, new InputEvent('beforeinput', eventInit));
  if (!isKept || !isThere()) return !isKept;
  return execCommand(command, text) || insertByScript(focused, text);
}

/**
 * `inserted`: the page handled the event, so it has inserted the text; `stopped`: the page stopped the event without
 * canceling it, so it may have inserted the text; `ignored`: the event was neither canceled nor stopped.
 */
export type PasteOutcome = 'inserted' | 'stopped' | 'ignored';

/**
 * Passes text to an editor as a paste. Unlike typed text, the editor neither indents pasted text nor closes its
 * brackets. The clipboard of the user stays as it is.
 */
export function pasteText({ field, root, isTerminal }: HiddenFieldEditor, text: string): PasteOutcome {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, ...BUBBLING });
  const passed = { hasEntered: false, hasLeft: false, isOver: false };
  const listeners = new AbortController();
  const { signal } = listeners;
  root.addEventListener('paste', () => (passed.hasEntered = true), { signal, capture: true });
  root.addEventListener('paste', () => (passed.hasLeft = true), { signal });
  addEventListener('paste', () => (passed.isOver = true), { signal });
  const isKept = EventTarget.prototype.dispatchEvent.call(field, event);
  listeners.abort();
  if (!isKept) return 'inserted';
  if (passed.isOver) return 'ignored';
  // xterm.js handles the event without canceling it. What the terminal prints may come much later.
  return isTerminal && passed.hasEntered && !passed.hasLeft ? 'inserted' : 'stopped';
}

const BUBBLING = { bubbles: true, cancelable: true, composed: true } as const;

/** Browsers give target ranges to editors. Controls have their own selection and get none. */
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

/** Fires the same events as a user's change: `input`, then `change`. */
export function announceChange(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}
