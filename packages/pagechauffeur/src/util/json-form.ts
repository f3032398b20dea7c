import { isRecord } from './is-record.ts';

/**
 * Shape of JSON data: a type name, `[form]` for an array, `{ each }` for an object with arbitrary keys, or `{ fields
 * }`.
 */
export type JsonForm = 'string' | 'number' | 'boolean' | readonly [JsonForm] | { readonly each: JsonForm } | FieldForms;

interface FieldForms {
  readonly fields: Readonly<Record<string, JsonForm>>;
  readonly optional?: Readonly<Record<string, JsonForm>>;
}

/** True if untrusted data has the given shape. Allows additional fields. */
export function hasForm(data: unknown, form: JsonForm): boolean {
  if (typeof form === 'string') return typeof data === form;
  if (isListForm(form)) return Array.isArray(data) && data.every((item) => hasForm(item, form[0]));
  if (!isRecord(data)) return false;
  if ('each' in form) return Object.values(data).every((value) => hasForm(value, form.each));
  const { fields, optional = {} } = form;
  return (
    Object.entries(fields).every(([name, inner]) => hasForm(data[name], inner)) &&
    Object.entries(optional).every(([name, inner]) => data[name] === undefined || hasForm(data[name], inner))
  );
}

function isListForm(form: JsonForm): form is readonly [JsonForm] {
  return Array.isArray(form);
}
