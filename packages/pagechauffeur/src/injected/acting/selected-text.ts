import { focusedElement } from './text-entry.ts';

/** Characters of a selected text that are told. */
const TOLD_LENGTH = 80;

/** Knows which text was selected. */
export class SelectionWatch {
  readonly #before = selectedText();

  /** The text that is selected now, cut to 80 characters; undefined if none is, or the same as before. */
  newText(): string | undefined {
    const text = selectedText();
    if (text === '' || text === this.#before) return undefined;
    return text.length > TOLD_LENGTH ? `${text.slice(0, TOLD_LENGTH)}…` : text;
  }
}

/** The text that is selected in the field with the focus, else in the document. A password is nobody's business. */
function selectedText(): string {
  const field = focusedElement();
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value, type } = field;
    return type === 'password' || selectionStart === null ? '' : value.slice(selectionStart, selectionEnd ?? undefined);
  }
  const selection = getSelection();
  return selection && !selection.isCollapsed ? selection.toString() : '';
}
