import { focusedElement } from './text-entry.ts';

/** Maximum length of a reported selection. */
const TOLD_LENGTH = 80;

/** Remembers which text was selected. */
export class SelectionWatch {
  readonly #before = selectedText();

  /** Returns the selected text, cut to 80 characters; `undefined` if nothing is selected or the selection is the same as before. */
  newText(): string | undefined {
    const text = selectedText();
    if (text === '' || text === this.#before) return undefined;
    return text.length > TOLD_LENGTH ? `${text.slice(0, TOLD_LENGTH)}…` : text;
  }
}

/** The selected text of the focused field, or else of the document. Empty for password fields. */
function selectedText(): string {
  const field = focusedElement();
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value, type } = field;
    return type === 'password' || selectionStart === null ? '' : value.slice(selectionStart, selectionEnd ?? undefined);
  }
  const selection = getSelection();
  return selection && !selection.isCollapsed ? selection.toString() : '';
}
