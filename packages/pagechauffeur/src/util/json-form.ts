import { isRecord } from './is-record.ts';

/** What JSON data is to look like: a type's name, a list of one form, `{ each }` for any fields of one form, or named fields. */
export type JsonForm = 'string' | 'number' | 'boolean' | readonly [JsonForm] | { readonly each: JsonForm } | FieldForms;

interface FieldForms {
  readonly fields: Readonly<Record<string, JsonForm>>;
  /** Fields that may be absent. */
  readonly optional?: Readonly<Record<string, JsonForm>>;
}

/** Whether data that comes from outside has a form. */
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
