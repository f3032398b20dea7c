import { knownAction } from '../acting/armed-action.ts';
import { isEditable } from '../acting/subject.ts';
import { focusedElement, takeFocus } from '../acting/text-entry.ts';
import type { EnteredWithin, EntryWithin } from '../contract.ts';
import { mayHoldFrame } from '../frames.ts';
import { contains, isContentEditable } from '../native.ts';
import { elementOfRef } from '../refs.ts';

/**
 * Enters text by this document's own editing commands. Input of the browser goes to whatever has the focus when it arrives, also in a
 * document that has come meanwhile; this goes nowhere else.
 */
export async function enterWithin({ token, ref, origin, text, byKeys }: EntryWithin): Promise<EnteredWithin> {
  const action = knownAction(token);
  const field = elementOfRef(ref);
  if (!action || !field || self.origin !== origin) return 'stale';
  if (!reaches(field)) takeFocus(field);
  if (!reaches(field)) return 'unfocused';
  if (!byKeys) {
    action.entry?.selectAgain();
    insert(field, text);
    return 'entered';
  }
  for (const character of charactersOf(text)) {
    // A page may lead on to its next field, but not into a frame.
    const focused = focusedElement();
    if (!focused || mayHoldFrame(focused)) return 'unfocused';
    typeCharacter(focused, character);
    await nextTask();
  }
  return 'entered';
}

/** Whether what is typed now comes to the field. */
function reaches(field: Element): boolean {
  const focused = focusedElement();
  return focused !== null && !mayHoldFrame(focused) && (contains(focused, field) || contains(field, focused));
}

function charactersOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n');
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(lines),
    ({ segment }) => segment,
  );
}

/** Fields that follow keys alone are told by the event; what the page does with it is its own. */
function typeCharacter(element: Element, character: string): void {
  const key = { key: character, bubbles: true, cancelable: true, composed: true };
  const isTaken = !dispatch(element, new KeyboardEvent('keydown', key));
  if (!isTaken && isEditable(element) && focusedElement() === element) insert(element, character);
  dispatch(element, new KeyboardEvent('keyup', key));
}

/** Editors put text in themselves when they are told of it; the browser's command tells nobody before. */
function insert(element: Element, text: string): void {
  const told = { inputType: 'insertText', data: text, bubbles: true, cancelable: true, composed: true };
  if (
    element instanceof HTMLElement &&
    isContentEditable(element) &&
    !dispatch(element, new InputEvent('beforeinput', told))
  )
    return;
  if (!reaches(element)) return;
  const [command, value] = text === '' ? (['delete', ''] as const) : (['insertText', text] as const);
  Document.prototype.execCommand.call(document, command, false, value);
}

function dispatch(element: Element, event: Event): boolean {
  return EventTarget.prototype.dispatchEvent.call(element, event);
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
