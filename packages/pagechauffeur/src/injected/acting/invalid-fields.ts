import type { InvalidFields } from '../contract.ts';
import { matches } from '../native.ts';
import { titleOf } from '../element/describe.ts';
import { focusedElement } from './text-entry.ts';

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
