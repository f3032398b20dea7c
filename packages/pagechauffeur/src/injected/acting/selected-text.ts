import { focusedElement } from './text-entry.ts';

/** Maximum characters of a reported selection. */
const TOLD_LENGTH = 80;

/** Compares the selected text before and after an action. */
export class SelectionWatch {
  readonly #before = selectedText();

  /**
   * Returns the selected text, truncated to 80 characters; `undefined` if nothing is selected or the selection did not
   * change.
   */
  newText(): string | undefined {
    const text = selectedText();
    if (text === '' || text === this.#before) return undefined;
    return text.length > TOLD_LENGTH ? `${text.slice(0, TOLD_LENGTH)}…` : text;
  }
}

/**
 * Returns the selected text of the focused field, or of the document if no field has focus. Empty for password fields.
 */
function selectedText(): string {
  const field = focusedElement();
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value, type } = field;
    return type === 'password' || selectionStart === null ? '' : value.slice(selectionStart, selectionEnd ?? undefined);
  }
  const selection = getSelection();
  return selection && !selection.isCollapsed ? selection.toString() : '';
}
