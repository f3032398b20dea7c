import { isMaskedField } from '../../aria/masked-text.ts';
import type { InvalidFields } from '../../contract.ts';
import { matches } from '../../native.ts';
import { titleOf } from '../../element/describe.ts';
import { focusedElement } from '../input/text-entry.ts';
import { editorOfField } from '../../element/hidden-field-editor.ts';

const MAX_NAMED = 5;

/**
 * When the browser refuses to submit a form, it focuses the first invalid field and shows a message outside the page.
 * Returns that field and the other invalid ones.
 */
export function invalidFields(): InvalidFields | undefined {
  const field = focusedElement();
  if (!isFormField(field) || !matches(field, ':user-invalid')) return undefined;
  const all = field.form ? [...field.form.elements].filter((other) => matches(other, ':invalid')) : [];
  const byKey = Map.groupBy(all.filter(isFormField), keyOf);
  byKey.delete(keyOf(field));
  const others = [...byKey.values()].flatMap(([first]) => (first ? titleOf(first) : []));
  return {
    field: titleOf(field),
    reason: field.validationMessage,
    others: others.slice(0, MAX_NAMED),
    unnamed: Math.max(0, others.length - MAX_NAMED),
  };
}

/** The radio buttons of a group are invalid together and count once. */
function keyOf(field: FormField): FormField | string {
  return field.type === 'radio' ? field.name : field;
}

type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isFormField(element: Element | null): element is FormField {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

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

/** Returns the selection in the focused field, or else in the document. Empty for password fields and masked text. */
function selectedText(): string {
  const field = focusedElement();
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value } = field;
    const text =
      isMaskedField(field) || selectionStart === null ? '' : value.slice(selectionStart, selectionEnd ?? undefined);
    // Some editors copy the text that a shortcut selects to their hidden field.
    return text !== '' && editorOfField(field) ? '' : text;
  }
  const selection = getSelection();
  return selection && !selection.isCollapsed ? selection.toString() : '';
}
