import { editorOfField } from '../element/hidden-field-editor.ts';
import { focusedElement } from './text-entry.ts';

const MAX_CHARACTERS = 80;

export class SelectionWatch {
  readonly #before = selectedText();

  /** Returns undefined if nothing is selected, or the same text as before. */
  newText(): string | undefined {
    const text = selectedText();
    if (text === '' || text === this.#before) return undefined;
    return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  }
}

/** Returns the selection in the focused field, or else in the document. Empty for password fields. */
function selectedText(): string {
  const field = focusedElement();
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value, type } = field;
    const text =
      type === 'password' || selectionStart === null ? '' : value.slice(selectionStart, selectionEnd ?? undefined);
    // Some editors copy the text that a shortcut selects to their hidden field.
    return text !== '' && editorOfField(field) ? '' : text;
  }
  const selection = getSelection();
  return selection && !selection.isCollapsed ? selection.toString() : '';
}
